import { clientMessage } from '@winnow/contract/live';
import { describe, expect, test } from 'vitest';
import { clickMessage, trackingRefused } from './clicks.ts';

describe('clicks', () => {
  test.each([
    [{ doNotTrack: '1' }, true],
    [{ globalPrivacyControl: true }, true],
    [{ doNotTrack: '0', globalPrivacyControl: false }, false],
    [{ doNotTrack: null }, false],
    [{}, false],
  ])('a browser that says %j refuses tracking: %s', (signals, refused) => {
    expect(trackingRefused(signals)).toBe(refused);
  });

  test('tell no id that a library made up', () => {
    for (const id of ['', 'mantine-x1', '«r3»', ':r3:', '_r_1_', 'Has Spaces']) {
      expect(clickMessage({ id, tagName: 'A' }, '/').target).toEqual({ tagName: 'A' });
    }
  });

  test('fit the contract however long what was clicked is named', () => {
    const message = clickMessage({ id: 'a'.repeat(500), tagName: 'x'.repeat(500) }, `/${'p'.repeat(999)}`);
    expect(clientMessage.safeParse(message).success).toBe(true);
  });

  test('tell the control and the page, and nothing else', () => {
    expect(clickMessage({ id: 'resolve', tagName: 'BUTTON' }, '/console/issues')).toEqual({
      type: 'click',
      target: { id: 'resolve', tagName: 'BUTTON' },
      path: '/console/issues',
    });
  });
});

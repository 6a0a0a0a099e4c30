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
      expect(clickMessage({ id, tagName: 'A', text: null }, '/').target).toEqual({ tagName: 'A' });
    }
  });

  test('fit the contract however long what was clicked is named', () => {
    const control = { id: 'a'.repeat(500), tagName: 'x'.repeat(500), text: '👍'.repeat(500) };
    const message = clickMessage(control, `/${'p'.repeat(999)}`);
    expect(message.target.text).toBe('👍'.repeat(50));
    expect(clientMessage.safeParse(message).success).toBe(true);
  });

  test('tell the control with its text on one line, and the page', () => {
    const control = { id: 'resolve', tagName: 'BUTTON', text: '\n Merge\n  both ' };
    expect(clickMessage(control, '/console/issues')).toEqual({
      type: 'click',
      target: { id: 'resolve', tagName: 'BUTTON', text: 'Merge both' },
      path: '/console/issues',
    });
    expect(clickMessage({ id: '', tagName: 'INPUT', text: null }, '/').target).toEqual({ tagName: 'INPUT' });
  });
});

import { describe, expect, test } from 'vitest';
import { initials } from './initials.ts';
import { noticeText } from './notice-text.ts';

describe('the notice of the URL', () => {
  test('reads underscores as spaces and truncates long texts', () => {
    expect(noticeText('Tracker_connected._')).toBe('Tracker connected.');
    expect(noticeText('x'.repeat(5000))).toHaveLength(300);
    expect(noticeText('___')).toBe('');
  });
});

describe('initials', () => {
  test.each([
    [null, 'maya', 'MA'],
    ['  ', 'x', 'X'],
    ['Maya Lindqvist', 'maya', 'ML'],
    ['Ana María de la Cruz', 'ana', 'AC'],
    ['Plato', 'plato', 'P'],
    ['𝒳𝓎 Ångström', 'x', '𝒳Å'],
  ])('of %j with username %s are %s', (name, username, letters) => {
    expect(initials(name, username)).toBe(letters);
  });
});

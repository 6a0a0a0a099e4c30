import { expect, test } from 'vitest';
import { firstLine, mapTexts, truncate, truncateWithCount } from './text.ts';

test('cuts a text to a maximum length including its mark, and never within a character', () => {
  expect(truncate('abc', 3, '…')).toBe('abc');
  expect(truncate('abcd', 3, '…')).toBe('ab…');
  expect(truncate('ab😀d', 3)).toBe('ab');
  expect(truncate('ab😀d', 4)).toBe('ab😀');
  expect(truncate('abc', 0)).toBe('');
  expect(truncateWithCount('abc', 3)).toBe('abc');
  expect(truncateWithCount('ab😀d', 3)).toBe('ab… (3 more characters)');
});

test('removes control characters from the first line', () => {
  expect(firstLine('\n  \u0000Bad\u0085 token\u007f \r\nat line 3')).toBe('Bad token');
  expect(firstLine(' \n ')).toBe('');
});

test('changes every text in a value, including property names, and nothing else', () => {
  const value = { a: ['b', 1, null, { c: 'd' }], left: undefined };
  expect(mapTexts(value, (text) => text.toUpperCase())).toEqual({ A: ['B', 1, null, { C: 'D' }] });
});

import { expect, test } from 'vitest';
import { beginningOf, cutTo, firstLine, mapTexts } from './text.ts';

test('cuts a text to a maximum length including its mark, and never within a character', () => {
  expect(cutTo('abc', 3, '…')).toBe('abc');
  expect(cutTo('abcd', 3, '…')).toBe('ab…');
  expect(cutTo('ab😀d', 3)).toBe('ab');
  expect(cutTo('ab😀d', 4)).toBe('ab😀');
  expect(cutTo('abc', 0)).toBe('');
  expect(beginningOf('abc', 3)).toBe('abc');
  expect(beginningOf('ab😀d', 3)).toBe('ab… (3 more characters)');
});

test('removes control characters from the first line', () => {
  expect(firstLine('\n  \u0000Bad\u0085 token\u007f \r\nat line 3')).toBe('Bad token');
  expect(firstLine(' \n ')).toBe('');
});

test('changes every text in a value, including property names, and nothing else', () => {
  const value = { a: ['b', 1, null, { c: 'd' }], left: undefined };
  expect(mapTexts(value, (text) => text.toUpperCase())).toEqual({ A: ['B', 1, null, { C: 'D' }] });
});

import { expect, test } from 'vitest';
import { normalizeText } from './clean.ts';
import { normalized } from './normalized.ts';

/** Combining marks below and above the letter in turn, so that normalizing has to sort them. */
const MARKS = '\u0316\u0301';

test('normalizes like the language, with marks in order', () => {
  expect(normalized('e\u0301\u0316', 'NFC')).toBe('e\u0301\u0316'.normalize('NFC'));
  expect(normalized('\uff21\ufb01', 'NFKC')).toBe('Afi');
});

test('cuts a run of marks, and keeps the text after it', () => {
  const text = `a${MARKS.repeat(1_000)}b`;
  expect(normalized(text, 'NFKD')).toBe(`a${MARKS.repeat(15)}b`.normalize('NFKD'));
});

test('a megabyte of marks takes seconds, not minutes', { timeout: 5_000 }, () => {
  expect(normalizeText('', `a${MARKS.repeat(500_000)}`).length).toBeLessThan(40);
});

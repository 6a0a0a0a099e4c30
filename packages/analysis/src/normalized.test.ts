import { expect, test } from 'vitest';
import { normalizeText } from './clean.ts';
import { normalized } from './normalized.ts';

/** Combining marks alternately below and above the letter. Normalization has to sort them. */
const MARKS = '\u0316\u0301';

test('returns the same as `String.normalize` if there are few marks', () => {
  expect(normalized('e\u0301\u0316', 'NFC')).toBe('e\u0301\u0316'.normalize('NFC'));
  expect(normalized('\uff21\ufb01', 'NFKC')).toBe('Afi');
});

test('shortens a run of marks, and preserves the text after it', () => {
  const text = `a${MARKS.repeat(1_000)}b`;
  expect(normalized(text, 'NFKD')).toBe(`a${MARKS.repeat(15)}b`.normalize('NFKD'));
});

test('a megabyte of marks is normalized within seconds', { timeout: 5_000 }, () => {
  expect(normalizeText('', `a${MARKS.repeat(500_000)}`).length).toBeLessThan(40);
});

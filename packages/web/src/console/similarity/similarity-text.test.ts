import { PAIRS_COUNTED } from '@winnow/contract/duplicate';
import { expect, test } from 'vitest';
import { countText, pairsText, shareText, similarityText } from './similarity-text.ts';

test('a similarity has two decimals, a share none', () => {
  expect(similarityText(1)).toBe('100.00%');
  expect(similarityText(0.94123)).toBe('94.12%');
  expect(shareText(0.855)).toBe('86%');
});

test('a total that the server stopped counting at is not given as exact', () => {
  expect(pairsText(218)).toBe('218');
  expect(pairsText(PAIRS_COUNTED)).toBe(countText(PAIRS_COUNTED));
  expect(pairsText(PAIRS_COUNTED + 1)).toBe(`${countText(PAIRS_COUNTED)}+`);
});

import { expect, test } from 'vitest';
import { shareText, similarityText } from './pair-texts.ts';

test('formats a similarity with two decimals and a share without decimals', () => {
  expect(similarityText(1)).toBe('100.00%');
  expect(similarityText(0.94123)).toBe('94.12%');
  expect(shareText(0.855)).toBe('86%');
});

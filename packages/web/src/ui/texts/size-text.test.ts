import { expect, test } from 'vitest';
import { sizeText } from './size-text.ts';

test('a size uses the largest fitting unit', () => {
  expect([0, 812, 14_200, 999_600, 1_240_000, 31_000_000, 2e9].map(sizeText)).toEqual([
    '0 bytes',
    '812 bytes',
    '14 kB',
    '1.0 MB',
    '1.2 MB',
    '31 MB',
    '2.0 GB',
  ]);
});

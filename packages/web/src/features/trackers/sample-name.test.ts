import { expect, test } from 'vitest';
import { freeSampleName } from './sample-name.ts';

test('a taken name, in whatever letter case, is not offered again', () => {
  expect(freeSampleName(['sample BACKLOG'])).toBe('Sample backlog 2');
  expect(freeSampleName(['Sample backlog 2', 'Sample backlog'])).toBe('Sample backlog 3');
});

test('the first sample has the plain name, and gaps are filled', () => {
  expect(freeSampleName([])).toBe('Sample backlog');
  expect(freeSampleName(['Sample backlog', 'Sample backlog 3'])).toBe('Sample backlog 2');
});

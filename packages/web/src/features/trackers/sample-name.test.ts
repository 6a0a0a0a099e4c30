import { expect, test } from 'vitest';
import { freeSampleName } from './sample-name.ts';

test('skips taken names, ignoring letter case', () => {
  expect(freeSampleName(['sample BACKLOG'])).toBe('Sample backlog 2');
  expect(freeSampleName(['Sample backlog 2', 'Sample backlog'])).toBe('Sample backlog 3');
});

test('uses the plain name first, and fills gaps', () => {
  expect(freeSampleName([])).toBe('Sample backlog');
  expect(freeSampleName(['Sample backlog', 'Sample backlog 3'])).toBe('Sample backlog 2');
});

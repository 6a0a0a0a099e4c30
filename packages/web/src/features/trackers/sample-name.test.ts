import { expect, test } from 'vitest';
import { freeSampleName } from './sample-name.ts';

test('does not return a taken name, ignoring letter case', () => {
  expect(freeSampleName(['sample BACKLOG'])).toBe('Sample backlog 2');
  expect(freeSampleName(['Sample backlog 2', 'Sample backlog'])).toBe('Sample backlog 3');
});

test('prefers the name without a number, then the lowest free number', () => {
  expect(freeSampleName([])).toBe('Sample backlog');
  expect(freeSampleName(['Sample backlog', 'Sample backlog 3'])).toBe('Sample backlog 2');
});

import { expect, test } from 'vitest';
import { passwordProblems } from './password-problems.ts';

test('accepts a long enough password with a matching confirmation', () => {
  expect(passwordProblems({ current: 'old', wanted: 'long enough', confirmed: 'long enough' })).toEqual({});
});

test('returns a problem for each invalid field', () => {
  expect(passwordProblems({ current: '', wanted: 'short', confirmed: 'shirt' })).toEqual({
    current: 'Enter your current password.',
    wanted: 'New password must be at least 8 characters.',
    confirmed: 'New passwords do not match.',
  });
});

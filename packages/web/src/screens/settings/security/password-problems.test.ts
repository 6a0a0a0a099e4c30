import { expect, test } from 'vitest';
import { passwordProblems } from './password-problems.ts';

test('a new password that is long enough and typed twice alike can be sent', () => {
  expect(passwordProblems({ current: 'old', wanted: 'long enough', confirmed: 'long enough' })).toEqual({});
});

test('each field says what is wrong with it', () => {
  expect(passwordProblems({ current: '', wanted: 'short', confirmed: 'shirt' })).toEqual({
    current: 'Enter your current password.',
    wanted: 'New password must be at least 8 characters.',
    confirmed: 'New passwords do not match.',
  });
});

import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../api/session/api-error.ts';
import { failureOf, newPasswordTwice } from './new-password.ts';

/** The first problem, which is the one that a form shows. */
function problemOf(new_password: string, confirmation: string) {
  const parsed = newPasswordTwice.safeParse({ new_password, confirmation });
  return parsed.error?.issues.map(({ path, message }) => [path[0], message])[0];
}

describe('a new password', () => {
  test('that is entered differently the second time does not hold', () => {
    expect(problemOf('a long secret', 'a long secreT')).toEqual(['confirmation', 'Passwords do not match.']);
  });

  test('must be entered twice', () => {
    expect(problemOf('a long secret', '')).toEqual(['confirmation', 'Enter the new password again.']);
  });

  test('is as long as any other', () => {
    expect(problemOf('seven77', 'seven77')).toEqual([
      'new_password',
      'Password must be at least 8 characters long.',
    ]);
  });

  test('that is twice the same holds, spaces included', () => {
    expect(problemOf(' a long secret ', ' a long secret ')).toBeUndefined();
  });
});

describe('a reset that failed', () => {
  const answer = (status: number, fields: { path: string; message: string }[] = []) =>
    new ApiError({ status, code: 'x', detail: 'As the server said.', fields });

  test.each([400, 404, 410, 422])('because the server refused it (%i) blames the token', (status) => {
    expect(failureOf(answer(status))).toEqual({ title: 'Invalid or expired reset token.' });
  });

  test('because of the password does not blame the token', () => {
    const failure = failureOf(answer(422, [{ path: 'new_password', message: 'Too short.' }]));
    expect(failure).toEqual({ title: 'Your password was not changed.' });
  });

  test.each([0, 500])('without an answer about it (%i) does not blame the token', (status) => {
    expect(failureOf(answer(status))).toEqual({ title: 'As the server said.' });
  });
});

import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../api/session/api-error.ts';
import { failureOf, newPasswordTwice } from './new-password.ts';

/**
 * Returns the field and the message of the first problem. The form shows only the first problem.
 */
function problemOf(new_password: string, confirmation: string) {
  const parsed = newPasswordTwice.safeParse({ new_password, confirmation });
  return parsed.error?.issues.map(({ path, message }) => [path[0], message])[0];
}

describe('newPasswordTwice', () => {
  test('rejects a confirmation that differs', () => {
    expect(problemOf('a long secret', 'a long secreT')).toEqual(['confirmation', 'Passwords do not match.']);
  });

  test('requires the confirmation', () => {
    expect(problemOf('a long secret', '')).toEqual(['confirmation', 'Enter the new password again.']);
  });

  test('rejects a password that is too short', () => {
    expect(problemOf('seven77', 'seven77')).toEqual([
      'new_password',
      'Password must be at least 8 characters long.',
    ]);
  });

  test('accepts a matching confirmation, including leading and trailing spaces', () => {
    expect(problemOf(' a long secret ', ' a long secret ')).toBeUndefined();
  });
});

describe('failureOf', () => {
  const errorWith = (status: number, fields: { path: string; message: string }[] = []) =>
    new ApiError({ status, code: 'x', detail: 'As the server said.', fields });

  test.each([400, 404, 410, 422])('blames the token when the server rejects the request (%i)', (status) => {
    expect(failureOf(errorWith(status))).toEqual({ title: 'Invalid or expired reset token.' });
  });

  test('does not blame the token for an error about the password', () => {
    const failure = failureOf(errorWith(422, [{ path: 'new_password', message: 'Too short.' }]));
    expect(failure).toEqual({ title: 'Your password was not changed.' });
  });

  test.each([0, 500])('does not blame the token for a server failure (%i)', (status) => {
    expect(failureOf(errorWith(status))).toEqual({ title: 'As the server said.' });
  });
});

import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../api/session/api-error.ts';
import { failureOf } from './failure.ts';

const refusal = (status: number) => new ApiError({ status, code: 'refused', detail: 'As the server said.' });

describe('failureOf', () => {
  test.each([400, 401, 422])('does not reveal whether username or password was wrong (%i)', (status) => {
    expect(failureOf(refusal(status))).toEqual({ title: 'Invalid username or password' });
  });

  test.each([0, 500, 503])('does not blame the password for a server failure (%i)', (status) => {
    expect(failureOf(refusal(status))).toEqual({ title: 'As the server said.' });
  });

  test('distinguishes a wrong code from a wrong password', () => {
    const error = new ApiError({ status: 401, code: 'wrong_code', detail: 'This code is wrong.' });
    expect(failureOf(error)).toEqual({ title: 'This code is wrong.' });
  });

  test('reports an error without a response', () => {
    expect(failureOf(new TypeError('Failed to fetch')).title).toBe('An unknown error occurred.');
  });
});

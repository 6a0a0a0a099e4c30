import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../api/session/api-error.ts';
import { failureOf } from './failure.ts';

const refusal = (status: number) => new ApiError({ status, code: 'refused', detail: 'As the server said.' });

describe('a refused sign-in', () => {
  test.each([400, 401, 422])('(%i) does not tell which of the two was wrong', (status) => {
    expect(failureOf(refusal(status))).toEqual({ title: 'Invalid username or password' });
  });

  test.each([0, 500, 503])('that was no answer to the password (%i) does not blame it', (status) => {
    expect(failureOf(refusal(status))).toEqual({ title: 'As the server said.' });
  });

  test('by a page that could not load its code is said, too', () => {
    expect(failureOf(new TypeError('Failed to fetch')).title).toBe('An unknown error occurred.');
  });
});

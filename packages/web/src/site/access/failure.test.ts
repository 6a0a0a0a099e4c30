import { describe, expect, test } from 'vitest';
import { ApiError } from '../../api/session/api-error.ts';
import { isRefusal, reportableSentenceOf } from './failure.ts';

function errorWith(status: number, requestId: string | null = null) {
  return new ApiError({ status, code: 'x', detail: 'As the server said.', requestId });
}

describe('isRefusal', () => {
  test.each([0, 429, 500, 503])('returns false for status %i, which may succeed later', (status) => {
    expect(isRefusal(errorWith(status))).toBe(false);
  });

  test.each([400, 401, 404, 409, 422])('returns true for status %i, which will fail again', (status) => {
    expect(isRefusal(errorWith(status))).toBe(true);
  });

  test('returns false for an error without a response', () => {
    expect(isRefusal(new TypeError('Failed to fetch'))).toBe(false);
  });
});

describe('reportableSentenceOf', () => {
  test('appends the request id to server errors only', () => {
    expect(reportableSentenceOf(errorWith(500, 'r-1'))).toBe('As the server said. Reference: r-1');
    expect(reportableSentenceOf(errorWith(500))).toBe('As the server said.');
    expect(reportableSentenceOf(errorWith(409, 'r-1'))).toBe('As the server said.');
  });
});

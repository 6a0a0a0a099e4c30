import { describe, expect, test } from 'vitest';
import { ApiError } from '../../api/session/api-error.ts';
import { isRefusal, reportableSentenceOf } from './failure.ts';

function answer(status: number, requestId: string | null = null) {
  return new ApiError({ status, code: 'x', detail: 'As the server said.', requestId });
}

describe('a failed call', () => {
  test.each([0, 429, 500, 503])('(%i) that may work later is no refusal', (status) => {
    expect(isRefusal(answer(status))).toBe(false);
  });

  test.each([400, 401, 404, 409, 422])('(%i) that will not work later is one', (status) => {
    expect(isRefusal(answer(status))).toBe(true);
  });

  test('that is no answer is none', () => {
    expect(isRefusal(new TypeError('Failed to fetch'))).toBe(false);
  });

  test('is told with the id to report it by, when it is the fault of the server', () => {
    expect(reportableSentenceOf(answer(500, 'r-1'))).toBe('As the server said. Request id: r-1');
    expect(reportableSentenceOf(answer(500))).toBe('As the server said.');
    expect(reportableSentenceOf(answer(409, 'r-1'))).toBe('As the server said.');
  });
});

import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../api/session/api-error.ts';
import { failureOf } from './failure.ts';

const FAILED = 'Failed to complete onboarding.';

describe('an invitation that was not completed', () => {
  test('is told in the words of the server', () => {
    const detail = 'Invalid or expired onboarding link.';
    expect(failureOf(new ApiError({ status: 400, code: 'invalid', detail }))).toEqual({ title: detail });
  });

  test('because of its link says how one gets another', () => {
    const detail = 'Invalid or expired onboarding link.';
    const error = new ApiError({ status: 400, code: 'invalid_onboarding_link', detail });
    expect(failureOf(error)).toEqual({
      title: detail,
      detail: 'Request a new one below: it is mailed to this address.',
    });
  });

  test('without an answer says what failed, and why', () => {
    const error = new ApiError({ status: 0, code: 'unreachable', detail: 'No answer.' });
    expect(failureOf(error)).toEqual({ title: FAILED, detail: 'No answer.' });
  });

  test('says once, at the field, what is wrong with a field', () => {
    const fields = [{ path: 'username', message: 'This username is taken.' }];
    const error = new ApiError({ status: 409, code: 'taken', detail: 'This username is taken.', fields });
    expect(failureOf(error)).toEqual({ title: FAILED });
  });

  test('says no more than that about what is no answer', () => {
    expect(failureOf(new TypeError('Failed to fetch'))).toEqual({ title: FAILED });
  });
});

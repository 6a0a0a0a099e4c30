import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../api/session/api-error.ts';
import { failureOf } from './failure.ts';

const FAILED = 'Failed to complete onboarding.';

describe('failureOf', () => {
  test('returns the sentence of the server', () => {
    const detail = 'Invalid or expired onboarding link.';
    expect(failureOf(new ApiError({ status: 400, code: 'invalid', detail }))).toEqual({ title: detail });
  });

  test('explains how to get another link when the link is invalid', () => {
    const detail = 'Invalid or expired onboarding link.';
    const error = new ApiError({ status: 400, code: 'invalid_onboarding_link', detail });
    expect(failureOf(error)).toEqual({
      title: detail,
      detail: 'Request a new one below. We will email it to this address.',
    });
  });

  test('names the failed action when the server is unreachable', () => {
    const error = new ApiError({ status: 0, code: 'unreachable', detail: 'No answer.' });
    expect(failureOf(error)).toEqual({ title: FAILED, detail: 'No answer.' });
  });

  test('leaves an error about a field to the field', () => {
    const fields = [{ path: 'username', message: 'This username is taken.' }];
    const error = new ApiError({ status: 409, code: 'taken', detail: 'This username is taken.', fields });
    expect(failureOf(error)).toEqual({ title: FAILED });
  });

  test('gives no details for an error without a response', () => {
    expect(failureOf(new TypeError('Failed to fetch'))).toEqual({ title: FAILED });
  });
});

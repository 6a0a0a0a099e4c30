import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../api/session/api-error.ts';
import { failureOf } from './failure.ts';

function conflict(path: string) {
  const fields = [{ path, message: 'This username is taken.' }];
  return new ApiError({ status: 409, code: 'taken', detail: 'This username is taken.', fields });
}

describe('a registration that failed', () => {
  test('says once, at the field, what is wrong with a field of the form', () => {
    expect(failureOf(conflict('username'))).toEqual({ title: 'Failed to create an account' });
  });

  test('says in the alert what has no field here', () => {
    expect(failureOf(conflict('tenant'))).toEqual({
      title: 'Failed to create an account',
      detail: 'This username is taken.',
    });
  });
});

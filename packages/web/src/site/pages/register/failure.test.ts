import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../api/session/api-error.ts';
import { failureOf } from './failure.ts';

function conflict(path: string) {
  const fields = [{ path, message: 'This username is taken.' }];
  return new ApiError({ status: 409, code: 'taken', detail: 'This username is taken.', fields });
}

describe('failureOf', () => {
  test('leaves an error about a field of the form to the field', () => {
    expect(failureOf(conflict('username'))).toEqual({ title: 'Failed to create an account' });
  });

  test('reports an error about any other field in the alert', () => {
    expect(failureOf(conflict('tenant'))).toEqual({
      title: 'Failed to create an account',
      detail: 'This username is taken.',
    });
  });
});

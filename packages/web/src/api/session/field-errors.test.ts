import { describe, expect, test } from 'vitest';
import { waitText } from '../../site/access/wait-text.ts';
import { ApiError } from './api-error.ts';
import { fieldErrorsOf } from './field-errors.ts';

const FIELDS = ['username', 'email'] as const;

describe('field errors', () => {
  test('are empty for an error that is not from the server', () => {
    expect(fieldErrorsOf(new Error('no'), FIELDS)).toEqual({});
    expect(fieldErrorsOf(null, FIELDS)).toEqual({});
  });

  test('include only fields of the form, with the first message of each', () => {
    const fields = [
      { path: 'username', message: 'Taken.' },
      { path: 'username', message: 'Too short.' },
      { path: 'tenant', message: 'Unknown.' },
    ];
    const error = new ApiError({ status: 409, code: 'taken', detail: 'No.', fields });
    expect(fieldErrorsOf(error, FIELDS)).toEqual({ username: 'Taken.' });
  });
});

describe('a waiting time', () => {
  test.each([
    [1, '1 second'],
    [119, '119 seconds'],
    [121, '3 minutes'],
    [900, '15 minutes'],
  ])('formats %i s as %s', (seconds, text) => {
    expect(waitText(seconds)).toBe(text);
  });
});

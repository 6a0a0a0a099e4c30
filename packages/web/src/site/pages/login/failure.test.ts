import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../api/session/api-error.ts';
import { failureOf, missingFactorOf, withField } from './failure.ts';

const refusal = (status: number) => new ApiError({ status, code: 'refused', detail: 'As the server said.' });

describe('failureOf', () => {
  test.each([400, 401, 422])('does not reveal whether username or password was wrong (%i)', (status) => {
    expect(failureOf(refusal(status))).toEqual({ title: 'Invalid username or password' });
  });

  test.each([0, 500, 503])('does not blame the password for a server failure (%i)', (status) => {
    expect(failureOf(refusal(status))).toEqual({ title: 'As the server said.' });
  });

  test('tells a refused passkey from a wrong password', () => {
    const error = new ApiError({ status: 401, code: 'wrong_passkey', detail: 'Not accepted.' });
    expect(failureOf(error)).toEqual({ title: 'Not accepted.' });
  });

  test('tells a wrong code from a wrong password', () => {
    const error = new ApiError({ status: 401, code: 'wrong_code', detail: 'This code is wrong.' });
    expect(failureOf(error)).toEqual({ title: 'This code is wrong.' });
  });

  test('reports an error without a response', () => {
    expect(failureOf(new TypeError('Failed to fetch')).title).toBe('An unknown error occurred.');
  });
});

describe('missingFactorOf', () => {
  test.each([
    ['second_factor_required', 'code'],
    ['passkey_required', 'passkey'],
    ['unauthorized', null],
  ])('reads %s as %s', (code, missing) => {
    expect(missingFactorOf(new ApiError({ status: 401, code, detail: '' }))).toBe(missing);
  });
});

test('a wrong code belongs to its field, and any other error to none', () => {
  const wrong = withField(new ApiError({ status: 401, code: 'wrong_code', detail: 'Wrong.' }));
  expect(wrong).toMatchObject({ fields: [{ path: 'code', message: 'Wrong.' }] });
  expect(withField(refusal(401))).toMatchObject({ fields: [] });
});

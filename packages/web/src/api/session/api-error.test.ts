import { expect, test } from 'vitest';
import { ApiError, unlessGone } from './api-error.ts';

const failedWith = (status: number, code: string) => new ApiError({ status, code, detail: 'No.' });

test('ignores that a deleted resource was already gone, and throws any other error', () => {
  expect(() => unlessGone(failedWith(404, 'not_found'))).not.toThrow();
  for (const error of [failedWith(409, 'tracker_busy'), failedWith(0, 'unreachable'), new Error('No.')]) {
    expect(() => unlessGone(error)).toThrow(error);
  }
});

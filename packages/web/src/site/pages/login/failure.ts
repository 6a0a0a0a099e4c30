import { ApiError } from '../../../api/session/api-error.ts';
import { type Failure, reportableSentenceOf } from '../../access/failure.ts';

/** True if the password was correct and the server asks for a code of the authenticator app. */
export function isCodeMissing(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'second_factor_required';
}

/** Describes a failed sign-in without revealing whether username or password was wrong. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError && error.code === 'wrong_code') return { title: error.message };
  const credentials = error instanceof ApiError && [400, 401, 422].includes(error.status);
  return { title: credentials ? 'Invalid username or password' : reportableSentenceOf(error) };
}

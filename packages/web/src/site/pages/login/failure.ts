import { ApiError } from '../../../api/session/api-error.ts';
import { type Failure, reportableSentenceOf } from '../../access/failure.ts';

/** Describes a failed sign-in without revealing whether username or password was wrong. */
export function failureOf(error: unknown): Failure {
  const credentials = error instanceof ApiError && [400, 401, 422].includes(error.status);
  return { title: credentials ? 'Invalid username or password' : reportableSentenceOf(error) };
}

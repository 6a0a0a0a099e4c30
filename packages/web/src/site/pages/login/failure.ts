import { ApiError } from '../../../api/session/api-error.ts';
import { type Failure, reportableSentenceOf } from '../../access/failure.ts';

/** A second factor that the server asks for, because the password was right. */
export type AskedFactor = 'code' | 'passkey';

/** Codes of errors whose sentence tells the user what to do. Each requires the right password. */
const EXPLAINED: ReadonlySet<string> = new Set([
  'wrong_code',
  'wrong_passkey',
  'passkey_copied',
  'password_required',
]);

/**
 * Returns the second factor that is missing; null for any other error. A passkey is asked for if
 * the user has no authenticator app.
 */
export function missingFactorOf(error: unknown): AskedFactor | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'passkey_required') return 'passkey';
  return error.code === 'second_factor_required' ? 'code' : null;
}

/** Attaches a wrong code to its field, which then has the focus and the error. */
export function withField(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'wrong_code') return error;
  const fields = [{ path: 'code', message: error.detail }];
  return new ApiError({ status: error.status, code: error.code, detail: error.detail, fields });
}

/** True for an error that is shown at its field instead of above the button. */
export function isAtField(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'wrong_code';
}

/** Describes a failed sign-in without revealing whether username or password was wrong. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError && EXPLAINED.has(error.code)) return { title: error.message };
  const credentials = error instanceof ApiError && [400, 401, 422].includes(error.status);
  return { title: credentials ? 'Invalid username or password' : reportableSentenceOf(error) };
}

import { type AppError, conflict } from '../platform/errors.ts';
import { violates } from '../schema/violations.ts';

/**
 * Returns an error with status 409 for a taken username or email address; null for any other error.
 */
export function nameConflict(error: unknown): AppError | null {
  if (violates(error, 'app_user_username')) {
    const message = 'This username is taken.';
    return conflict('username_taken', message, [{ path: 'username', message }]);
  }
  return violates(error, 'app_user_email') ? emailTaken() : null;
}

function emailTaken(): AppError {
  const message = 'This email address already has an account.';
  return conflict('email_taken', message, [{ path: 'email', message }]);
}

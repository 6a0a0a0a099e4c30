import { type AppError, conflict } from '../platform/errors.ts';
import { violates } from '../schema/violations.ts';

/** The 409 for a taken username or e-mail address; null for any other error. */
export function takenName(error: unknown): AppError | null {
  if (violates(error, 'app_user_username')) {
    const message = 'This username is taken.';
    return conflict('username_taken', message, [{ path: 'username', message }]);
  }
  if (violates(error, 'app_user_email')) {
    const message = 'This e-mail address already has an account.';
    return conflict('email_taken', message, [{ path: 'email', message }]);
  }
  return null;
}

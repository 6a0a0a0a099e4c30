import { currentUser } from '@winnow/contract/account';
import { ApiError } from '../../app/session/api-error.ts';
import { api, loseSession } from '../../app/session/session.ts';

/** Asks the server who is signed in; false when nobody is. What it refuses is ended, a server that is away ends nothing. */
export async function confirmSession(): Promise<boolean> {
  try {
    await api('GET', '/auth/users/me', { schema: currentUser });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500 && error.status !== 0) loseSession();
    return false;
  }
}

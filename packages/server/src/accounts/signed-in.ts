import { unauthorized } from '../platform/errors.ts';
import type { UserPrincipal } from '../platform/http/auth.ts';
import type { Db } from '../schema/tables.ts';
import { isSessionOpen } from './session-store.ts';

/** A signed-in person who asks for something. */
export type SignedIn = Pick<UserPrincipal, 'accountId' | 'sessionId'>;

/**
 * To be asked once the account's row is locked, before something is written that acts by itself. Whoever takes an account out
 * of a stranger's hands locks that row too, turns off what acts by itself, and ends the sessions: a request of the stranger
 * that waited meanwhile gets 401 here.
 */
export async function expectSignedIn(transaction: Db, { accountId, sessionId }: SignedIn): Promise<void> {
  if (!(await isSessionOpen(transaction, accountId, sessionId))) throw unauthorized();
}

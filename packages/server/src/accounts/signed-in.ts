import { unauthorized } from '../platform/errors.ts';
import type { UserPrincipal } from '../platform/http/auth.ts';
import type { Db } from '../schema/tables.ts';
import { isSessionOpen } from './session-store.ts';

/** A signed-in user who makes a request. */
export type SignedIn = Pick<UserPrincipal, 'accountId' | 'sessionId'>;

/**
 * Throws `unauthorized` if the session has ended. Call it with the account's row locked, before
 * storing anything that runs without the user, such as a flow. A password reset locks the same row,
 * stops automation and ends sessions. A thief's request that waits for the lock therefore fails
 * here.
 */
export async function expectSignedIn(transaction: Db, { accountId, sessionId }: SignedIn): Promise<void> {
  if (!(await isSessionOpen(transaction, accountId, sessionId))) throw unauthorized();
}

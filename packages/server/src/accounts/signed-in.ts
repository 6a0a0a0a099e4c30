import { mayAs, type Permission } from '@winnow/contract/role';
import { forbidden, unauthorized } from '../platform/errors.ts';
import { notAMember, roleNeeded, secondFactorMissing, type UserPrincipal } from '../platform/http/auth.ts';
import type { Db } from '../schema/tables.ts';
import { findSessionIn, lockHomeForShare } from './session-store.ts';

/** A signed-in user who makes a request about a workspace. */
export type SignedIn = Pick<UserPrincipal, 'accountId' | 'userId' | 'homeId' | 'sessionId'>;

/**
 * Throws `unauthorized` if the session has ended, `forbidden` if the membership has
 * ended or its role lacks the permission. Call it with
 * the workspace's row locked, before storing anything that runs without the user, such as a flow. A
 * password reset locks the row of the user's own account, stops automation and ends sessions. A
 * thief's request that waits for the lock therefore fails here.
 */
export async function expectSignedIn(
  transaction: Db,
  { accountId, homeId, sessionId }: SignedIn,
  permission: Permission = 'manage',
): Promise<void> {
  if (homeId !== accountId) await lockHomeForShare(transaction, homeId);
  const session = await findSessionIn(transaction, { homeId, sessionId, accountId });
  if (session === undefined) throw unauthorized();
  if (session.role === null) throw notAMember();
  if (session.lacksFactor) throw secondFactorMissing();
  if (!mayAs(session.role, permission)) {
    throw forbidden(roleNeeded({ kind: 'user', role: session.role }, permission), 'role_required');
  }
}

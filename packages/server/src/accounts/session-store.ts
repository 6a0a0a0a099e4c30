import type { Role } from '@winnow/contract/role';
import { type Selectable, sql } from 'kysely';
import { deleteInBatches } from '../platform/batched-delete.ts';
import { prepared } from '../platform/database.ts';
import type { SessionTable } from '../schema/account-tables.ts';
import type { Db } from '../schema/tables.ts';

export type SessionRow = Selectable<SessionTable>;

/** Stores a session with its first refresh token. */
export async function insertSession(
  db: Db,
  session: Pick<SessionRow, 'account_id' | 'id' | 'user_id' | 'created_at' | 'last_used_at'> &
    Partial<Pick<SessionRow, 'address' | 'user_agent'>>,
  token: { token_hash: Buffer; expires_at: Date },
): Promise<void> {
  await db
    .with('opened', (query) => query.insertInto('session').values(session))
    .insertInto('refresh_token')
    .values({ ...token, account_id: session.account_id, session_id: session.id })
    .execute();
}

/**
 * Finds an open session, with the role of its user in a workspace. The role is null if the user is
 * not a member. `lacksFactor` is true if the workspace requires a second factor and the user has
 * none. Returns undefined if the session was revoked or its user deleted.
 */
export async function findSessionIn(
  db: Db,
  { homeId, sessionId, accountId }: { homeId: string; sessionId: string; accountId: string },
): Promise<{ role: Role | null; lacksFactor: boolean } | undefined> {
  const { rows } = await sql<{ role: Role | null; lacksFactor: boolean }>`
    ${prepared} select member.role,
      coalesce(account.require_second_factor, false) and not exists (
        select from authenticator
        where authenticator.account_id = session.account_id and authenticator.user_id = session.user_id
          and authenticator.added_at is not null
      ) and not exists (
        select from passkey
        where passkey.account_id = session.account_id and passkey.user_id = session.user_id
      ) as "lacksFactor"
    from session
      left join (member join account on account.id = member.account_id and account.leaving_at is null)
        on member.account_id = ${accountId} and member.user_id = session.user_id
    where session.account_id = ${homeId} and session.id = ${sessionId} and session.revoked_at is null
  `.execute(db);
  return rows[0];
}

/** Waits for a password reset of the user, and keeps the next one waiting. */
export async function lockHomeForShare(db: Db, homeId: string): Promise<void> {
  await db.selectFrom('account').select('id').where('id', '=', homeId).forShare().execute();
}

/** Lists the open sessions of a user that can still be renewed, most recently used first. */
export async function listOpenSessions(
  db: Db,
  { accountId, userId }: { accountId: string; userId: string },
  { startedAfter, now }: { startedAfter: Date; now: Date },
): Promise<SessionRow[]> {
  return db
    .selectFrom('session')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('created_at', '>', startedAfter)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('refresh_token as token')
          .select('token.session_id')
          .whereRef('token.account_id', '=', 'session.account_id')
          .whereRef('token.session_id', '=', 'session.id')
          .where('token.expires_at', '>', now),
      ),
    )
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Stores the latest use of a session. */
export async function noteSessionUse(
  db: Db,
  { account_id, id }: Pick<SessionRow, 'account_id' | 'id'>,
  use: Partial<Pick<SessionRow, 'address' | 'user_agent'>> & Pick<SessionRow, 'last_used_at'>,
): Promise<void> {
  await db
    .updateTable('session')
    .set(use)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

/** Deletes sessions of all accounts that began before an instant. */
export function removeSessionsBefore(db: Db, before: Date): Promise<void> {
  return deleteInBatches(db, 'session', sql<boolean>`created_at < ${before}`);
}

/** Selects one session, or all sessions of a user except `except`. */
export type SessionSelector =
  | { id: string; userId?: string | undefined }
  | { userId: string; except?: string | undefined };

/** Revokes sessions. Returns the ids of those that were open. */
export async function revokeSessions(
  db: Db,
  accountId: string,
  which: SessionSelector,
  now: Date,
): Promise<string[]> {
  const ofAccount = db
    .updateTable('session')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .returning('id');
  const chosen =
    'id' in which
      ? ofAccount
          .where('id', '=', which.id)
          .$if(which.userId !== undefined, (query) => query.where('user_id', '=', which.userId ?? ''))
      : ofAccount
          .where('user_id', '=', which.userId)
          .$if(which.except !== undefined, (query) => query.where('id', '<>', which.except ?? ''));
  return (await chosen.execute()).map(({ id }) => id);
}

export async function insertRefreshToken(
  db: Db,
  token: { token_hash: Buffer; account_id: string; session_id: string; expires_at: Date },
): Promise<void> {
  await db
    .insertInto('refresh_token')
    .values(token)
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .execute();
}

export interface RefreshTokenRow {
  account_id: string;
  session_id: string;
  expires_at: Date;
  spent_at: Date | null;
  user_id: string;
  session_created_at: Date;
  revoked_at: Date | null;
}

/**
 * Reads a refresh token with its session and locks both for this transaction. The session is locked
 * first, as in account deletion, to avoid a deadlock.
 */
export async function lockRefreshToken(db: Db, tokenHash: Buffer): Promise<RefreshTokenRow | undefined> {
  const session = await db
    .selectFrom('session')
    .select(['user_id', 'revoked_at', 'created_at as session_created_at'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('refresh_token as token')
          .select('token.session_id')
          .whereRef('token.account_id', '=', 'session.account_id')
          .whereRef('token.session_id', '=', 'session.id')
          .where('token.token_hash', '=', tokenHash),
      ),
    )
    .forUpdate()
    .executeTakeFirst();
  if (session === undefined) return undefined;
  const token = await db
    .selectFrom('refresh_token')
    .select(['account_id', 'session_id', 'expires_at', 'spent_at'])
    .where('token_hash', '=', tokenHash)
    .forUpdate()
    .executeTakeFirst();
  return token && { ...token, ...session };
}

export async function spendRefreshToken(db: Db, tokenHash: Buffer, now: Date): Promise<void> {
  await db.updateTable('refresh_token').set({ spent_at: now }).where('token_hash', '=', tokenHash).execute();
}

/** Deletes expired refresh tokens. */
export async function deleteExpiredRefreshTokens(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('refresh_token').where('expires_at', '<', now).execute();
}

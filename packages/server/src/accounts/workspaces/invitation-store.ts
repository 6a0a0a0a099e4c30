import { type Insertable, type Selectable, sql } from 'kysely';
import type { InvitationTable } from '../../schema/account-tables.ts';
import type { Db } from '../../schema/tables.ts';

export type InvitationRow = Selectable<InvitationTable>;

/** Lists the open invitations of a workspace with the inviter's name, newest first. */
export function listInvitations(
  db: Db,
  accountId: string,
  now: Date,
): Promise<(InvitationRow & { inviter: string | null })[]> {
  return db
    .selectFrom('invitation')
    .leftJoin('app_user', 'app_user.id', 'invitation.invited_by')
    .selectAll('invitation')
    .select(INVITER.as('inviter'))
    .where('invitation.account_id', '=', accountId)
    .where(isOpen(now))
    .orderBy('invitation.created_at', 'desc')
    .orderBy('invitation.id')
    .execute();
}

const INVITER = sql<string | null>`coalesce(nullif(app_user.full_name, ''), app_user.username)`;

function isOpen(now: Date) {
  return sql<boolean>`coalesce(invitation.expires_at > ${now}, true) and coalesce(invitation.uses_left > 0, true)`;
}

export async function countInvitations(db: Db, accountId: string): Promise<number> {
  const { open } = await db
    .selectFrom('invitation')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return open;
}

/** Stores an invitation. It replaces an earlier one to the same address or domain. */
export async function insertInvitation(
  db: Db,
  invitation: Insertable<InvitationTable>,
): Promise<InvitationRow> {
  const { account_id, email = null, domain = null } = invitation;
  await db
    .deleteFrom('invitation')
    .where('account_id', '=', account_id)
    .where(({ or }) =>
      or([sql<boolean>`lower(email) = lower(${email}::text)`, sql<boolean>`domain = ${domain}::text`]),
    )
    .execute();
  return db.insertInto('invitation').values(invitation).returningAll().executeTakeFirstOrThrow();
}

/** Deletes an invitation and returns it; undefined if the workspace has none with this id. */
export function deleteInvitation(db: Db, accountId: string, id: string): Promise<InvitationRow | undefined> {
  return db
    .deleteFrom('invitation')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Deletes the invitations to an address, ignoring case. */
export async function deleteInvitationsTo(db: Db, accountId: string, email: string): Promise<void> {
  await db
    .deleteFrom('invitation')
    .where('account_id', '=', accountId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .execute();
}

/** Deletes the invitations that a member created. */
export async function deleteInvitationsBy(db: Db, accountId: string, userId: string): Promise<void> {
  await db
    .deleteFrom('invitation')
    .where('account_id', '=', accountId)
    .where('invited_by', '=', userId)
    .execute();
}

/** An open invitation, with the inviter's name and the workspace's rules for the inviter's role. */
export type FoundInvitation = InvitationRow & { inviter: string | null };

/**
 * Finds an open invitation by its token. It is not found unless its inviter is an admin or an owner
 * of the workspace.
 */
export function findInvitation(db: Db, tokenHash: Buffer, now: Date): Promise<FoundInvitation | undefined> {
  return ofInviters(db, now).where('invitation.token_hash', '=', tokenHash).executeTakeFirst();
}

function ofInviters(db: Db, now: Date) {
  return db
    .selectFrom('invitation')
    .innerJoin('account', 'account.id', 'invitation.account_id')
    .innerJoin('member', (join) =>
      join
        .onRef('member.account_id', '=', 'invitation.account_id')
        .onRef('member.user_id', '=', 'invitation.invited_by')
        .on('member.role', 'in', ['admin', 'owner']),
    )
    .innerJoin('app_user', 'app_user.id', 'member.user_id')
    .selectAll('invitation')
    .select(INVITER.as('inviter'))
    .where('account.leaving_at', 'is', null)
    .where(isOpen(now));
}

/**
 * Lists the invitations for the domain of an address to workspaces that the user is not a member of
 * and was not removed from.
 */
export function findDomainInvitations(
  db: Db,
  { userId, domain, now }: { userId: string; domain: string; now: Date },
): Promise<FoundInvitation[]> {
  return ofInviters(db, now)
    .where('invitation.domain', '=', domain)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('member as own')
            .select('own.user_id')
            .whereRef('own.account_id', '=', 'invitation.account_id')
            .where('own.user_id', '=', userId),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('removed_member')
            .select('removed_member.user_id')
            .whereRef('removed_member.account_id', '=', 'invitation.account_id')
            .where('removed_member.user_id', '=', userId),
        ),
      ),
    )
    .orderBy('invitation.created_at')
    .limit(50)
    .execute();
}

/**
 * Uses an invitation once. Returns false if it has no use left. An invitation without further use
 * is deleted.
 */
export async function useInvitation(db: Db, { account_id, id }: InvitationRow): Promise<boolean> {
  const ofInvitation = sql`account_id = ${account_id} and id = ${id}`;
  const { numAffectedRows } = await sql`
    update invitation set uses_left = uses_left - 1 where ${ofInvitation} and uses_left > 0
  `.execute(db);
  await sql`delete from invitation where ${ofInvitation} and uses_left = 0`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Stores that a user was removed, so that links and domains do not let the user in again. */
export async function noteRemoved(db: Db, accountId: string, userId: string, at: Date): Promise<void> {
  await db
    .insertInto('removed_member')
    .values({ account_id: accountId, user_id: userId, removed_at: at })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doUpdateSet({ removed_at: at }))
    .execute();
}

/** True if the user was removed from the workspace. */
export async function wasRemoved(db: Db, accountId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('removed_member')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets that a user was removed, because an admin invited the user again. */
export async function forgetRemoved(db: Db, accountId: string, userId: string): Promise<void> {
  await db
    .deleteFrom('removed_member')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
}

/** Deletes expired invitations of all workspaces. */
export async function removeExpiredInvitations(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('invitation').where('expires_at', '<', now).execute();
}

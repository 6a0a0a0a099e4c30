import type { Role } from '@winnow/contract/role';
import type { MemberQuery, WorkspacePatch } from '@winnow/contract/workspace';
import { sql } from 'kysely';
import type { Db } from '../../schema/tables.ts';

/** A workspace as one of its members sees it. */
export interface WorkspaceRow {
  id: string;
  name: string;
  role: Role;
  personal: boolean;
  members: number;
  four_eyes: boolean;
  require_second_factor: boolean;
}

/** Name of a workspace. A personal one without a name has the name of its user. */
const NAME = sql<string>`coalesce(account.name, nullif(home.full_name, ''), home.username, 'Workspace')`;

function workspacesOf(db: Db, userId: string) {
  return db
    .selectFrom('member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .leftJoin('app_user as home', 'home.account_id', 'account.id')
    .select(['account.id', 'member.role', 'account.four_eyes', 'account.require_second_factor'])
    .select([
      NAME.as('name'),
      sql<boolean>`home.id is not distinct from member.user_id`.as('personal'),
      sql<number>`(select count(*)::int from member as other where other.account_id = account.id)`.as(
        'members',
      ),
    ])
    .where('member.user_id', '=', userId)
    .where('account.leaving_at', 'is', null);
}

/** Lists the workspaces of a user: the personal one first, then by name. */
export function listWorkspaces(db: Db, userId: string): Promise<WorkspaceRow[]> {
  return workspacesOf(db, userId)
    .orderBy(sql`home.id is not distinct from member.user_id`, 'desc')
    .orderBy(sql`lower(${NAME})`)
    .orderBy('account.id')
    .execute();
}

/** Finds a workspace of a user; undefined if the user is not a member. */
export function findWorkspace(db: Db, accountId: string, userId: string): Promise<WorkspaceRow | undefined> {
  return workspacesOf(db, userId).where('account.id', '=', accountId).executeTakeFirst();
}

/** Returns the name of a workspace; undefined if it does not exist. */
export async function findName(db: Db, accountId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('account')
    .leftJoin('app_user as home', 'home.account_id', 'account.id')
    .select(NAME.as('name'))
    .where('account.id', '=', accountId)
    .executeTakeFirst();
  return row?.name;
}

/**
 * Locks a workspace until the transaction ends, so that changes to its members take turns. Returns
 * false if it does not exist or is being deleted.
 */
export async function lockWorkspace(transaction: Db, accountId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where('leaving_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertWorkspace(db: Db, id: string, name: string | null): Promise<void> {
  await db.insertInto('account').values({ id, name }).execute();
}

export async function updateWorkspace(db: Db, accountId: string, patch: WorkspacePatch): Promise<void> {
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  await db.updateTable('account').set(given).where('id', '=', accountId).execute();
}

/** Locks a user until the transaction ends, so that creations of workspaces take turns. */
export function lockUser(
  transaction: Db,
  userId: string,
): Promise<{ email_verified_at: Date | null } | undefined> {
  return transaction
    .selectFrom('app_user')
    .select('email_verified_at')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Returns the number of workspaces that a user owns. */
export async function countOwned(db: Db, userId: string): Promise<number> {
  const { owned } = await db
    .selectFrom('member')
    .select(({ fn }) => fn.countAll<number>().as('owned'))
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow();
  return owned;
}

/** Adds a member. Returns false if the user already is one. */
export async function insertMember(
  db: Db,
  member: { account_id: string; user_id: string; role: Role },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('member')
    .values(member)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** A member with the names of the user. `homeId` is the user's own account. */
export interface MemberRow {
  user_id: string;
  role: Role;
  username: string;
  full_name: string | null;
  email: string;
  /** True if the address belongs to another user. Nothing is mailed to it. */
  email_taken: boolean;
  homeId: string;
}

/** Finds a member; undefined if the user is not one. */
export function findMember(db: Db, accountId: string, userId: string): Promise<MemberRow | undefined> {
  return db
    .selectFrom('member')
    .innerJoin('app_user', 'app_user.id', 'member.user_id')
    .select(['member.user_id', 'member.role', 'app_user.username', 'app_user.full_name', 'app_user.email'])
    .select(['app_user.account_id as homeId', 'app_user.email_taken'])
    .where('member.account_id', '=', accountId)
    .where('member.user_id', '=', userId)
    .executeTakeFirst();
}

/** True if a user with this address is a member, ignoring case. */
export async function hasMemberWithEmail(db: Db, accountId: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('member')
    .innerJoin('app_user', 'app_user.id', 'member.user_id')
    .select('member.user_id')
    .where('member.account_id', '=', accountId)
    .where(sql`lower(app_user.email)`, '=', email.toLowerCase())
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns a page of the members and their number, earliest joined first. */
export async function listMembers(
  db: Db,
  accountId: string,
  { search, role }: Pick<MemberQuery, 'search' | 'role'>,
  { limit, skip }: { limit: number; skip: number },
) {
  const pattern = `%${(search ?? '').replace(/[\\%_]/g, '\\$&')}%`;
  const found = db
    .selectFrom('member')
    .where('member.account_id', '=', accountId)
    .$if(role !== undefined, (query) => query.where('member.role', '=', role ?? 'viewer'))
    .$if(Boolean(search), (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('app_user')
            .select('app_user.id')
            .whereRef('app_user.id', '=', 'member.user_id')
            .where(({ or, eb }) =>
              or([
                eb('app_user.username', 'ilike', pattern),
                eb('app_user.full_name', 'ilike', pattern),
                eb('app_user.email', 'ilike', pattern),
              ]),
            ),
        ),
      ),
    );
  const page = found
    .select(['member.account_id', 'member.user_id', 'member.role', 'member.joined_at'])
    .orderBy('member.joined_at')
    .orderBy('member.user_id')
    .limit(limit)
    .offset(skip);
  const members = await db
    .selectFrom(page.as('member'))
    .innerJoin('app_user', 'app_user.id', 'member.user_id')
    .select(['member.user_id', 'member.role', 'member.joined_at'])
    .select(['app_user.username', 'app_user.full_name', 'app_user.email', 'app_user.last_sign_in_at'])
    .select([
      sql<boolean>`exists (
        select from authenticator
        where authenticator.account_id = app_user.account_id and authenticator.user_id = app_user.id
          and authenticator.added_at is not null
      ) or exists (
        select from passkey
        where passkey.account_id = app_user.account_id and passkey.user_id = app_user.id
      )`.as('has_second_factor'),
      sql<number>`(
        select count(*)::int from flow
        where flow.account_id = member.account_id and flow.owner_id = member.user_id
      )`.as('flows'),
      sql<number>`(
        select count(*)::int from api_key
        where api_key.account_id = member.account_id and api_key.user_id = member.user_id
      )`.as('api_keys'),
    ])
    .orderBy('member.joined_at')
    .orderBy('member.user_id')
    .execute();
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { members, total };
}

export async function updateRole(db: Db, accountId: string, userId: string, role: Role): Promise<void> {
  await db
    .updateTable('member')
    .set({ role })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
}

/** Removes a member, whose API keys in the workspace are deleted as well. */
export async function deleteMember(db: Db, accountId: string, userId: string): Promise<void> {
  await db.deleteFrom('member').where('account_id', '=', accountId).where('user_id', '=', userId).execute();
}

/** Removes all members. Returns the ids of their users. */
export async function deleteAllMembers(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .deleteFrom('member')
    .where('account_id', '=', accountId)
    .returning('user_id')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** True if the workspace has an owner other than this user. */
export async function hasOtherOwner(db: Db, accountId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('member')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .where('user_id', '<>', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Lists the ids of a user's workspaces, in the same order for all transactions. */
export async function workspaceIdsOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('member')
    .select('account_id')
    .where('user_id', '=', userId)
    .orderBy('account_id')
    .execute();
  return rows.map(({ account_id }) => account_id);
}

/** Gives the flows of one member to another. Returns their number. */
export async function moveFlows(
  db: Db,
  accountId: string,
  { from, to }: { from: string; to: string },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('flow')
    .set({ owner_id: to })
    .where('account_id', '=', accountId)
    .where('owner_id', '=', from)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Finds the user whose own account a workspace is; undefined if it is none. */
export async function findHomeUserId(db: Db, accountId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('app_user')
    .select('id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.id;
}

/**
 * Moves a user to another own account, with sessions, devices, factors and security events. Foreign
 * keys move the dependent rows.
 */
export async function moveHome(
  transaction: Db,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await transaction
    .updateTable('app_user')
    .set({ account_id: to })
    .where('account_id', '=', from)
    .where('id', '=', userId)
    .execute();
  await transaction
    .updateTable('account_event')
    .set({ account_id: to })
    .where('account_id', '=', from)
    .execute();
}

/** Returns the id of a user's own account; undefined if the user does not exist. */
export async function findHomeOf(db: Db, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('app_user')
    .select('account_id')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.account_id;
}

export async function countMembers(db: Db, accountId: string): Promise<number> {
  const { members } = await db
    .selectFrom('member')
    .select(({ fn }) => fn.countAll<number>().as('members'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return members;
}

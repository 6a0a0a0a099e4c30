import type { Insertable, Selectable, Updateable } from 'kysely';
import type { McpServerTable } from '../schema/flow-tables.ts';
import type { Db } from '../schema/tables.ts';

export type McpServerRow = Selectable<McpServerTable>;
type Values = Omit<Updateable<McpServerTable>, 'account_id' | 'id' | 'created_at'>;

/** Lists the servers of an account, oldest first. */
export async function listServers(db: Db, accountId: string): Promise<McpServerRow[]> {
  return db
    .selectFrom('mcp_server')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Lists the names of an account's servers, oldest first. */
export async function listNames(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('mcp_server')
    .select('name')
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ name }) => name);
}

export async function findServer(
  db: Db,
  accountId: string,
  serverId: string,
): Promise<McpServerRow | undefined> {
  return db
    .selectFrom('mcp_server')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', serverId)
    .executeTakeFirst();
}

/** Returns the servers with these names. Skips unknown names. */
export async function findNamed(
  db: Db,
  accountId: string,
  names: readonly string[],
): Promise<McpServerRow[]> {
  if (names.length === 0) return [];
  return db
    .selectFrom('mcp_server')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('name', 'in', names)
    .execute();
}

/** Locks the account's servers against concurrent changes until the transaction ends. */
export async function lockServers(db: Db, accountId: string): Promise<void> {
  await db.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}

export async function insertServer(db: Db, server: Insertable<McpServerTable>): Promise<McpServerRow> {
  return db.insertInto('mcp_server').values(server).returningAll().executeTakeFirstOrThrow();
}

export async function updateServer(
  db: Db,
  accountId: string,
  serverId: string,
  values: Values,
): Promise<McpServerRow | undefined> {
  return db
    .updateTable('mcp_server')
    .set(values)
    .where('account_id', '=', accountId)
    .where('id', '=', serverId)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Stores the result of a check and returns the server. Returns undefined if the server was deleted,
 * or if its connection changed in the meantime.
 */
export async function noteChecked(
  db: Db,
  asked: McpServerRow,
  values: Pick<Values, 'status' | 'status_message' | 'tools' | 'checked_at'>,
): Promise<McpServerRow | undefined> {
  return db
    .updateTable('mcp_server')
    .set(values)
    .where('account_id', '=', asked.account_id)
    .where('id', '=', asked.id)
    .where('url', '=', asked.url)
    .where('auth_type', '=', asked.auth_type)
    .where('header_name', 'is not distinct from', asked.header_name)
    .where('sealed_secret', 'is not distinct from', asked.sealed_secret)
    .returningAll()
    .executeTakeFirst();
}

/** Deletes a server and returns its name; null if it does not exist. */
export async function deleteServer(db: Db, accountId: string, serverId: string): Promise<string | null> {
  const deleted = await db
    .deleteFrom('mcp_server')
    .where('account_id', '=', accountId)
    .where('id', '=', serverId)
    .returning('name')
    .executeTakeFirst();
  return deleted?.name ?? null;
}

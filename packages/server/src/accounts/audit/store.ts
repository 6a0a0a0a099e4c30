import type { AuditActorType, AuditEventKind } from '@winnow/contract/audit';
import { isId } from '@winnow/contract/primitives';
import { type Selectable, sql } from 'kysely';
import { deleteInBatches } from '../../platform/batched-delete.ts';
import { prepared } from '../../platform/database.ts';
import type { AuditEventTable } from '../../schema/account-tables.ts';
import type { Db } from '../../schema/tables.ts';

export type AuditEventRow = Selectable<AuditEventTable>;

export interface NewAuditEvent {
  id: string;
  at: Date;
  kind: AuditEventKind;
  actor: { type: AuditActorType; id: string | null; name: string };
  address: string | null;
  subject: string | null;
  details: Record<string, string>;
}

/** Stores an event. Does nothing if the workspace does not exist anymore. */
export async function insertAuditEvent(db: Db, accountId: string, event: NewAuditEvent): Promise<void> {
  const { id, at, kind, actor, address, subject, details } = event;
  await sql`
    insert into audit_event
      (account_id, id, at, kind, actor_type, actor_id, actor_name, address, subject, details)
    select account.id, ${id}::uuid, ${at}::timestamptz, ${kind}, ${actor.type}, ${actor.id}::uuid, ${actor.name},
      ${address}, ${subject}, ${JSON.stringify(details)}::jsonb
    from account where account.id = ${accountId} for key share
  `.execute(db);
}

/**
 * Stores an event about a user in every workspace that the user is a member of. For an unknown user
 * it runs the same statement, so that it takes the same time.
 */
export async function insertUserEvent(
  db: Db,
  userId: string,
  { kind, at, address }: Pick<NewAuditEvent, 'kind' | 'at' | 'address'>,
): Promise<void> {
  await sql`
    ${prepared} insert into audit_event (account_id, id, at, kind, actor_type, actor_id, actor_name, address)
    select member.account_id, gen_random_uuid(), ${at}::timestamptz, ${kind}, 'user', app_user.id,
      coalesce(nullif(app_user.full_name, ''), app_user.username), ${address}
    from member
      join app_user on app_user.id = member.user_id
      join account on account.id = member.account_id
    where member.user_id = ${userId}
    for key share of account
  `.execute(db);
}

export interface AuditFilter {
  kind?: AuditEventKind | undefined;
  actor_id?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

function filtered(db: Db, accountId: string, { kind, actor_id, since, until }: AuditFilter) {
  return db
    .selectFrom('audit_event')
    .where('account_id', '=', accountId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'signed_in'))
    .$if(actor_id !== undefined, (query) => query.where('actor_id', '=', actor_id ?? ''))
    .$if(since !== undefined, (query) => query.where('at', '>=', new Date(since ?? 0)))
    .$if(until !== undefined, (query) => query.where('at', '<', new Date(until ?? 0)));
}

/** Returns a page of a workspace's events and their number, newest first. */
export async function listAuditEvents(
  db: Db,
  accountId: string,
  filter: AuditFilter,
  { limit, skip }: { limit: number; skip: number },
): Promise<{ events: AuditEventRow[]; total: number }> {
  const found = filtered(db, accountId, filter);
  const events = await found
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(skip)
    .execute();
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { events, total };
}

/** Reads the events after one, newest first, for an export. Null starts at the newest. */
export function readAuditEvents(
  db: Db,
  accountId: string,
  filter: AuditFilter,
  after: { at: Date; id: string } | null,
  limit: number,
): Promise<AuditEventRow[]> {
  return filtered(db, accountId, filter)
    .selectAll()
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(at < ${after?.at ?? null} or (at = ${after?.at ?? null} and id > ${after?.id ?? null}))`,
      ),
    )
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Deletes the events of all workspaces before an instant. */
export function removeAuditEventsBefore(db: Db, before: Date): Promise<void> {
  return deleteInBatches(db, 'audit_event', sql<boolean>`at < ${before}`);
}

/** Table of the object that a parameter of a path identifies. */
const TABLES = {
  tracker_id: 'tracker',
  model_id: 'ai_model',
  flow_id: 'flow',
  server_id: 'mcp_server',
  key_id: 'api_key',
} as const;

/** Returns the name of the object that the parameters of a path identify; undefined if none. */
export async function findNameOf(
  db: Db,
  accountId: string,
  params: Record<string, string>,
): Promise<string | undefined> {
  for (const [parameter, table] of Object.entries(TABLES)) {
    const objectId = params[parameter];
    if (objectId === undefined || !isId(objectId)) continue;
    const { rows } = await sql<{ name: string }>`
      select name from ${sql.table(table)} where account_id = ${accountId} and id = ${objectId}
    `.execute(db);
    return rows[0]?.name;
  }
  return undefined;
}

import type { TrackerType, WebhookState } from '@winnow/contract/tracker';
import { type Selectable, sql } from 'kysely';
import { deleteInBatches } from '../platform/batched-delete.ts';
import type { Db } from '../schema/tables.ts';
import type { TrackerEventTable, TrackerTable } from '../schema/tracker-tables.ts';

type EventRow = Selectable<TrackerEventTable>;
/** An event whose issue has not been read from the tracker yet. */
export type WaitingEvent = Pick<
  EventRow,
  'id' | 'deliveries' | 'type' | 'issue_external_id' | 'comment_external_id'
>;

/** Returns a project's unread events in the order of arrival, at most `limit`. */
export async function waitingEvents(
  db: Db,
  accountId: string,
  projectId: string,
  limit: number,
): Promise<WaitingEvent[]> {
  return db
    .selectFrom('tracker_event')
    .select(['id', 'deliveries', 'type', 'issue_external_id', 'comment_external_id'])
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)
    .where('handled_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Marks events as read. If an event was delivered again meanwhile, it stays unread. */
export async function markHandled(
  db: Db,
  accountId: string,
  events: readonly WaitingEvent[],
  at: Date,
): Promise<void> {
  await sql`
    update tracker_event set handled_at = ${at}
    from unnest(${events.map(({ id }) => id)}::bigint[], ${events.map(({ deliveries }) => deliveries)}::int[])
      as given (id, deliveries)
    where tracker_event.account_id = ${accountId} and tracker_event.id = given.id
      and tracker_event.deliveries = given.deliveries
  `.execute(db);
}

/** Marks all unread events of a project as read. */
export async function markAllHandled(db: Db, accountId: string, projectId: string, at: Date): Promise<void> {
  await db
    .updateTable('tracker_event')
    .set({ handled_at: at })
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)
    .where('handled_at', 'is', null)
    .execute();
}

/** Deletes events and deliveries that were received before `instant`. */
export async function removeBefore(db: Db, instant: Date): Promise<void> {
  for (const table of ['tracker_event', 'webhook_delivery'] as const) {
    await deleteInBatches(db, table, sql<boolean>`received_at < ${instant}`);
  }
}

/**
 * Records a delivery. Returns false if it is a repetition: the same id was recorded after
 * `freshSince`, or at any time if that is null. Concurrent calls with the same id run one after
 * another.
 */
export async function noteDelivery(
  db: Db,
  delivery: { account_id: string; tracker_id: string; delivery_id: string; received_at: Date },
  freshSince: Date | null,
): Promise<boolean> {
  const result = await db
    .insertInto('webhook_delivery')
    .values(delivery)
    .onConflict((conflict) => {
      const columns = conflict.columns(['account_id', 'tracker_id', 'delivery_id']);
      if (freshSince === null) return columns.doNothing();
      return columns
        .doUpdateSet((set) => ({ received_at: set.ref('excluded.received_at') }))
        .where('webhook_delivery.received_at', '<', freshSince);
    })
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

const OF_SECRET = [
  'account_id',
  'id',
  'sealed_webhook_secret',
  'sealed_former_webhook_secret',
  'webhook_secret_replaced_at',
] as const;

export interface ReceivingTracker extends Pick<Selectable<TrackerTable>, (typeof OF_SECRET)[number]> {
  tracker_type: TrackerType;
  webhook_state: WebhookState;
}

/**
 * Finds a tracker by its id, in any account. The caller must verify that the sender knows the
 * secret.
 */
export async function findReceivingTracker(db: Db, trackerId: string): Promise<ReceivingTracker | undefined> {
  return db
    .selectFrom('tracker')
    .select([...OF_SECRET, 'tracker_type', 'webhook_state'])
    .where('id', '=', trackerId)
    .executeTakeFirst();
}

/**
 * Stores the secret unless the tracker has one already. Returns the stored secrets. Returns
 * undefined if the tracker does not exist.
 */
export async function createSecretIfMissing(db: Db, accountId: string, trackerId: string, sealed: Buffer) {
  return db
    .updateTable('tracker')
    .set({ sealed_webhook_secret: sql<Buffer>`coalesce(sealed_webhook_secret, ${sealed})` })
    .where('account_id', '=', accountId)
    .where('id', '=', trackerId)
    .returning([...OF_SECRET, 'webhook_secret_version'])
    .executeTakeFirst();
}

/**
 * Replaces the secret, and stores the replaced secret as the previous one. Returns false if the
 * tracker does not exist. Also returns false if the secret was replaced after `formerSince`,
 * because its previous secret is then still accepted.
 */
export async function replaceSecret(
  db: Db,
  accountId: string,
  trackerId: string,
  sealed: Buffer,
  { at, formerSince }: { at: Date; formerSince: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('tracker')
    .set((set) => ({
      sealed_webhook_secret: sealed,
      sealed_former_webhook_secret: set.ref('sealed_webhook_secret'),
      webhook_secret_version: set('webhook_secret_version', '+', 1),
      webhook_secret_replaced_at: at,
    }))
    .where('account_id', '=', accountId)
    .where('id', '=', trackerId)
    .where(({ eb, or }) =>
      or([
        eb('sealed_former_webhook_secret', 'is', null),
        eb('webhook_secret_replaced_at', '<=', formerSince),
      ]),
    )
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function trackersOf(db: Db, accountId: string): Promise<string[]> {
  const rows = await db.selectFrom('tracker').select('id').where('account_id', '=', accountId).execute();
  return rows.map(({ id }) => id);
}

/** Returns the connection of a tracker with its encrypted API key. */
export async function findConnection(db: Db, accountId: string, trackerId: string) {
  return db
    .selectFrom('tracker')
    .select(['tracker_type', 'url', 'username', 'sealed_key'])
    .where('account_id', '=', accountId)
    .where('id', '=', trackerId)
    .executeTakeFirst();
}

export async function noteEventOf(db: Db, accountId: string, trackerId: string, at: Date): Promise<void> {
  await db
    .updateTable('tracker')
    .set({ webhook_event_at: at })
    .where('account_id', '=', accountId)
    .where('id', '=', trackerId)
    .execute();
}

/** True if a change contains a step with this id that comments on this issue. */
export async function isCommentStep(
  db: Db,
  accountId: string,
  stepId: string,
  { projectId, issueExternalId }: { projectId: string; issueExternalId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('change_step')
    .innerJoin('issue', (join) =>
      join
        .onRef('issue.account_id', '=', 'change_step.account_id')
        .onRef('issue.id', '=', 'change_step.target_issue_id'),
    )
    .select('change_step.id')
    .where('change_step.account_id', '=', accountId)
    .where('change_step.id', '=', stepId)
    .where('change_step.action', '=', 'comment')
    .where('issue.project_id', '=', projectId)
    .where('issue.external_id', '=', issueExternalId)
    .executeTakeFirst();
  return row !== undefined;
}

export interface KnownProject {
  id: string;
  external_id: string;
  identifier: string;
  name: string;
}

/**
 * Returns a tracker's projects in scope. If external ids are given, returns only projects with
 * these ids.
 */
export async function projectsInScope(
  db: Db,
  accountId: string,
  trackerId: string,
  externalIds?: readonly string[],
): Promise<KnownProject[]> {
  return db
    .selectFrom('project')
    .select(['id', 'external_id', 'identifier', 'name'])
    .where('account_id', '=', accountId)
    .where('tracker_id', '=', trackerId)
    .$if(externalIds !== undefined, (query) =>
      query.where('external_id', '=', sql<string>`any (${externalIds ?? []}::text[])`),
    )
    .orderBy('identifier')
    .execute();
}

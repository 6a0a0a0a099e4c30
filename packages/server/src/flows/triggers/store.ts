import { sql } from 'kysely';
import type { Db } from '../../schema/tables.ts';
import { accountFactsOf, type Plans, problemOfStored } from '../flow-references.ts';
import { type FlowRow, type PlacedFlow, placedFlows } from '../store.ts';
import type { ClockEvent } from './slots.ts';

/** Lists the enabled flows of an account that listen to events and have no known problem. */
export async function listeningFlows(db: Db, accountId: string, plans: Plans): Promise<PlacedFlow[]> {
  const flows = await placedFlows(db, accountId)
    .where('flow.is_enabled', '=', true)
    .where('flow.event_type', 'is not', null)
    .orderBy('flow.created_at')
    .orderBy('flow.id')
    .execute();
  if (flows.length === 0) return flows;
  const accountFacts = await accountFactsOf(db, accountId, plans);
  return flows.filter((flow) => problemOfStored(flow, accountFacts) === null);
}

/**
 * Locks the given flows against deletion until the transaction ends. Returns the ids of those that
 * exist.
 */
export async function lockExistingFlows(
  db: Db,
  accountId: string,
  flowIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('flow')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`any (${flowIds}::uuid[])`)
    .orderBy('id')
    .forKeyShare()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Returns which of these events have already started which flows. */
export function startedBy(
  db: Db,
  accountId: string,
  eventIds: readonly number[],
): Promise<{ flow_id: string; event_id: number }[]> {
  return db
    .selectFrom('flow_event')
    .select(['flow_id', 'event_id'])
    .where('account_id', '=', accountId)
    .where('event_id', '=', sql<number>`any (${eventIds}::bigint[])`)
    .execute();
}

export interface PendingExecution {
  id: string;
  flow_id: string;
  issue_id: string;
  type: string | null;
}

/**
 * Returns the pending executions of these flows on these issues that events started. Locks them
 * until the transaction ends.
 */
export async function lockPendingExecutions(
  db: Db,
  accountId: string,
  flowIds: readonly string[],
  issueIds: readonly string[],
): Promise<PendingExecution[]> {
  const { rows } = await sql<PendingExecution>`
    select id, flow_id, issue_id, trigger_event ->> 'type' as type from flow_execution
    where account_id = ${accountId} and status = 'PENDING' and attempts = 0 and not stop_asked
      and flow_id = any (${flowIds}::uuid[]) and issue_id = any (${issueIds}::uuid[])
      and exists (select from flow_event
                  where account_id = flow_execution.account_id and execution_id = flow_execution.id)
    order by id
    for no key update
  `.execute(db);
  return rows;
}

/** Increases the number of events that each pending execution handles. */
export async function addCoalesced(
  db: Db,
  accountId: string,
  joined: readonly { executionId: string; eventIds: readonly number[] }[],
): Promise<void> {
  if (joined.length === 0) return;
  await sql`
    update flow_execution
    set trigger_event = jsonb_set(trigger_event, '{coalesced}',
      to_jsonb((trigger_event ->> 'coalesced')::int + given.events))
    from unnest(${joined.map(({ executionId }) => executionId)}::uuid[], ${joined.map(({ eventIds }) => eventIds.length)}::int[])
      as given (id, events)
    where flow_execution.account_id = ${accountId} and flow_execution.id = given.id
  `.execute(db);
}

export async function insertFlowEvents(
  db: Db,
  accountId: string,
  rows: readonly { flowId: string; eventId: number; executionId: string }[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into flow_event (account_id, flow_id, event_id, execution_id)
    select ${accountId}, given.*
    from unnest(${rows.map(({ flowId }) => flowId)}::uuid[], ${rows.map(({ eventId }) => eventId)}::bigint[],
      ${rows.map(({ executionId }) => executionId)}::uuid[]) as given
  `.execute(db);
}

/** A flow that was not started for an event, because its filters took too long. */
export interface MissedStart {
  flow: Pick<FlowRow, 'id' | 'updated_at'>;
  /** Key of the event's issue. If the event has no issue, its project. */
  subject: string;
}

/**
 * Stores on each flow the event that it missed. Skips flows that were saved since they were read.
 */
export async function storeMissedStarts(
  db: Db,
  accountId: string,
  missed: readonly MissedStart[],
  at: Date,
): Promise<void> {
  if (missed.length === 0) return;
  const ids = missed.map(({ flow }) => flow.id);
  await sql`
    with held as (
      select id from flow where account_id = ${accountId} and id = any (${ids}::uuid[]) order by id for no key update
    )
    update flow set missed_at = ${at}, missed_on = given.place
    from held join unnest(${ids}::uuid[], ${missed.map(({ subject }) => subject)}::text[],
      ${missed.map(({ flow }) => flow.updated_at)}::timestamptz[]) as given (id, place, updated_at) using (id)
    where flow.account_id = ${accountId} and flow.id = given.id and flow.updated_at = given.updated_at
  `.execute(db);
}

/**
 * Claims up to `limit` flows of all accounts that are due at `slot`, and marks them as started.
 * Flows that were created or changed after `slot` wait for the next scheduled time.
 */
export async function claimScheduled(
  db: Db,
  event: ClockEvent,
  slot: Date,
  limit: number,
): Promise<FlowRow[]> {
  return db
    .updateTable('flow')
    .set({ started_for: slot })
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('account_id', 'id'),
        'in',
        selectFrom('flow as due')
          .select(['due.account_id', 'due.id'])
          .where('due.is_enabled', '=', true)
          .where('due.event_type', '=', event)
          .where('due.updated_at', '<=', slot)
          .where(({ eb: is, or }) =>
            or([is('due.started_for', 'is', null), is('due.started_for', '<', slot)]),
          )
          .orderBy('due.account_id')
          .orderBy('due.id')
          .limit(limit)
          .forNoKeyUpdate()
          .$asTuple('account_id', 'id'),
      ),
    )
    .returningAll()
    .execute();
}

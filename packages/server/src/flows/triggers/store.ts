import type { TrackerEventType } from '@winnow/contract/tracker-event';
import { sql } from 'kysely';
import { standingOf } from '../../issues/standing.ts';
import type { Db } from '../../schema/tables.ts';
import type { FlowRow } from '../store.ts';
import type { CausedEvent } from './own-events.ts';

/** An event that is still to be matched, with where it happened and how its issue stands. */
export interface UnmatchedEvent extends CausedEvent {
  id: number;
  issue_external_id: string | null;
  tracker_id: string;
  organization_id: string;
}

/**
 * The events of an account that are to be matched after the one of this number, in the order we heard of them, held until
 * the transaction ends. Those wait whose issue is not here yet, unless it is deleted or they happened before `oldSince`.
 */
export async function takeUnmatched(
  db: Db,
  accountId: string,
  { after, limit, oldSince }: { after: number; limit: number; oldSince: Date },
): Promise<UnmatchedEvent[]> {
  const { rows } = await sql<{
    id: number;
    type: TrackerEventType;
    project_id: string;
    tracker_id: string;
    organization_id: string;
    issue_external_id: string | null;
    comment_external_id: string | null;
    issue_id: string | null;
    step_id: string | null;
    occurred_at: Date;
    received_at: Date;
    known_standing: string | null;
    content_hash: string;
    status: string;
    priority: string | null;
    assignees: string[];
  }>`
    select event.id, event.type, event.project_id, project.tracker_id, project.organization_id,
      event.issue_external_id, event.comment_external_id, issue.id as issue_id, event.step_id,
      event.occurred_at, event.received_at, event.known_standing,
      issue.content_hash, issue.status, issue.priority, issue.assignees
    from tracker_event event
    join project on project.account_id = event.account_id and project.id = event.project_id
    left join issue on issue.account_id = event.account_id and issue.project_id = event.project_id
      and issue.external_id = event.issue_external_id
    where event.account_id = ${accountId} and event.id > ${after}
      and event.matched_at is null and event.handled_at is not null
      and (issue.id is not null or event.issue_external_id is null or event.type = 'issue_deleted'
        or event.occurred_at < ${oldSince})
    order by event.id
    limit ${limit}
    for no key update of event
  `.execute(db);
  return rows.map(({ content_hash, status, priority, assignees, ...event }) => ({
    ...event,
    standing: event.issue_id === null ? null : standingOf({ content_hash, status, priority, assignees }),
  }));
}

export async function markMatched(
  db: Db,
  accountId: string,
  eventIds: readonly number[],
  at: Date,
): Promise<void> {
  await db
    .updateTable('tracker_event')
    .set({ matched_at: at })
    .where('account_id', '=', accountId)
    .where('id', '=', sql<number>`any (${eventIds}::bigint[])`)
    .execute();
}

/** The flows of an account that something starts. */
export function listeningFlows(db: Db, accountId: string): Promise<FlowRow[]> {
  return db
    .selectFrom('flow')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('is_enabled', '=', true)
    .where('event_type', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Those of these flows that are there; they stay until the transaction ends. */
export async function holdFlows(
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

/** Which of these events have started which flows. */
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

export interface WaitingExecution {
  id: string;
  flow_id: string;
  issue_id: string;
  type: string | null;
}

/** The executions that events have started for these issues and nobody has begun to run, held until the transaction ends. */
export async function holdWaiting(
  db: Db,
  accountId: string,
  flowIds: readonly string[],
  issueIds: readonly string[],
): Promise<WaitingExecution[]> {
  const { rows } = await sql<WaitingExecution>`
    select id, flow_id, issue_id, trigger_event ->> 'type' as type from flow_execution
    where account_id = ${accountId} and status = 'PENDING' and not stop_asked
      and flow_id = any (${flowIds}::uuid[]) and issue_id = any (${issueIds}::uuid[])
      and exists (select from flow_event
                  where account_id = flow_execution.account_id and execution_id = flow_execution.id)
    order by id
    for no key update
  `.execute(db);
  return rows;
}

/** Notes that executions answer so many further events. */
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

/**
 * Flows of all accounts that the clock is to start at `slot` and has not yet, at most `limit`; they count as started once
 * the transaction ends. One that was made or changed after it waits for the next time.
 */
export async function claimScheduled(
  db: Db,
  eventType: 'every_day' | 'every_week',
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
          .where('due.event_type', '=', eventType)
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

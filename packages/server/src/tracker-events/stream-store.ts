import type { TrackerEventType } from '@winnow/contract/tracker-event';
import { type Selectable, sql } from 'kysely';
import { stateHashOf } from '../issues/index.ts';
import type { Db } from '../schema/tables.ts';
import type { TrackerEventTable } from '../schema/tracker-tables.ts';

type EventRow = Selectable<TrackerEventTable>;

/** A stored event with its project. Includes the issue if it is stored. */
export interface StreamEvent
  extends Pick<EventRow, 'id' | 'type' | 'actor' | 'occurred_at' | 'details' | 'project_id'> {
  project_name: string;
  project_identifier: string;
  tracker_id: string;
  issue_id: string | null;
}

/** Returns the events with these ids, in the order of arrival. Omits deleted events. */
export function findEvents(db: Db, accountId: string, eventIds: readonly number[]): Promise<StreamEvent[]> {
  return db
    .selectFrom('tracker_event as event')
    .innerJoin('project', (join) =>
      join.onRef('project.account_id', '=', 'event.account_id').onRef('project.id', '=', 'event.project_id'),
    )
    .leftJoin('issue', (join) =>
      join
        .onRef('issue.account_id', '=', 'event.account_id')
        .onRef('issue.project_id', '=', 'event.project_id')
        .onRef('issue.external_id', '=', 'event.issue_external_id'),
    )
    .select(['event.id', 'event.type', 'event.actor', 'event.occurred_at', 'event.details'])
    .select(['event.project_id', 'project.name as project_name', 'project.identifier as project_identifier'])
    .select(['project.tracker_id', 'issue.id as issue_id'])
    .where('event.account_id', '=', accountId)
    .where('event.id', '=', sql<number>`any (${eventIds}::bigint[])`)
    .orderBy('event.id')
    .execute();
}

/** Filter for {@link newestEvents}. An undefined field does not restrict the result. */
export interface EventFilter {
  trackerId: string | undefined;
  organizationId: string | undefined;
  projectId: string | undefined;
  types: readonly TrackerEventType[] | undefined;
}

/**
 * Returns the ids of the newest events, at most `limit`. Omits events whose issue has not been read
 * from the tracker yet.
 */
export async function newestEvents(
  db: Db,
  accountId: string,
  { trackerId, organizationId, projectId, types }: EventFilter,
  limit: number,
): Promise<number[]> {
  let events = db
    .selectFrom('tracker_event as event')
    .select('event.id')
    .where('event.account_id', '=', accountId)
    .where('event.handled_at', 'is not', null);
  if (projectId !== undefined) events = events.where('event.project_id', '=', projectId);
  if (types !== undefined) events = events.where('event.type', '=', sql<never>`any (${types}::text[])`);
  const places = [
    ['project.tracker_id', trackerId],
    ['project.organization_id', organizationId],
  ] as const;
  for (const [column, id] of places) {
    if (id === undefined) continue;
    events = events.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('project')
          .select('project.id')
          .whereRef('project.account_id', '=', 'event.account_id')
          .whereRef('project.id', '=', 'event.project_id')
          .where(column, '=', id),
      ),
    );
  }
  const rows = await events.orderBy('event.id', 'desc').limit(limit).execute();
  return rows.map(({ id }) => id);
}

/**
 * An event to be matched against flows, with its tracker, its organization and the current state of
 * its issue.
 */
export interface UnmatchedEvent
  extends Pick<
    EventRow,
    | 'id'
    | 'type'
    | 'project_id'
    | 'issue_external_id'
    | 'comment_external_id'
    | 'step_id'
    | 'occurred_at'
    | 'received_at'
    | 'known_standing'
  > {
  tracker_id: string;
  organization_id: string;
  /** Number of open issues in a cluster before and after it grew. Null for other events. */
  growth: { before: number; after: number } | null;
  /** Issue of the event. Null if the issue is not stored; `standing` is then null as well. */
  issue_id: string | null;
  standing: string | null;
}

/**
 * Returns and locks the events of an account that are not matched with flows yet and have an id
 * above `after`. They are in the order of arrival.
 *
 * Skips an event whose issue is not stored yet, unless the event is a deletion or happened before
 * `oldSince`.
 */
export async function takeUnmatched(
  db: Db,
  accountId: string,
  { after, limit, oldSince }: { after: number; limit: number; oldSince: Date },
): Promise<UnmatchedEvent[]> {
  const { rows } = await sql<
    Omit<UnmatchedEvent, 'standing'> & {
      content_hash: string;
      status: string;
      priority: string | null;
      assignees: string[];
    }
  >`
    select event.id, event.type, event.project_id, project.tracker_id, project.organization_id,
      event.issue_external_id, event.comment_external_id, issue.id as issue_id, event.step_id,
      event.occurred_at, event.received_at, event.known_standing,
      case when event.type = 'cluster_grew' then json_build_object(
        'before', (event.details ->> 'cluster_size_before')::int,
        'after', (event.details ->> 'cluster_size')::int) end as growth,
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
    standing: event.issue_id === null ? null : stateHashOf({ content_hash, status, priority, assignees }),
  }));
}

/** Marks events as matched with flows. {@link takeUnmatched} then skips them. */
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

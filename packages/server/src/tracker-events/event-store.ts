import { type Selectable, sql } from 'kysely';
import type { Db } from '../schema/tables.ts';
import type { TrackerEventTable } from '../schema/tracker-tables.ts';
import { isSameChange } from './same-change.ts';

type EventRow = Selectable<TrackerEventTable>;

/** A tracker event that is to be stored. */
export type NewEvent = Omit<EventRow, 'id' | 'deliveries' | 'matched_at'>;

/**
 * Stores events that a webhook delivered. If polling has already found the same change, the
 * delivered event replaces the polled event.
 *
 * If an event is delivered again, it becomes unread again. It may report a second change, since
 * times of some trackers have only seconds.
 */
export async function insertDelivered(db: Db, events: readonly NewEvent[]): Promise<void> {
  await lockProjects(db, events);
  for (const event of events) {
    const found = await findTwin(db, event);
    if (found === undefined) {
      await insert(db, [event]);
      continue;
    }
    // Two deliveries in the same second may report different changes. For example, an issue is
    // closed and then gets a label. The stored event must remain a closing.
    const isVague = event.type.endsWith('_updated') && found.type !== event.type;
    const isBetter = found.source === 'polling' && !isVague;
    await db
      .updateTable('tracker_event')
      .set({
        ...(isBetter ? { ...event, details: JSON.stringify(event.details) } : {}),
        // The event now has another type, so flows that listen for that type must be matched as
        // well.
        ...(isBetter && found.type !== event.type ? { matched_at: null } : {}),
        deliveries: sql<number>`deliveries + 1`,
        handled_at: event.handled_at,
      })
      .where('account_id', '=', event.account_id)
      .where('id', '=', found.id)
      .execute();
  }
}

/** Stores events that the analysis caused, such as the growth of a cluster. */
export async function insertAnalyzed(db: Db, events: readonly NewEvent[]): Promise<void> {
  await insert(db, events);
}

/** Finds a stored event that describes the same change. */
async function findTwin(
  db: Db,
  event: NewEvent,
): Promise<Pick<EventRow, 'id' | 'type' | 'source'> | undefined> {
  const known = await db
    .selectFrom('tracker_event')
    .select(['id', 'type', 'source'])
    .where('account_id', '=', event.account_id)
    .where('project_id', '=', event.project_id)
    .where('event_key', '=', event.event_key)
    .executeTakeFirst();
  return known ?? (await changesOf(db, [event], 'polling')).find((row) => isSameChange(row, event));
}

/**
 * Stores events that polling found, except those that a webhook has delivered. Returns the events
 * that were not stored before.
 */
export async function insertFound(db: Db, events: readonly NewEvent[]): Promise<NewEvent[]> {
  await lockProjects(db, events);
  const delivered = await changesOf(db, events, 'webhook');
  const undelivered = events.filter(
    (event) =>
      !delivered.some((row) => row.issue_external_id === event.issue_external_id && isSameChange(event, row)),
  );
  const keys = await insert(db, undelivered);
  return undelivered.filter(({ event_key }) => keys.has(event_key));
}

/** Inserts events. Returns the keys of those that were not stored before. */
async function insert(db: Db, events: readonly NewEvent[]): Promise<Set<string>> {
  const rows = [
    ...new Map(events.map((event) => [`${event.project_id} ${event.event_key}`, event])).values(),
  ];
  if (rows.length === 0) return new Set();
  const inserted = await db
    .insertInto('tracker_event')
    .values(rows.map((row) => ({ ...row, details: JSON.stringify(row.details) })))
    .onConflict((conflict) => conflict.columns(['account_id', 'project_id', 'event_key']).doNothing())
    .returning('event_key')
    .execute();
  return new Set(inserted.map(({ event_key }) => event_key));
}

/**
 * Locks the projects. A concurrent transaction that stores events of the same project waits, and
 * then sees the events stored here.
 */
async function lockProjects(db: Db, events: readonly NewEvent[]): Promise<void> {
  await db
    .selectFrom('project')
    .select('id')
    .where(
      'account_id',
      '=',
      sql<string>`any (${[...new Set(events.map((event) => event.account_id))]}::uuid[])`,
    )
    .where('id', '=', sql<string>`any (${[...new Set(events.map((event) => event.project_id))]}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

const OF_CHANGE = ['id', 'type', 'source', 'issue_external_id', 'happened_after', 'occurred_at'] as const;

/**
 * Returns the stored events of one source that may describe the same changes of the same issues.
 */
async function changesOf(
  db: Db,
  events: readonly NewEvent[],
  source: EventRow['source'],
): Promise<Pick<EventRow, (typeof OF_CHANGE)[number]>[]> {
  const [first] = events;
  if (first === undefined) return [];
  const times = events.map(({ happened_after, occurred_at }) => (happened_after ?? occurred_at).getTime());
  const issues = events.flatMap(({ issue_external_id: issue, comment_external_id: comment }) =>
    issue === null || comment !== null ? [] : [issue],
  );
  if (issues.length === 0) return [];
  return db
    .selectFrom('tracker_event')
    .select(OF_CHANGE)
    .where('account_id', '=', first.account_id)
    .where('project_id', '=', first.project_id)
    .where('issue_external_id', '=', sql<string>`any (${issues}::text[])`)
    .where('comment_external_id', 'is', null)
    .where('source', '=', source)
    .where('occurred_at', '>=', new Date(Math.floor(Math.min(...times) / 1000) * 1000))
    .orderBy('id')
    .execute();
}

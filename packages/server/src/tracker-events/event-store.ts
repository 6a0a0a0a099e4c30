import { type Selectable, sql } from 'kysely';
import type { Db } from '../schema/tables.ts';
import type { TrackerEventTable } from '../schema/tracker-tables.ts';
import { isSameChange } from './same-change.ts';

type EventRow = Selectable<TrackerEventTable>;

/** An event as it is appended. */
export type NewEvent = Omit<EventRow, 'id' | 'deliveries' | 'matched_at'>;

/**
 * Appends what webhooks delivered. What is there already is to be read again, since a tracker's times have seconds; what
 * reading had found becomes what was delivered of it.
 */
export async function insertDelivered(db: Db, events: readonly NewEvent[]): Promise<void> {
  await lockProjects(db, events);
  for (const event of events) {
    const found = await findTwin(db, event);
    if (found === undefined) {
      await insert(db, [event]);
      continue;
    }
    // Other changes of the same second are told apart: a label that is put on as an issue is closed does not close it.
    const isVague = event.type.endsWith('_updated') && found.type !== event.type;
    const isBetter = found.source === 'polling' && !isVague;
    await db
      .updateTable('tracker_event')
      .set({
        ...(isBetter ? { ...event, details: JSON.stringify(event.details) } : {}),
        // Whoever listens for what it turns out to be has not heard of it.
        ...(isBetter && found.type !== event.type ? { matched_at: null } : {}),
        deliveries: sql<number>`deliveries + 1`,
        handled_at: event.handled_at,
      })
      .where('account_id', '=', event.account_id)
      .where('id', '=', found.id)
      .execute();
  }
}

/** What stands in the stream of the same thing. */
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

/** Appends what reading found and was not delivered yet; answers what that was. */
export async function insertFound(db: Db, events: readonly NewEvent[]): Promise<NewEvent[]> {
  await lockProjects(db, events);
  const delivered = await changesOf(db, events, 'webhook');
  const untold = events.filter(
    (event) =>
      !delivered.some((row) => row.issue_external_id === event.issue_external_id && isSameChange(event, row)),
  );
  const keys = await insert(db, untold);
  return untold.filter(({ event_key }) => keys.has(event_key));
}

/** Answers the keys of those that were not there. */
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

/** Who appends to a project's events does so one after the other, so that none misses what another appends. */
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

/** What stands in the stream of changes of the same issues from one source, that may be the same as one of these. */
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

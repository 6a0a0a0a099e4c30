import { isId } from '@winnow/contract/primitives';
import type { IntakePlace } from '../issues/intake.ts';
import { findIssueIn } from '../issues/service.ts';
import { standingOf } from '../issues/standing.ts';
import type { Db } from '../schema/tables.ts';
import type { ReadNews } from '../sync/read-project.ts';
import { markerOf } from '../trackers/comment-marker.ts';
import type { TrackerEvent } from '../trackers/provider.ts';
import { cleanText } from '../trackers/rest/read.ts';
import * as eventStore from './event-store.ts';
import { polledEvents } from './polled-events.ts';
import { secondOf } from './same-change.ts';
import * as store from './store.ts';

/** What is kept of a text that a tracker sends along. */
const LONGEST_DETAIL = 20_000;
/** A delivery may be under way for so long. */
const DELIVERY_TAKES_MS = 2 * 60_000;

/** An event with the stored project it belongs to. */
export interface PlacedEvent extends Omit<TrackerEvent, 'project'> {
  projectId: string;
}

export interface StreamOptions {
  now: () => Date;
  /** Told, in the transaction that stores it, of what a webhook should have told long since. */
  onMissed: (db: Db, place: IntakePlace) => Promise<void>;
  /** Has flows started by what happened, in the transaction that stores it. */
  requestMatching: (db: Db, accountId: string) => Promise<void>;
}

/**
 * The one place that writes down what happened in trackers, for flows to read. The same thing stands there once, whoever
 * told of it first: a webhook, or reading, which finds what no delivery came of.
 */
export class EventStream {
  readonly #options: StreamOptions;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  /** Appends what a webhook told. What it says of an issue waits until that issue was read from the tracker. */
  async appendDelivered(db: Db, accountId: string, events: readonly PlacedEvent[]): Promise<void> {
    const rows: eventStore.NewEvent[] = [];
    for (const event of events) {
      rows.push({
        ...this.#rowOf(accountId, { ...event, happenedAfter: null }),
        step_id: await stepOf(db, accountId, event),
        known_standing: await standingNow(db, accountId, event),
        source: 'webhook',
        handled_at: event.issueExternalId === null ? this.#options.now() : null,
      });
    }
    await eventStore.insertDelivered(db, rows);
    if (rows.some(({ handled_at }) => handled_at !== null)) {
      await this.#options.requestMatching(db, accountId);
    }
  }

  /** Appends what reading a project found and no webhook told of; only what happened since the project is connected. */
  async appendRead(db: Db, place: IntakePlace, news: ReadNews, connectedAt: Date): Promise<void> {
    const { accountId, projectId } = place;
    const now = this.#options.now();
    const rows: eventStore.NewEvent[] = [];
    for (const event of polledEvents(news, connectedAt, now)) {
      rows.push({
        ...this.#rowOf(accountId, { ...event, projectId }),
        step_id: await stepOf(db, accountId, { ...event, projectId }),
        known_standing: null,
        source: 'polling',
        handled_at: now,
      });
    }
    if (rows.length === 0) return;
    const untold = await eventStore.insertFound(db, rows);
    await this.#options.requestMatching(db, accountId);
    const isLate = untold.some(
      ({ occurred_at }) => now.getTime() - occurred_at.getTime() > DELIVERY_TAKES_MS,
    );
    if (isLate) await this.#options.onMissed(db, place);
  }

  #rowOf(accountId: string, event: PlacedEvent & { happenedAfter: Date | null }) {
    return {
      account_id: accountId,
      project_id: event.projectId,
      type: event.type,
      issue_external_id: event.issueExternalId,
      comment_external_id: event.commentExternalId ?? null,
      actor: event.actor === null ? null : cleanText(event.actor),
      happened_after: event.happenedAfter,
      occurred_at: event.occurredAt,
      received_at: this.#options.now(),
      details: Object.fromEntries(
        Object.entries(event.details).map(([name, text]) => [name, cleanText(text.slice(0, LONGEST_DETAIL))]),
      ),
      event_key: keyOf(event),
    };
  }
}

/** To open, and to make or delete a comment, happens once; trackers tell the time of the rest in seconds here and in milliseconds there. */
function keyOf(event: Omit<PlacedEvent, 'projectId' | 'actor'>): string {
  const { type, details, head, issueExternalId, commentExternalId, occurredAt } = event;
  const about =
    commentExternalId !== undefined
      ? `${issueExternalId} ${commentExternalId}`
      : (issueExternalId ?? `${details.branch ?? ''}@${head ?? ''}`);
  return /_(opened|created)$/.test(type) || type === 'comment_deleted'
    ? `${type} ${about}`
    : `${type} ${secondOf(occurredAt)} ${about}`;
}

/** The step of a change that posted this comment, by the marker it carries. Anybody can write a marker. */
async function stepOf(
  db: Db,
  accountId: string,
  { projectId, issueExternalId, details }: PlacedEvent,
): Promise<string | null> {
  const marker = details.comment === undefined ? null : markerOf(details.comment);
  if (issueExternalId === null || marker === null || !isId(marker)) return null;
  return (await store.isCommentStep(db, accountId, marker, { projectId, issueExternalId })) ? marker : null;
}

/** How the issue that an event is about stands with us before it is read again. */
async function standingNow(
  db: Db,
  accountId: string,
  { projectId, issueExternalId }: PlacedEvent,
): Promise<string | null> {
  if (issueExternalId === null) return null;
  const issue = await findIssueIn(db, accountId, projectId, issueExternalId);
  return issue === undefined ? null : standingOf(issue);
}

import { randomUUID } from 'node:crypto';
import { isId } from '@winnow/contract/primitives';
import { findIssueIn, type ProjectRef, stateHashOf } from '../issues/index.ts';
import type { Db } from '../schema/tables.ts';
import type { FoundChanges } from '../sync/index.ts';
import { cleanText, markerOf, type TrackerEvent } from '../trackers/index.ts';
import * as eventStore from './event-store.ts';
import { polledEvents } from './polled-events.ts';
import { secondOf } from './same-change.ts';
import * as store from './store.ts';

/** Maximum length in characters at which each text of a delivery is stored. */
const MAX_DETAIL_CHARS = 20_000;
/**
 * Time that a tracker may take to deliver an event. If an older event was not delivered, the
 * webhook has missed it.
 */
const MAX_DELIVERY_DELAY_MS = 2 * 60_000;

/** An event together with the stored project that it belongs to. */
export interface PlacedEvent extends Omit<TrackerEvent, 'project' | 'occurredAt'> {
  occurredAt: Date;
  projectId: string;
}

/**
 * A cluster that has gained open issues. Copies a type of the folder `clusters`, which this folder
 * must not import.
 */
interface GrownCluster {
  id: string;
  name: string;
  openBefore: number;
  openAfter: number;
  issueExternalId: string;
  projectId: string;
}

export interface StreamOptions {
  now: () => Date;
  /** Called when a webhook has missed an event, in the transaction that stores the event. */
  onMissed: (db: Db, project: ProjectRef) => Promise<void>;
  /** Schedules the matching of events with flows, in the transaction that stores the events. */
  requestMatching: (db: Db, accountId: string) => Promise<void>;
}

/**
 * Stores the events of trackers for flows. Each event is stored once, even if both a webhook and
 * polling report it.
 */
export class EventStream {
  readonly #options: StreamOptions;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  /**
   * Stores events that a webhook delivered. An event about an issue waits until the issue has been
   * read from the tracker.
   */
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

  /**
   * Stores events that polling found, unless a webhook has delivered them. Ignores events from
   * before the project was connected.
   */
  async appendRead(db: Db, project: ProjectRef, changes: FoundChanges, connectedAt: Date): Promise<void> {
    const { accountId, projectId } = project;
    const now = this.#options.now();
    const rows: eventStore.NewEvent[] = [];
    for (const event of polledEvents(changes, connectedAt, now)) {
      rows.push({
        ...this.#rowOf(accountId, { ...event, projectId }),
        step_id: await stepOf(db, accountId, { ...event, projectId }),
        known_standing: null,
        source: 'polling',
        handled_at: now,
      });
    }
    if (rows.length === 0) return;
    const undelivered = await eventStore.insertFound(db, rows);
    await this.#options.requestMatching(db, accountId);
    const isLate = undelivered.some(
      ({ occurred_at }) => now.getTime() - occurred_at.getTime() > MAX_DELIVERY_DELAY_MS,
    );
    if (isLate) await this.#options.onMissed(db, project);
  }

  /**
   * Stores an event for each cluster that grew. Its issue is the canonical issue of the cluster.
   * Call it in the transaction that stores the cluster.
   */
  async appendGrown(db: Db, accountId: string, clusters: readonly GrownCluster[]): Promise<void> {
    if (clusters.length === 0) return;
    const now = this.#options.now();
    const rows = clusters.map(
      (cluster): eventStore.NewEvent => ({
        account_id: accountId,
        project_id: cluster.projectId,
        type: 'cluster_grew',
        issue_external_id: cluster.issueExternalId,
        comment_external_id: null,
        actor: null,
        happened_after: null,
        occurred_at: now,
        received_at: now,
        source: 'analysis',
        details: {
          cluster_id: cluster.id,
          cluster_name: cluster.name,
          cluster_size: `${cluster.openAfter}`,
          cluster_size_before: `${cluster.openBefore}`,
        },
        step_id: null,
        known_standing: null,
        event_key: `cluster_grew ${randomUUID()}`,
        handled_at: now,
      }),
    );
    await eventStore.insertAnalyzed(db, rows);
    await this.#options.requestMatching(db, accountId);
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
        Object.entries(event.details).map(([name, text]) => [
          name,
          cleanText(text.slice(0, MAX_DETAIL_CHARS)),
        ]),
      ),
      event_key: eventKey(event),
    };
  }
}

/**
 * Returns the key that identifies an event.
 *
 * An issue is opened only once, and a comment is created and deleted only once. Keys of other
 * events contain the time in seconds, because some trackers report no finer time.
 */
function eventKey(event: Omit<PlacedEvent, 'projectId' | 'actor'>): string {
  const { type, details, head, issueExternalId, commentExternalId, occurredAt } = event;
  const about =
    commentExternalId !== undefined
      ? `${issueExternalId} ${commentExternalId}`
      : (issueExternalId ?? `${details.branch ?? ''}@${head ?? ''}`);
  return /_(opened|created)$/.test(type) || type === 'comment_deleted'
    ? `${type} ${about}`
    : `${type} ${secondOf(occurredAt)} ${about}`;
}

/**
 * Finds the step of a change of ours that posted the comment, by the marker in its text. Verifies
 * that the step exists, because anyone can write a marker into a comment.
 */
async function stepOf(
  db: Db,
  accountId: string,
  { projectId, issueExternalId, details }: PlacedEvent,
): Promise<string | null> {
  const marker = details.comment === undefined ? null : markerOf(details.comment);
  if (issueExternalId === null || marker === null || !isId(marker)) return null;
  return (await store.isCommentStep(db, accountId, marker, { projectId, issueExternalId })) ? marker : null;
}

/** Returns the state hash of the event's issue as it is stored, before the issue is read again. */
async function standingNow(
  db: Db,
  accountId: string,
  { projectId, issueExternalId }: PlacedEvent,
): Promise<string | null> {
  if (issueExternalId === null) return null;
  const issue = await findIssueIn(db, accountId, projectId, issueExternalId);
  return issue === undefined ? null : stateHashOf(issue);
}

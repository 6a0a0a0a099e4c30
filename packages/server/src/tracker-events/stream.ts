import { id as uuid } from '@winnow/contract/primitives';
import type { TrackerEventType } from '@winnow/contract/tracker-event';
import type { IntakePlace } from '../issues/intake.ts';
import type { Db } from '../schema/tables.ts';
import type { ReadNews } from '../sync/read-project.ts';
import { markerOf } from '../trackers/comment-marker.ts';
import type { TrackerEvent } from '../trackers/provider.ts';
import { cleanText } from '../trackers/rest/read.ts';
import { polledEvents } from './polled-events.ts';
import * as store from './store.ts';

/** What is kept of a text that a tracker sends along. */
const LONGEST_DETAIL = 20_000;

/** An event with the stored project it belongs to. */
export interface PlacedEvent extends Omit<TrackerEvent, 'project'> {
  projectId: string;
}

export interface StreamOptions {
  now: () => Date;
  /** Whether webhooks tell of a project, so that reading it need not. */
  isCovered: (db: Db, place: IntakePlace) => Promise<boolean>;
}

/**
 * The one place that writes down what happened in trackers, for flows to read. The same thing stands there once, whoever
 * told of it: its key is made of the project, the issue, the type and the second it happened.
 */
export class EventStream {
  readonly #options: StreamOptions;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  /**
   * Appends what was told. What a webhook says of an issue waits until that issue was read from the tracker; what reading
   * found was read.
   */
  async append(
    db: Db,
    accountId: string,
    source: 'webhook' | 'polling',
    events: readonly PlacedEvent[],
  ): Promise<void> {
    const now = this.#options.now();
    await store.insertEvents(
      db,
      events.map((event) => ({
        account_id: accountId,
        project_id: event.projectId,
        type: event.type,
        issue_external_id: event.issueExternalId,
        actor: event.actor === null ? null : cleanText(event.actor),
        occurred_at: event.occurredAt,
        received_at: now,
        source,
        details: Object.fromEntries(
          Object.entries(event.details).map(([name, text]) => [
            name,
            cleanText(text.slice(0, LONGEST_DETAIL)),
          ]),
        ),
        step_id: stepOf(event.details),
        event_key: keyOf(event),
        handled_at: source === 'polling' || event.issueExternalId === null ? now : null,
      })),
    );
  }

  /** Appends what reading a project found, unless webhooks tell of that project; only what happened since it is connected. */
  async appendRead(db: Db, place: IntakePlace, news: ReadNews, connectedAt: Date): Promise<void> {
    const { accountId, projectId } = place;
    const found = polledEvents(news, connectedAt);
    if (found.length === 0 || (await this.#options.isCovered(db, place))) return;
    await this.append(
      db,
      accountId,
      'polling',
      found.map((event) => ({ ...event, projectId })),
    );
  }
}

/** Trackers tell the same time in seconds here and in milliseconds there. */
function keyOf(event: {
  type: TrackerEventType;
  issueExternalId: string | null;
  occurredAt: Date;
  details: Record<string, string>;
}): string {
  const second = Math.floor(event.occurredAt.getTime() / 1000);
  const { branch = '', commits = '' } = event.details;
  const about = event.issueExternalId ?? `${branch}@${commits.split('\n').at(-1)?.slice(0, 10)}`;
  return `${event.type} ${second} ${about}`;
}

/** The step of a change that posted this comment, by the marker it carries. */
function stepOf({ comment }: Record<string, string>): string | null {
  const marker = comment === undefined ? null : markerOf(comment);
  return uuid.safeParse(marker).success ? marker : null;
}

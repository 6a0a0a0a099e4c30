import { EventCoalescer } from '../../platform/event-coalescer.ts';
import type { Events } from '../../platform/events.ts';
import type { AccountEvent } from '../../platform/realtime/account-event.ts';

/** Maximum updates per second for viewers of an execution. An update arrives within 125 ms. */
const MAX_UPDATES_PER_SECOND = 8;

export interface AnnouncementsOptions {
  events: Pick<Events<AccountEvent>, 'publish'>;
  onError: (error: unknown) => void;
}

/** Notifies browsers that display executions about their progress. */
export class Announcements {
  readonly #events: AnnouncementsOptions['events'];
  readonly #toWatchers: EventCoalescer<AccountEvent>;

  constructor({ events, onError }: AnnouncementsOptions) {
    this.#events = events;
    this.#toWatchers = new EventCoalescer({
      publish: events.publish,
      perSecond: MAX_UPDATES_PER_SECOND,
      onError,
    });
  }

  /**
   * Announces that an execution has started, has ended, or should stop. Browsers then reload lists,
   * and the runner of the execution checks whether to stop.
   */
  async announceUpdate(accountId: string, executionId: string): Promise<void> {
    await this.#events.publish(accountId, { type: 'execution_updated', execution_id: executionId });
    await this.announceLog(accountId, executionId);
  }

  /** Announces new log entries, only to viewers of this execution. */
  announceLog(accountId: string, executionId: string): Promise<void> {
    return this.#toWatchers.publish(accountId, { type: 'execution_logged', execution_id: executionId });
  }

  /** Sends pending notifications immediately. */
  close(): Promise<void> {
    return this.#toWatchers.flush();
  }
}

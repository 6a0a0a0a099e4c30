import { EventCoalescer } from '../../platform/event-coalescer.ts';
import type { Events } from '../../platform/events.ts';
import type { AccountEvent } from '../../platform/realtime/account-event.ts';

/** Maximum updates per second for viewers of an execution, so an update arrives within 125 ms. */
const MAX_UPDATES_PER_SECOND = 8;

export interface AnnouncementsOptions {
  events: Pick<Events<AccountEvent>, 'publish'>;
  onError: (error: unknown) => void;
}

/** Notifies viewers about the progress of executions. */
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
   * Announces that an execution started, ended or should end. Lists then refresh, and its runner
   * checks whether it should stop.
   */
  async announceUpdate(accountId: string, executionId: string): Promise<void> {
    await this.#events.publish(accountId, { type: 'execution_updated', execution_id: executionId });
    await this.announceLog(accountId, executionId);
  }

  /** Announces new log entries to viewers of the execution only. */
  announceLog(accountId: string, executionId: string): Promise<void> {
    return this.#toWatchers.publish(accountId, { type: 'execution_logged', execution_id: executionId });
  }

  /** Sends pending notifications immediately. */
  close(): Promise<void> {
    return this.#toWatchers.flush();
  }
}

import { EventCoalescer } from '../../platform/event-coalescer.ts';
import type { Events } from '../../platform/events.ts';
import type { AccountEvent } from '../../platform/realtime/account-event.ts';

/** Who watches an execution hears of it so often a second at most, and so within 125 ms. */
const TOLD_PER_SECOND = 8;

export interface AnnouncementsOptions {
  events: Pick<Events<AccountEvent>, 'publish'>;
  onError: (error: unknown) => void;
}

/** Tells those who watch what executions come to. */
export class Announcements {
  readonly #events: AnnouncementsOptions['events'];
  readonly #toWatchers: EventCoalescer<AccountEvent>;

  constructor({ events, onError }: AnnouncementsOptions) {
    this.#events = events;
    this.#toWatchers = new EventCoalescer({ publish: events.publish, perSecond: TOLD_PER_SECOND, onError });
  }

  /** An execution began, ended or is to end: lists show it, and whoever runs it looks. */
  async updated(accountId: string, executionId: string): Promise<void> {
    await this.#events.publish(accountId, { type: 'execution_updated', execution_id: executionId });
    await this.logged(accountId, executionId);
  }

  /** An execution has written something down: only who watches it hears of that. */
  logged(accountId: string, executionId: string): Promise<void> {
    return this.#toWatchers.publish(accountId, { type: 'execution_logged', execution_id: executionId });
  }

  /** Tells what still waits for its turn. */
  close(): Promise<void> {
    return this.#toWatchers.flush();
  }
}

/** Publishes one event. Rejects if publishing fails. */
type Publish<Event> = (accountId: string, event: Event) => Promise<void>;

interface Slot<Event> {
  readonly accountId: string;
  /** Latest event that has not been published yet. A newer event replaces it. */
  waiting: Event | null;
  timer: NodeJS.Timeout;
}

/**
 * Limits the rate of events with the same account, type and subject (their `…_id` fields).
 * Publishes the first event immediately, then at most `perSecond`, and always the last one. Use it
 * for state such as progress, where only the latest event matters.
 */
export class EventCoalescer<Event extends { readonly type: string }> {
  readonly #publish: Publish<Event>;
  readonly #intervalMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #slots = new Map<string, Slot<Event>>();

  /**
   * `onError` receives failures of delayed events. If publishing an event immediately fails, {@link
   * publish} rejects instead.
   */
  constructor(options: {
    publish: Publish<Event>;
    perSecond: number;
    onError: (error: unknown) => void;
  }) {
    this.#publish = options.publish;
    this.#intervalMs = 1000 / options.perSecond;
    this.#onError = options.onError;
  }

  /** Publishes the event or schedules it. Resolves without waiting for a scheduled event. */
  async publish(accountId: string, event: Event): Promise<void> {
    const key = coalescingKey(accountId, event);
    const slot = this.#slots.get(key);
    if (slot !== undefined) {
      slot.waiting = event;
      return;
    }
    this.#slots.set(key, { accountId, waiting: null, timer: this.#wait(key) });
    await this.#publish(accountId, event);
  }

  /** Publishes all delayed events. Call it before the process stops. */
  async flush(): Promise<void> {
    const slots = [...this.#slots.values()];
    this.#slots.clear();
    for (const { timer, waiting, accountId } of slots) {
      clearTimeout(timer);
      if (waiting !== null) await this.#publish(accountId, waiting);
    }
  }

  #wait(key: string): NodeJS.Timeout {
    return setTimeout(() => {
      const slot = this.#slots.get(key);
      if (slot === undefined) return;
      const { waiting } = slot;
      if (waiting === null) {
        this.#slots.delete(key);
        return;
      }
      slot.waiting = null;
      slot.timer = this.#wait(key);
      this.#publish(slot.accountId, waiting).catch(this.#onError);
    }, this.#intervalMs);
  }
}

function coalescingKey(accountId: string, event: { readonly type: string }): string {
  const subject = Object.entries(event).filter(([name]) => name.endsWith('_id'));
  return JSON.stringify([accountId, event.type, ...subject.flat()]);
}

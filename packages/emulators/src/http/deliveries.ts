/** A request that an emulated host sends to a registered address. */
export interface HookRequest {
  hookId: number;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** A sent request and its result. */
export interface Delivery extends HookRequest {
  /** null if no response arrived */
  status: number | null;
  /** reason why no response arrived; null otherwise */
  error: string | null;
}

/** Calls registered addresses in sequence and records the results. */
export class Deliveries {
  readonly all: Delivery[] = [];
  #queue: Promise<void> = Promise.resolve();

  send(request: HookRequest): void {
    this.#queue = this.#queue.then(() => this.#post({ ...request, status: null, error: null }));
  }

  /**
   * Repeats the last request to a hook, as a user can on the host's page.
   * @throws Error if there is none
   */
  resend(hookId: number): void {
    const last = this.all.findLast((delivery) => delivery.hookId === hookId);
    if (!last) throw new Error(`Nothing was delivered to hook ${hookId}.`);
    this.send(last);
  }

  /** Resolves when all pending requests have been sent. */
  settled(): Promise<void> {
    return this.#queue;
  }

  async #post(delivery: Delivery): Promise<void> {
    this.all.push(delivery);
    try {
      const { url, headers, body } = delivery;
      delivery.status = (await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })).status;
    } catch (error) {
      delivery.error = error instanceof Error ? error.message : String(error);
    }
  }
}

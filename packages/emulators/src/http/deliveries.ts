/** A webhook request that an emulated host sends. */
export interface HookRequest {
  hookId: number;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** A webhook request that was sent, and its result. */
export interface Delivery extends HookRequest {
  /** Status of the response. Null if no response arrived. */
  status: number | null;
  /** Reason why no response arrived; null if one did. */
  error: string | null;
}

/** Sends webhook requests one after the other and records the results. */
export class Deliveries {
  readonly all: Delivery[] = [];
  #queue: Promise<void> = Promise.resolve();

  send(request: HookRequest): void {
    this.#queue = this.#queue.then(() => this.#post({ ...request, status: null, error: null }));
  }

  /**
   * Repeats the last request to a webhook, as a user can in the host's web interface.
   * @throws {Error} if there is none
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

/** A webhook request that an emulated host sends. */
export interface HookRequest {
  hookId: number;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** A webhook request that was sent, and the result. */
export interface Delivery extends HookRequest {
  /** Status of the response. Null if there was no response. */
  status: number | null;
  /** Reason for a missing response; otherwise null. */
  error: string | null;
}

/** Sends webhook requests one after another and stores the results. */
export class Deliveries {
  readonly all: Delivery[] = [];
  #queue: Promise<void> = Promise.resolve();

  send(request: HookRequest): void {
    this.#queue = this.#queue.then(() => this.#post({ ...request, status: null, error: null }));
  }

  /**
   * Sends the last request to a webhook again, as users can do in the web interface.
   * @throws {Error} if no request was sent to the webhook
   */
  resend(hookId: number): void {
    const last = this.all.findLast((delivery) => delivery.hookId === hookId);
    if (!last) throw new Error(`No request was sent to webhook ${hookId}.`);
    this.send(last);
  }

  /** Resolves when all pending requests were sent. */
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

/** A request that an emulated host makes to an address that was registered with it. */
export interface HookRequest {
  hookId: number;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What came of it. */
export interface Delivery extends HookRequest {
  /** null when nobody answered */
  status: number | null;
  /** why nobody did */
  error: string | null;
}

/** Calls registered addresses, one after the other, and keeps what came of it. */
export class Deliveries {
  readonly all: Delivery[] = [];
  #queue: Promise<void> = Promise.resolve();

  send(request: HookRequest): void {
    this.#queue = this.#queue.then(() => this.#post({ ...request, status: null, error: null }));
  }

  /** Makes the last request to a hook once more, as a person can on the host's page. @throws Error when there is none */
  resend(hookId: number): void {
    const last = this.all.findLast((delivery) => delivery.hookId === hookId);
    if (!last) throw new Error(`Nothing was delivered to hook ${hookId}.`);
    this.send(last);
  }

  /** Resolves when all that was to be sent has been. */
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

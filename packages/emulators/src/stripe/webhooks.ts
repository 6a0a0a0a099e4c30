import { createHmac } from 'node:crypto';
import { Deliveries } from '../http/deliveries.ts';
import { newId } from './objects.ts';

/** An event as it is delivered: `data.object` is how things were when it happened. */
export interface StripeEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: { id: string; object: string } & Record<string, unknown> };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

/** Where events go, and what they are signed with. */
export interface Endpoint {
  url: string;
  secret: string;
}

/** The header `Stripe-Signature` over a body. */
export function signatureOf(body: string, secret: string, timestampS: number): string {
  const digest = createHmac('sha256', secret).update(`${timestampS}.${body}`).digest('hex');
  return `t=${timestampS},v1=${digest}`;
}

/** Tells an endpoint what happens. Deliveries can be held back, and let go in any order and as often as one likes. */
export class Webhooks {
  readonly deliveries = new Deliveries();
  /** Every event so far. */
  readonly events: StripeEvent[] = [];
  readonly #nowS: () => number;
  readonly #apiVersion: () => string;
  #endpoint: Endpoint | null = null;
  #held: StripeEvent[] | null = null;

  constructor(nowS: () => number, apiVersion: () => string) {
    this.#nowS = nowS;
    this.#apiVersion = apiVersion;
  }

  deliverTo(endpoint: Endpoint | null): void {
    this.#endpoint = endpoint;
  }

  happened(type: string, object: { id: string; object: string }): void {
    const event: StripeEvent = {
      id: newId('evt', 24),
      object: 'event',
      api_version: this.#apiVersion(),
      created: this.#nowS(),
      data: {
        object: structuredClone<{ id: string; object: string }>(object) as StripeEvent['data']['object'],
      },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    };
    this.events.push(event);
    if (this.#held === null) this.deliver(event);
    else this.#held.push(event);
  }

  /** Delivers nothing until it is released. */
  hold(): void {
    this.#held ??= [];
  }

  /** Delivers what was held back, in the order that `arrange` makes of it. Resolves when all of it was delivered. */
  async release(arrange: (events: StripeEvent[]) => StripeEvent[] = (events) => events): Promise<void> {
    const events = this.#held ?? [];
    this.#held = null;
    for (const event of arrange(events)) this.deliver(event);
    await this.deliveries.settled();
  }

  /** Delivers an event, signed now. Nothing happens where no endpoint is set. */
  deliver(event: StripeEvent): void {
    if (this.#endpoint === null) return;
    const body = JSON.stringify(event, null, 2);
    this.deliveries.send({
      hookId: 1,
      url: this.#endpoint.url,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': signatureOf(body, this.#endpoint.secret, this.#nowS()),
      },
      body,
    });
  }
}

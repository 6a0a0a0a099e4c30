import { createHmac } from 'node:crypto';
import { Deliveries } from '../http/deliveries.ts';
import { newId } from './objects.ts';

/** An event in Stripe's format. `data.object` is a copy of the object at the time of the event. */
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

/** URL to which events are sent, and the secret that signs them. */
export interface Endpoint {
  url: string;
  secret: string;
}

/** Returns the `Stripe-Signature` header for a request body. */
export function signatureOf(body: string, secret: string, timestampS: number): string {
  const digest = createHmac('sha256', secret).update(`${timestampS}.${body}`).digest('hex');
  return `t=${timestampS},v1=${digest}`;
}

/** Sends events to an endpoint. Tests can hold, reorder and repeat events. */
export class Webhooks {
  readonly deliveries = new Deliveries();
  /** All events so far. */
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

  emit(type: string, object: { id: string; object: string }): void {
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

  /** Holds events back until `release` is called. */
  hold(): void {
    this.#held ??= [];
  }

  /** Sends the held events in the order that `arrange` returns. Resolves when all were sent. */
  async release(arrange: (events: StripeEvent[]) => StripeEvent[] = (events) => events): Promise<void> {
    const events = this.#held ?? [];
    this.#held = null;
    for (const event of arrange(events)) this.deliver(event);
    await this.deliveries.settled();
  }

  /** Signs an event and sends it to the endpoint. Does nothing if there is no endpoint. */
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

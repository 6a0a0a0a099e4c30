import { createHmac } from 'node:crypto';
import { Deliveries } from '../http/deliveries.ts';
import { newId } from './objects.ts';

/** An event as delivered. `data.object` is the object as it was at the time of the event. */
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

/** Returns the `Stripe-Signature` header for a body. */
export function signatureOf(body: string, secret: string, timestampS: number): string {
  const digest = createHmac('sha256', secret).update(`${timestampS}.${body}`).digest('hex');
  return `t=${timestampS},v1=${digest}`;
}

/** Delivers events to an endpoint. Tests can hold, reorder and repeat deliveries. */
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

  /** Holds deliveries until they are released. */
  hold(): void {
    this.#held ??= [];
  }

  /**
   * Delivers held events in the order that `arrange` returns. Resolves when all have been
   * delivered.
   */
  async release(arrange: (events: StripeEvent[]) => StripeEvent[] = (events) => events): Promise<void> {
    const events = this.#held ?? [];
    this.#held = null;
    for (const event of arrange(events)) this.deliver(event);
    await this.deliveries.settled();
  }

  /** Signs and delivers an event. Does nothing without an endpoint. */
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

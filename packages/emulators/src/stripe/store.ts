import type {
  Card,
  CheckoutSession,
  Customer,
  Invoice,
  PortalSession,
  Price,
  Schedule,
  Subscription,
  SubscriptionItem,
} from './model.ts';
import { resourceMissing } from './stripe-error.ts';

/** Everything there is, the oldest first. */
export class Store {
  readonly customers = new Map<string, Customer>();
  /** Customers that were deleted: their ids answer so. */
  readonly deletedCustomers = new Set<string>();
  readonly prices = new Map<string, Price>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly schedules = new Map<string, Schedule>();
  readonly invoices = new Map<string, Invoice>();
  readonly sessions = new Map<string, CheckoutSession>();
  /** What is bought in each session. */
  readonly bought = new Map<string, { price: Price; metadata: Record<string, string> }>();
  readonly portals = new Map<string, PortalSession>();
  /** The card of each customer. */
  readonly cards = new Map<string, Card>();
  readonly #clock: () => Date;

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  readonly now = (): number => this.#clock().getTime();

  get nowS(): number {
    return Math.floor(this.now() / 1000);
  }

  /** @throws EmulatedStripeError when there is none; `param` is where its id was sent */
  customer(id: string, param?: string): Customer {
    return found(this.customers.get(id), 'customer', id, param);
  }

  price(id: string, param?: string): Price {
    return found(this.prices.get(id), 'price', id, param);
  }

  subscription(id: string): Subscription {
    return found(this.subscriptions.get(id), 'subscription', id);
  }

  schedule(id: string): Schedule {
    return found(this.schedules.get(id), 'subscription_schedule', id);
  }

  /** The schedule that a subscription is under; null: none. */
  scheduleOf({ schedule }: Subscription): Schedule | null {
    return schedule === null ? null : this.schedule(String(schedule));
  }

  invoice(id: string): Invoice {
    return found(this.invoices.get(id), 'invoice', id);
  }

  session(id: string): CheckoutSession {
    return found(this.sessions.get(id), 'checkout.session', id);
  }

  subscriptionsOf(customerId: string): Subscription[] {
    return [...this.subscriptions.values()].filter(({ customer }) => customer === customerId);
  }

  /** The subscription that an invoice is for. */
  subscriptionOf({ parent }: Invoice): Subscription {
    const id = parent?.subscription_details?.subscription;
    return this.subscription(typeof id === 'string' ? id : '');
  }

  /** The object of an id that stands in another, for expanding it. */
  byId(id: string): unknown {
    const places = [
      this.customers,
      this.prices,
      this.subscriptions,
      this.schedules,
      this.invoices,
      this.sessions,
    ];
    return places.map((place) => place.get(id)).find((object) => object !== undefined);
  }
}

/** The one item of a subscription. @throws Error when it has none */
export function itemOf({ items }: Subscription): SubscriptionItem {
  const [item] = items.data;
  if (item === undefined) throw new Error('The subscription has no item.');
  return item;
}

function found<T>(object: T | undefined, what: string, id: string, param?: string): T {
  if (object === undefined) throw resourceMissing(what, id, param);
  return object;
}

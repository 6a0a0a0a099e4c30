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

/** The emulator's data in memory. Each map is in order of creation. */
export class Store {
  readonly customers = new Map<string, Customer>();
  /** Ids of deleted customers. A request for one returns an object with `deleted: true`. */
  readonly deletedCustomers = new Set<string>();
  readonly prices = new Map<string, Price>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly schedules = new Map<string, Schedule>();
  readonly invoices = new Map<string, Invoice>();
  readonly sessions = new Map<string, CheckoutSession>();
  /** Price and metadata of the subscription to create, by checkout session. */
  readonly bought = new Map<string, { price: Price; metadata: Record<string, string> }>();
  readonly portals = new Map<string, PortalSession>();
  /** Card of each customer. */
  readonly cards = new Map<string, Card>();
  readonly #clock: () => Date;

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  readonly now = (): number => this.#clock().getTime();

  get nowS(): number {
    return Math.floor(this.now() / 1000);
  }

  /**
   * Returns a customer. `param` is the name of the request parameter with the id.
   * @throws {EmulatedStripeError} if the customer does not exist
   */
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

  /** Returns the schedule of a subscription, or null. */
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

  /** Returns the subscription to which an invoice belongs. */
  subscriptionOf({ parent }: Invoice): Subscription {
    const id = parent?.subscription_details?.subscription;
    return this.subscription(typeof id === 'string' ? id : '');
  }

  /** Finds any object by its id. */
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

/**
 * Returns the only item of a subscription.
 * @throws {Error} if the subscription has no item
 */
export function itemOf({ items }: Subscription): SubscriptionItem {
  const [item] = items.data;
  if (item === undefined) throw new Error('The subscription has no item.');
  return item;
}

function found<T>(object: T | undefined, what: string, id: string, param?: string): T {
  if (object === undefined) throw resourceMissing(what, id, param);
  return object;
}

import type { EmulatedHost } from '../http/host.ts';
import { type ServedEmulator, type ServingOptions, serveEmulator } from '../http/start.ts';
import type { UserAction } from '../http/user-actions.ts';
import { type Payment, paySession } from './checkout.ts';
import { API_VERSION, type Api, dispatch } from './dispatch.ts';
import type { Card, CheckoutSession, Customer, Invoice, Price, Subscription } from './model.ts';
import { newCustomer, newPrice, type SeedPrice } from './objects.ts';
import { pageAt } from './pages.ts';
import { Store } from './store.ts';
import { endAt, endInPortal, endSubscription, passPeriod, stopPaymentRetries } from './subscriptions.ts';
import { type Endpoint, Webhooks } from './webhooks.ts';

export interface StripeEmulatorOptions extends ServingOptions {
  prices?: readonly SeedPrice[];
  /** Default: {@link SECRET_KEY}. */
  secretKey?: string;
  /** Default: the system clock. */
  clock?: () => Date;
}

/** Default API key of the emulator. */
export const SECRET_KEY = 'sk_test_51emulator0000000000000000';

/** A type without values, because the Stripe emulator has only the common kinds of faults. */
type NoOwnFault = { kind: never };

export interface StripeEmulator extends ServedEmulator<NoOwnFault> {
  secretKey: string;
  webhooks: Webhooks;
  /** Returns all customers that were not deleted. */
  customers(): Customer[];
  subscriptions(customerId?: string): Subscription[];
  sessions(): CheckoutSession[];
  invoices(): Invoice[];
  /** Sends later events to this endpoint, signed with its secret. Null sends no more events. */
  deliverTo(endpoint: Endpoint | null): void;
  /** Adds a price. If another price has the same lookup key, that price loses it. */
  addPrice(price: SeedPrice): Price;
  /** Archives a price. It can then not be bought. */
  archivePrice(lookupKey: string): void;
  addCustomer(email: string): Customer;
  /**
   * Pays the session with this URL as a customer. Returns the URL to which the browser is
   * redirected.
   * @throws {EmulatedStripeError} if the card is declined
   */
  pay(sessionUrl: string, payment?: Payment): string;
  setCard(customerId: string, card: Card): void;
  /** Cancels a subscription at the end of its period, like a customer in the billing portal. */
  cancelWithPeriod(subscriptionId: string): void;
  resume(subscriptionId: string): void;
  cancelAtOnce(subscriptionId: string): void;
  /** Schedules the end of a subscription at a given time, like the operator in Stripe. */
  cancelAt(subscriptionId: string, end: Date): void;
  /** Ends the current period and charges the next one. */
  passPeriod(subscriptionId: string): void;
  /** Ends the repeated attempts to charge an overdue payment. */
  stopPaymentRetries(subscriptionId: string): void;
}

/**
 * Starts an in-memory Stripe server with customers, prices, checkout, subscriptions, invoices and
 * the billing portal. Emulates encoding, errors, idempotency keys and expansion. Has payment pages
 * for a browser, and sends signed webhooks. Tests can add faults.
 * @throws {Error} if the port is in use
 */
export async function startStripeEmulator(options: StripeEmulatorOptions = {}): Promise<StripeEmulator> {
  const store = new Store(options.clock ?? (() => new Date()));
  let url = '';
  const webhooks = new Webhooks(
    () => store.nowS,
    () => API_VERSION,
  );
  const secretKey = options.secretKey ?? SECRET_KEY;
  const api: Api = { store, webhooks, origin: () => url, secretKey, remembered: new Map() };
  const people = userActions(api);
  for (const price of options.prices ?? []) people.addPrice(price);
  const served = await serveEmulator(
    { ...emulatedHost(api), userActions: httpActions(api, people) },
    options,
  );
  url = served.url;
  return {
    ...served,
    ...people,
    secretKey,
    webhooks,
    customers: () => [...store.customers.values()],
    subscriptions: (customerId) =>
      customerId === undefined ? [...store.subscriptions.values()] : store.subscriptionsOf(customerId),
    sessions: () => [...store.sessions.values()],
    invoices: () => [...store.invoices.values()],
    deliverTo: (endpoint) => webhooks.deliverTo(endpoint),
    close: async () => {
      await webhooks.deliveries.settled();
      await served.close();
    },
  };
}

function emulatedHost(api: Api): EmulatedHost<NoOwnFault> {
  return {
    name: 'Stripe',
    now: api.store.now,
    answer: (incoming) => dispatch(api, incoming),
    faultBody: (status) => ({
      error: { type: status === 429 ? 'invalid_request_error' : 'api_error', message: `A fault: ${status}` },
    }),
    ownFaults: {
      kinds: [],
      read: () => {
        throw new Error('The Stripe emulator supports only the common kinds of faults.');
      },
      answer: (_action, usual) => usual,
    },
    snapshot: () => ({
      customers: [...api.store.customers.values()],
      subscriptions: [...api.store.subscriptions.values()],
      sessions: [...api.store.sessions.values()],
      invoices: [...api.store.invoices.values()],
    }),
    page: (pathname) => pageAt(api, pathname),
  };
}

/** Returns functions that change data without an API key. */
function userActions(api: Api) {
  const { store, webhooks } = api;
  return {
    addPrice(seed: SeedPrice): Price {
      for (const price of store.prices.values()) {
        if (price.lookup_key === seed.lookup_key) price.lookup_key = null;
      }
      const price = newPrice(store.nowS, seed);
      store.prices.set(price.id, price);
      return price;
    },
    archivePrice(lookupKey: string): void {
      for (const price of store.prices.values()) if (price.lookup_key === lookupKey) price.active = false;
    },
    addCustomer(email: string): Customer {
      const customer = newCustomer(store.nowS, { email });
      store.customers.set(customer.id, customer);
      return customer;
    },
    pay: (sessionUrl: string, payment: Payment = {}) =>
      paySession(api, store.session(new URL(sessionUrl).pathname.split('/').at(-1) ?? ''), payment),
    setCard: (customerId: string, card: Card) => void store.cards.set(customerId, card),
    cancelWithPeriod: (subscriptionId: string) => endInPortal(api, store.subscription(subscriptionId), true),
    resume: (subscriptionId: string) => endInPortal(api, store.subscription(subscriptionId), false),
    cancelAtOnce: (subscriptionId: string) => endSubscription(api, store.subscription(subscriptionId)),
    cancelAt: (subscriptionId: string, end: Date) => {
      const subscription = store.subscription(subscriptionId);
      endAt(subscription, Math.floor(end.getTime() / 1000), store.nowS);
      webhooks.emit('customer.subscription.updated', subscription);
    },
    passPeriod: (subscriptionId: string) => passPeriod(api, store.subscription(subscriptionId)),
    stopPaymentRetries: (subscriptionId: string) =>
      stopPaymentRetries(api, store.subscription(subscriptionId)),
  };
}

/**
 * Returns the user actions that an HTTP request can trigger. `endpoint` takes `{"url", "secret"}`
 * and sends events there. `pass-period` takes `{"subscription"}` and ends its period.
 */
function httpActions(
  api: Api,
  { passPeriod: pass }: ReturnType<typeof userActions>,
): Readonly<Record<string, UserAction>> {
  return {
    endpoint: (input) => {
      const endpoint = { url: input.text('url'), secret: input.text('secret') };
      api.webhooks.deliverTo(endpoint);
      return endpoint.url;
    },
    'pass-period': (input) => pass(input.text('subscription')),
  };
}

import type { Act } from '../http/acts.ts';
import type { EmulatedHost } from '../http/host.ts';
import { type ServedEmulator, type ServingOptions, serveEmulator } from '../http/start.ts';
import { endAt, endInPortal, endSubscription, giveUpPayment, passPeriod } from './charging.ts';
import { type Payment, paySession } from './checkout.ts';
import { API_VERSION, type Api, dispatch } from './dispatch.ts';
import type { Card, CheckoutSession, Customer, Invoice, Price, Subscription } from './model.ts';
import { newCustomer, newPrice, type SeedPrice } from './objects.ts';
import { pageAt } from './pages.ts';
import { Store } from './store.ts';
import { type Endpoint, Webhooks } from './webhooks.ts';

export interface StripeEmulatorOptions extends ServingOptions {
  prices?: readonly SeedPrice[];
  /** default {@link SECRET_KEY} */
  secretKey?: string;
  /** default: the system's */
  clock?: () => Date;
}

/** What the emulator takes as its key when it is told no other. */
export const SECRET_KEY = 'sk_test_51emulator0000000000000000';

/** No fault is Stripe's own. */
type NoOwnFault = { kind: never };

export interface StripeEmulator extends ServedEmulator<NoOwnFault> {
  secretKey: string;
  webhooks: Webhooks;
  /** Everything there is now. */
  customers(): Customer[];
  subscriptions(customerId?: string): Subscription[];
  sessions(): CheckoutSession[];
  invoices(): Invoice[];
  /** Sends events there from now on, each signed with the secret; null: nowhere. */
  deliverTo(endpoint: Endpoint | null): void;
  /** Adds a price; one that has its lookup key loses it. */
  addPrice(price: SeedPrice): Price;
  /** The price can not be bought any more. */
  archivePrice(lookupKey: string): void;
  addCustomer(email: string): Customer;
  /** Somebody pays on the payment page at this address. Answers where they are led. @throws when the card is declined */
  pay(sessionUrl: string, payment?: Payment): string;
  setCard(customerId: string, card: Card): void;
  /** What a person does in the billing portal. */
  cancelWithPeriod(subscriptionId: string): void;
  resume(subscriptionId: string): void;
  cancelAtOnce(subscriptionId: string): void;
  /** What the operator does in Stripe: it ends at an instant of its own. */
  cancelAt(subscriptionId: string, end: Date): void;
  /** The period ends; the next is charged. */
  passPeriod(subscriptionId: string): void;
  /** No further attempt to be paid is made. */
  giveUpPayment(subscriptionId: string): void;
}

/**
 * Starts a Stripe that lives in memory: customers, prices, checkout, subscriptions, invoices and the billing portal with
 * Stripe's encoding, errors, idempotency keys and expansion, with pages on which a browser pays, with signed webhooks, and
 * with faults on demand.
 *
 * @throws Error when the port is taken
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
  const people = doneByPeople(api);
  for (const price of options.prices ?? []) people.addPrice(price);
  const served = await serveEmulator({ ...emulatedHost(api), acts: acts(api, people) }, options);
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
        throw new Error('Stripe has no faults of its own.');
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

/** What the owner of the emulator can have happen without a key. */
function doneByPeople(api: Api) {
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
      webhooks.happened('customer.subscription.updated', subscription);
    },
    passPeriod: (subscriptionId: string) => passPeriod(api, store.subscription(subscriptionId)),
    giveUpPayment: (subscriptionId: string) => giveUpPayment(api, store.subscription(subscriptionId)),
  };
}

/** By hand: `{"url", "secret"}` for where events go, `{"subscription"}` for whose period ends. */
function acts(
  api: Api,
  { passPeriod: pass }: ReturnType<typeof doneByPeople>,
): Readonly<Record<string, Act>> {
  return {
    endpoint: (input) => {
      const endpoint = { url: input.text('url'), secret: input.text('secret') };
      api.webhooks.deliverTo(endpoint);
      return endpoint.url;
    },
    'pass-period': (input) => pass(input.text('subscription')),
  };
}

import { email as emailSchema } from '@winnow/contract/account';
import type { Log } from '../../platform/log.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Db } from '../../schema/tables.ts';
import { listOf, type StripeSession, stripeNamedCustomer, stripeObject, stripeSession } from './answers.ts';
import type { StripeClient } from './client.ts';
import { letterOfDoublePayment, letterOfPlanAdded, letterOfWaitingPlan } from './letters.ts';
import * as store from './store.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface PayersOptions {
  db: Db;
  client: StripeClient;
  subscriptions: Subscriptions;
  mails: MailQueue;
  log: Log;
  /** Where people reach this installation, which sessions that were made here name. */
  publicUrl: () => string;
  /** The account of an address; null when there is none. */
  accountOf: (db: Db, email: string) => Promise<OwnerOfAddress | null>;
  /** Whether an account is being removed. */
  isBeingDeleted: (db: Db, accountId: string) => Promise<boolean>;
  /** Makes an account that waits for its owner, or finds the one that does, and mails them the link to it. */
  invite: (transaction: Db, email: string) => Promise<string>;
}

/** Whose an address is. */
export interface OwnerOfAddress {
  accountId: string;
  email: string;
  /** The account still waits for its owner. */
  isPending: boolean;
  /** True if the reader of the address's mail is known to hold the account. */
  isOwnerConfirmed: boolean;
}

/** Of what Stripe lists. */
const AT_MOST = 100;

/** Finds whose a payment is that was made on Stripe's page, be it somebody who had no account. */
export class Payers {
  readonly #options: PayersOptions;

  constructor(options: PayersOptions) {
    this.#options = options;
  }

  /**
   * Sees to a session that was paid: the subscription belongs to the account that opened it or, where a visitor did, to
   * the account of the address that was entered, which is made if need be. Where that account may be somebody else's it
   * waits for {@link settleWaiting}. An account that pays already keeps what it has; then the operator's log and a mail to
   * whoever paid tell of it. What was paid for an account that is being removed is cancelled. Does nothing for sessions
   * that others made with the same Stripe account. May be told as often as one likes.
   */
  async settle(sessionId: string): Promise<void> {
    const { client, db, isBeingDeleted, log, publicUrl, subscriptions } = this.#options;
    const session = await client.ask(stripeSession, (stripe) => stripe.checkout.sessions.retrieve(sessionId));
    const { customer, metadata } = session;
    if (metadata?.winnow_site === undefined || !isPaid(session) || customer === null) return;
    const known = await store.accountOfCustomer(db, customer);
    if (metadata.winnow_site !== publicUrl()) {
      if (known === null) {
        log.warn(
          { sessionId, customer, site: metadata.winnow_site },
          'Somebody paid on a page that a Winnow at another address made: nobody gets the plan here.',
        );
      }
      return;
    }
    if (known === null && ((await subscriptions.ofCustomer(customer)) ?? []).length === 0) {
      log.info({ sessionId, customer }, 'What a visitor had paid for has ended already.');
      return;
    }
    const accountId = known ?? (await this.#giveToVisitor(session, customer));
    if (accountId === null) return;
    if (await isBeingDeleted(db, accountId)) {
      await subscriptions.end(customer);
      log.warn(
        { accountId, sessionId, customer },
        'Somebody paid for an account that is being deleted. It was cancelled: refund it in Stripe.',
      );
      return;
    }
    const reading = await subscriptions.sync(accountId);
    if (known === null) log.info({ accountId, counts: reading?.current?.id }, 'A visitor has paid.');
    else if (reading !== null && reading.count > 1) await this.#tellOfDoublePayment(session, known);
  }

  /** Settles what was paid with an address while nobody knew whose it was, now that this may have changed. */
  async settleWaiting(email: string): Promise<void> {
    const { client } = this.#options;
    const { data: customers } = await client.ask(listOf(stripeNamedCustomer), (stripe) =>
      stripe.customers.list({ email, limit: AT_MOST }),
    );
    const waiting = customers.filter(({ metadata }) => metadata.winnow_waits === WAITS);
    for (const { id: customer } of waiting.reverse()) {
      const { data: sessions } = await client.ask(listOf(stripeSession), (stripe) =>
        stripe.checkout.sessions.list({ customer, status: 'complete', limit: AT_MOST }),
      );
      for (const { id } of sessions) await this.settle(id);
    }
  }

  /** The account that has a visitor's customer from now on; null where nobody has. */
  async #giveToVisitor(session: StripeSession, customer: string): Promise<string | null> {
    const address = emailSchema.safeParse(session.customer_details?.email ?? '');
    if (address.success) return this.#take(session, customer, address.data);
    this.#options.log.warn(
      { sessionId: session.id, customer },
      'Somebody paid without an address: refund them in Stripe.',
    );
    return null;
  }

  /**
   * Gives a visitor's customer to the account of their address, and mails them; null when it pays already, and when
   * somebody else may have made it.
   */
  async #take(session: StripeSession, customer: string, email: string): Promise<string | null> {
    const { accountOf, db, invite, isBeingDeleted, log, mails, publicUrl, subscriptions } = this.#options;
    const present = await accountOf(db, email);
    // Read anew: what was stored may have ended since.
    if (present !== null) await subscriptions.sync(present.accountId);
    const seen = present === null ? undefined : await subscriptions.find(present.accountId);
    const taken = await db.transaction().execute(async (transaction) => {
      await store.lockPayer(transaction, email);
      const settled = await store.accountOfCustomer(transaction, customer);
      if (settled !== null) return { accountId: settled, email, waits: false };
      const owner = await accountOf(transaction, email);
      if (owner !== null) {
        // Once it is gone, the address is anybody's who reads its mail. Stripe sends the event again.
        if (await isBeingDeleted(transaction, owner.accountId)) {
          throw new Error('The account of this address is being removed.');
        }
        await store.lockPayer(transaction, owner.accountId);
        const row = await store.findSubscription(transaction, owner.accountId);
        if (row !== undefined && row.subscription_id !== null) return null;
        // What that one pays for was not asked yet. Stripe sends the event again.
        if (row?.customer_id !== seen?.customer_id) throw new Error('Another payment is being settled.');
      }
      if (owner === null || owner.isPending) {
        const accountId = await invite(transaction, email);
        await store.setCustomer(transaction, accountId, customer);
        return { accountId, email: owner?.email ?? email, waits: false };
      }
      const waits = !owner.isOwnerConfirmed;
      if (!waits) await store.setCustomer(transaction, owner.accountId, customer);
      const letter = waits
        ? letterOfWaitingPlan(new URL('/forgot-password', publicUrl()).href)
        : letterOfPlanAdded(new URL('/login', publicUrl()).href);
      const key = `plan-added:${session.id}`;
      await mails.add({ to: email, kind: 'plan-added', ...letter }, { db: transaction, key });
      return { ...owner, waits };
    });
    if (taken === null) {
      await this.#tellOfDoublePayment(session, present?.accountId ?? null);
      // Told once: it waits no longer.
      if (present !== null) await this.#name(customer, { ...present, waits: false });
      return null;
    }
    await this.#name(customer, taken);
    if (taken.waits) {
      // Whoever showed to read the mail before the customer was named was asked for too early.
      if ((await accountOf(db, email))?.isOwnerConfirmed) return this.#take(session, customer, email);
      log.info(
        { accountId: taken.accountId, sessionId: session.id, customer },
        'Somebody paid with the address of an account that may not be theirs: it has the plan once they choose a password.',
      );
    }
    return taken.waits ? null : taken.accountId;
  }

  /** Says at Stripe whose a customer is, for operators and for {@link settleWaiting}, which asks by the account's spelling. */
  async #name(
    customer: string,
    { accountId, email, waits }: { accountId: string; email: string; waits: boolean },
  ): Promise<void> {
    const metadata = { winnow_account: accountId, winnow_waits: waits ? WAITS : '' };
    await this.#options.client.ask(stripeObject, (stripe) =>
      stripe.customers.update(customer, { email, metadata }),
    );
  }

  async #tellOfDoublePayment(session: StripeSession, accountId: string | null): Promise<void> {
    const { log, mails, publicUrl } = this.#options;
    log.warn(
      { accountId, sessionId: session.id, customer: session.customer },
      'Somebody paid for an account that pays already. Nothing was taken over: cancel and refund it in Stripe.',
    );
    const to = session.customer_details?.email;
    if (to == null) return;
    const letter = letterOfDoublePayment(new URL('/console/settings/subscription', publicUrl()).href);
    await mails.add({ to, kind: 'double-payment', ...letter }, { key: `double-payment:${session.id}` });
  }
}

/** What a customer says that waits for the owner of its address. */
const WAITS = 'yes';

/** Whether a session is over and its money is there. */
export function isPaid({ status, payment_status }: StripeSession): boolean {
  return status === 'complete' && payment_status !== 'unpaid';
}

import { email as emailSchema } from '@winnow/contract/account';
import type { Log } from '../../platform/log.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Db } from '../../schema/tables.ts';
import { type StripeSession, stripeSession } from './answers.ts';
import type { StripeClient } from './client.ts';
import { letterOfDoublePayment, letterOfPlanAdded } from './letters.ts';
import * as store from './store.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface PayersOptions {
  db: Db;
  client: StripeClient;
  subscriptions: Subscriptions;
  mails: MailQueue;
  log: Log;
  /** What sessions made here say of where they were made. */
  site: () => string;
  /** The account of an address, and whether it still waits for its owner; null when there is none. */
  accountOf: (db: Db, email: string) => Promise<{ accountId: string; isPending: boolean } | null>;
  /** Makes an account that waits for its owner, or finds the one that does, and mails them the link to it. */
  invite: (transaction: Db, email: string) => Promise<string>;
}

/** Finds whose a payment is that was made on Stripe's page, be it somebody who had no account. */
export class Payers {
  readonly #options: PayersOptions;

  constructor(options: PayersOptions) {
    this.#options = options;
  }

  /**
   * Sees to a session that was paid: the subscription belongs to the account that opened it or, where a visitor did, to
   * the account of the address that was entered, which is made if need be. An account that pays already keeps what it
   * has; then the operator's log and a mail to whoever paid tell of it. Does nothing for sessions that others made with
   * the same Stripe account. May be told as often as one likes.
   */
  async settle(sessionId: string): Promise<void> {
    const { client, db, log, site, subscriptions } = this.#options;
    const session = await client.ask(stripeSession, (stripe) => stripe.checkout.sessions.retrieve(sessionId));
    const { customer, metadata } = session;
    if (metadata?.winnow_site !== site() || !isPaid(session) || customer === null) return;
    const known = await store.accountOfCustomer(db, customer);
    if (known !== null) {
      const reading = await subscriptions.sync(known);
      if (reading !== null && reading.count > 1) await this.#tellOfDoublePayment(session, known);
      return;
    }
    const address = emailSchema.safeParse(session.customer_details?.email ?? '');
    if (!address.success) {
      log.warn({ sessionId, customer }, 'Somebody paid without an address: refund them in Stripe.');
      return;
    }
    const accountId = await this.#take(session, customer, address.data);
    if (accountId === null) return;
    const reading = await subscriptions.sync(accountId);
    log.info({ accountId, counts: reading?.current?.id }, 'A visitor has paid.');
  }

  /** Gives a visitor's customer to the account of their address, and mails them; null when it pays already. */
  async #take(session: StripeSession, customer: string, email: string): Promise<string | null> {
    const { accountOf, db, invite, mails, site, subscriptions } = this.#options;
    const present = await accountOf(db, email);
    // Read anew: what was stored may have ended since.
    if (present !== null) await subscriptions.sync(present.accountId);
    const seen = present === null ? undefined : await subscriptions.find(present.accountId);
    const taken = await db.transaction().execute(async (transaction) => {
      await store.lockPayer(transaction, email);
      const settled = await store.accountOfCustomer(transaction, customer);
      if (settled !== null) return settled;
      const owner = await accountOf(transaction, email);
      if (owner !== null) {
        await store.lockPayer(transaction, owner.accountId);
        const row = await store.findSubscription(transaction, owner.accountId);
        if (row !== undefined && row.subscription_id !== null) return null;
        // What that one pays for was not asked yet. Stripe sends the event again.
        if (row?.customer_id !== seen?.customer_id) throw new Error('Another payment is being settled.');
      }
      if (owner === null || owner.isPending) {
        const accountId = await invite(transaction, email);
        await store.setCustomer(transaction, accountId, customer);
        return accountId;
      }
      await store.setCustomer(transaction, owner.accountId, customer);
      const letter = letterOfPlanAdded(new URL('/login', site()).href);
      await mails.add({ to: email, kind: 'plan-added', ...letter }, { db: transaction });
      return owner.accountId;
    });
    if (taken === null) await this.#tellOfDoublePayment(session, present?.accountId ?? null);
    return taken;
  }

  async #tellOfDoublePayment(session: StripeSession, accountId: string | null): Promise<void> {
    const { log, mails, site } = this.#options;
    log.warn(
      { accountId, sessionId: session.id, customer: session.customer },
      'Somebody paid for an account that pays already. Nothing was taken over: cancel and refund it in Stripe.',
    );
    const to = session.customer_details?.email;
    if (to == null) return;
    const letter = letterOfDoublePayment(new URL('/console/settings/subscription', site()).href);
    await mails.add({ to, kind: 'double-payment', ...letter }, { key: `double-payment:${session.id}` });
  }
}

function isPaid({ status, payment_status }: StripeSession): boolean {
  return status === 'complete' && payment_status !== 'unpaid';
}

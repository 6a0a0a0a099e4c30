import { email as emailSchema } from '@winnow/contract/account';
import type { Log } from '../../platform/log.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Db } from '../../schema/tables.ts';
import type { StripeClient } from './client.ts';
import { doublePaymentEmail, planAddedEmail, planWaitingEmail } from './email-texts.ts';
import { listOf, type StripeSession, stripeNamedCustomer, stripeObject, stripeSession } from './schemas.ts';
import * as store from './store.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface PayersOptions {
  db: Db;
  client: StripeClient;
  subscriptions: Subscriptions;
  mails: MailQueue;
  log: Log;
  /** Public URL of this installation. Checkout sessions created here store it. */
  publicUrl: () => string;
  /** Returns the account of an email address; null if there is none. */
  accountOf: (db: Db, email: string) => Promise<OwnerOfAddress | null>;
  /** True if an account is being deleted. */
  isBeingDeleted: (db: Db, accountId: string) => Promise<boolean>;
  /**
   * Returns the account invited with an address, and creates it if necessary. Emails the invitation
   * link to the address.
   */
  invite: (transaction: Db, email: string) => Promise<string>;
}

/** The account registered with an email address. */
interface OwnerOfAddress {
  accountId: string;
  email: string;
  /** True if the account was created by invitation and has no password yet. */
  isPending: boolean;
  /** True if the account's owner has proved to receive mail at this address. */
  isOwnerConfirmed: boolean;
}

/** Page size of list requests to Stripe. */
const PAGE_SIZE = 100;

/**
 * Assigns payments made on Stripe's pages to accounts. Visitors may pay before they have an
 * account.
 */
export class Payers {
  readonly #options: PayersOptions;

  constructor(options: PayersOptions) {
    this.#options = options;
  }

  /**
   * Assigns the subscription of a paid checkout session to an account. A session opened by an
   * account belongs to that account. A visitor's session belongs to the account of the entered
   * email address, which is created if necessary. If that account may belong to someone else, the
   * payment waits for {@link settleWaiting}.
   *
   * An account that already pays keeps its subscription. The second payment is logged, and the
   * payer is notified by email. A payment for an account that is being deleted is canceled.
   * Sessions of other software are ignored. Safe to repeat.
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
          'Someone paid on a page of a Winnow installation at another address. No account here gets the plan.',
        );
      }
      return;
    }
    if (known === null && ((await subscriptions.listOngoing(customer)) ?? []).length === 0) {
      log.info({ sessionId, customer }, 'The subscription that a visitor paid for has already ended.');
      return;
    }
    const accountId = known ?? (await this.#assignVisitor(session, customer));
    if (accountId === null) return;
    if (await isBeingDeleted(db, accountId)) {
      await subscriptions.end(customer);
      log.warn(
        { accountId, sessionId, customer },
        'Someone paid for an account that is being deleted. The subscription was canceled: refund it in Stripe.',
      );
      return;
    }
    const reading = await subscriptions.sync(accountId);
    if (known === null) log.info({ accountId, counts: reading?.current?.id }, 'A visitor paid for a plan.');
    else if (reading !== null && reading.count > 1) await this.#reportDoublePayment(session, known);
  }

  /**
   * Settles the waiting payments of an email address again. Call it after the account with this
   * address was deleted, or after its owner was confirmed.
   */
  async settleWaiting(email: string): Promise<void> {
    const { client } = this.#options;
    const { data: customers } = await client.ask(listOf(stripeNamedCustomer), (stripe) =>
      stripe.customers.list({ email, limit: PAGE_SIZE }),
    );
    const waiting = customers.filter(({ metadata }) => metadata.winnow_waits === WAITING_MARK);
    for (const { id: customer } of waiting.reverse()) {
      const { data: sessions } = await client.ask(listOf(stripeSession), (stripe) =>
        stripe.checkout.sessions.list({ customer, status: 'complete', limit: PAGE_SIZE }),
      );
      for (const { id } of sessions) await this.settle(id);
    }
  }

  /**
   * Assigns the customer of a visitor's session to an account. Returns the id of the account; null
   * if the session has no valid address or the account must not get the payment.
   */
  async #assignVisitor(session: StripeSession, customer: string): Promise<string | null> {
    const address = emailSchema.safeParse(session.customer_details?.email ?? '');
    if (address.success) return this.#assignToOwner(session, customer, address.data);
    this.#options.log.warn(
      { sessionId: session.id, customer },
      'Someone paid without a valid address: refund them in Stripe.',
    );
    return null;
  }

  /**
   * Assigns a visitor's customer to the account of their email address, and emails the visitor.
   * Returns the id of the account. Returns null if that account already pays, or if it may belong
   * to someone else.
   */
  async #assignToOwner(session: StripeSession, customer: string, email: string): Promise<string | null> {
    const { accountOf, db, invite, isBeingDeleted, log, mails, publicUrl, subscriptions } = this.#options;
    const present = await accountOf(db, email);
    // Reads the subscription again, because the stored one may have ended.
    if (present !== null) await subscriptions.sync(present.accountId);
    const seen = present === null ? undefined : await subscriptions.find(present.accountId);
    const taken = await db.transaction().execute(async (transaction) => {
      await store.lockPayer(transaction, email);
      const settled = await store.accountOfCustomer(transaction, customer);
      if (settled !== null) return { accountId: settled, email, waits: false };
      const owner = await accountOf(transaction, email);
      if (owner !== null) {
        // Retries later: Stripe sends the event again. After the deletion, the address is free for
        // a new account.
        if (await isBeingDeleted(transaction, owner.accountId)) {
          throw new Error('The account of this address is being removed.');
        }
        await store.lockPayer(transaction, owner.accountId);
        const row = await store.findSubscription(transaction, owner.accountId);
        if (row !== undefined && row.subscription_id !== null) return null;
        // Another payment has set the customer since the read above. Retries later: Stripe sends
        // the event again.
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
        ? planWaitingEmail(new URL('/forgot-password', publicUrl()).href)
        : planAddedEmail(new URL('/login', publicUrl()).href);
      const key = `plan-added:${session.id}`;
      await mails.add({ to: email, kind: 'plan-added', ...letter }, { db: transaction, key });
      return { ...owner, waits };
    });
    if (taken === null) {
      await this.#reportDoublePayment(session, present?.accountId ?? null);
      // Marked as not waiting, so that the double payment is reported only once.
      if (present !== null) await this.#markCustomer(customer, { ...present, waits: false });
      return null;
    }
    await this.#markCustomer(customer, taken);
    if (taken.waits) {
      // The owner may have been confirmed before the customer was marked. Then `settleWaiting` has
      // missed this payment.
      if ((await accountOf(db, email))?.isOwnerConfirmed)
        return this.#assignToOwner(session, customer, email);
      log.info(
        { accountId: taken.accountId, sessionId: session.id, customer },
        'Someone paid with the address of an account that may not be theirs. It gets the plan once they choose a password.',
      );
    }
    return taken.waits ? null : taken.accountId;
  }

  /**
   * Stores the account of a customer in Stripe's metadata, for operators. Also stores the account's
   * email address, by which {@link settleWaiting} finds customers.
   */
  async #markCustomer(
    customer: string,
    { accountId, email, waits }: { accountId: string; email: string; waits: boolean },
  ): Promise<void> {
    const metadata = { winnow_account: accountId, winnow_waits: waits ? WAITING_MARK : '' };
    await this.#options.client.ask(stripeObject, (stripe) =>
      stripe.customers.update(customer, { email, metadata }),
    );
  }

  async #reportDoublePayment(session: StripeSession, accountId: string | null): Promise<void> {
    const { log, mails, publicUrl } = this.#options;
    log.warn(
      { accountId, sessionId: session.id, customer: session.customer },
      'Someone paid for an account that already pays. The second payment is not used: cancel and refund it in Stripe.',
    );
    const to = session.customer_details?.email;
    if (to == null) return;
    const letter = doublePaymentEmail(new URL('/console/settings/subscription', publicUrl()).href);
    await mails.add({ to, kind: 'double-payment', ...letter }, { key: `double-payment:${session.id}` });
  }
}

/** Metadata value of a customer whose payment waits until the owner of its address is confirmed. */
const WAITING_MARK = 'yes';

/** True if a checkout session is complete and paid. */
export function isPaid({ status, payment_status }: StripeSession): boolean {
  return status === 'complete' && payment_status !== 'unpaid';
}

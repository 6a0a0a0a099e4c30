import type { AccountDeletion } from '@winnow/contract/account';
import { sql } from 'kysely';
import { deleteInBatches } from '../../platform/batched-delete.ts';
import { badRequest, invalid, notFound } from '../../platform/errors.ts';
import type { JobContext } from '../../platform/jobs/job.ts';
import type { Log } from '../../platform/log.ts';
import { writeLetter } from '../../platform/mail/letter.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Db, Tables } from '../../schema/tables.ts';
import type { AccountActivity } from '../activity.ts';
import type { Client } from '../client.ts';
import { countLogin, forgiveLogin } from '../login-limit.ts';
import { passwordMatches } from '../passwords.ts';
import { findUser, holdPassword } from '../store.ts';
import type { AccountLock } from './lock.ts';
import * as store from './store.ts';

export { isLeaving } from './store.ts';

export interface LeavingOptions {
  db: Db;
  lock: AccountLock;
  activity: AccountActivity;
  mails: MailQueue;
  log: Log;
  now: () => Date;
  /** Ends what is paid for; safe to repeat. Throws when it could not be done. Null where nothing is sold. */
  endPayments: ((accountId: string) => Promise<void>) | null;
  /** Has what we made in trackers taken away, in the transaction that removes the account. */
  onRemoved: (transaction: Db, accountId: string) => Promise<void>;
  /** Told in that transaction of an address which is nobody's from then on. */
  onAddressFree: (transaction: Db, email: string) => Promise<void>;
}

const DONE = writeLetter({
  subject: 'Your Winnow account is deleted',
  opening: [
    'Your Winnow account and everything in it is deleted, as you asked for.',
    'Webhooks that Winnow made in your trackers are being removed. What was written to your trackers stays there.',
  ],
});

/** What is most of an account: removed little by little before the rest goes at once. What refers to it goes with it. */
const LARGE = [
  'pair',
  'issue_vector',
  'search_document',
  'dependency_reading',
  'comment',
  'issue',
  'tracker_event',
  'flow_log',
  'ai_call',
  'api_usage',
] as const satisfies readonly (keyof Tables)[];

/** Leaving for good: an account is locked at once and removed by a job soon after. */
export class Leaving {
  readonly #options: LeavingOptions;

  constructor(options: LeavingOptions) {
    this.#options = options;
  }

  /**
   * Locks the account and has it removed. 422 when the username is not the user's, 400 when the password is wrong, which counts
   * like a failure to sign in.
   */
  async leave(
    { accountId, userId }: { accountId: string; userId: string },
    request: AccountDeletion,
    client: Client,
  ): Promise<void> {
    const { activity, db, lock, now } = this.#options;
    const user = await findUser(db, accountId, userId);
    if (!user) throw notFound();
    if (request.username !== user.username) {
      throw invalid([{ path: 'username', message: 'This is not your username.' }]);
    }
    const where = { caller: client.caller, isTrusted: true };
    const attempt = await countLogin(db, { userId }, where, now());
    const wrong = () => badRequest('Current password is incorrect.', 'wrong_password');
    if (!(await passwordMatches(user.password_hash, request.current_password))) {
      await activity.record(db, { userId, kind: 'password_check_failed', client });
      throw wrong();
    }
    await db.transaction().execute(async (transaction) => {
      if (!(await holdPassword(transaction, user))) throw wrong();
      await forgiveLogin(transaction, attempt);
      await lock.lock(transaction, accountId);
    });
  }

  /** Asks again for what was not done yet. */
  async resume(): Promise<void> {
    const { db, lock } = this.#options;
    for (const accountId of await store.accountsLeaving(db)) await lock.requestRemoval(db, accountId);
  }

  /** Removes all of a locked account; safe to repeat. */
  async remove(accountId: string, { signal, isLastAttempt }: JobContext): Promise<void> {
    const { db, mails, onAddressFree, onRemoved } = this.#options;
    if (!(await store.isLeaving(db, accountId))) return;
    await this.#endPayments(accountId, isLastAttempt);
    for (const table of LARGE) {
      signal.throwIfAborted();
      await deleteInBatches(db, table, sql<boolean>`account_id = ${accountId}`);
    }
    await db.transaction().execute(async (transaction) => {
      await onRemoved(transaction, accountId);
      for (const to of await store.deleteAccount(transaction, accountId)) {
        await mails.add({ to, kind: 'account_deleted', ...DONE }, { db: transaction });
        await onAddressFree(transaction, to);
      }
    });
    await store.deleteRemains(db);
  }

  async #endPayments(accountId: string, isLastAttempt: boolean): Promise<void> {
    const { db, endPayments, log } = this.#options;
    // Read before: what was ended is not named any more, and an account that is gone cannot be looked up.
    const payer = { account_id: accountId, ...(await store.payerOf(db, accountId)) };
    if (endPayments === null) {
      if (payer.subscription_id == null) return;
      log.warn(payer, 'Cancel what this account pays for by hand: it is removed, and Stripe is not set up.');
      return;
    }
    try {
      await endPayments(accountId);
    } catch (error) {
      if (!isLastAttempt) throw error;
      log.error({ error, ...payer }, 'Cancel what this account pays for by hand: it is removed.');
    }
  }
}

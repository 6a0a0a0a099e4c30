import type { AccountDeletion } from '@winnow/contract/account';
import { invalid, notFound } from '../../platform/errors.ts';
import type { JobContext } from '../../platform/jobs/job.ts';
import type { Log } from '../../platform/log.ts';
import { writeLetter } from '../../platform/mail/letter.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Db } from '../../schema/tables.ts';
import type { AccountActivity } from '../activity.ts';
import type { Client } from '../client.ts';
import { clearFailedLogins } from '../login-limit.ts';
import { checkPassword, wrongPassword } from '../password-check.ts';
import type { FactorChecks } from '../second-factors/factor-checks.ts';
import { findUser, lockUnchangedPassword } from '../store.ts';
import type { AccountLock } from './lock.ts';
import * as store from './store.ts';

export { isBeingDeleted } from './store.ts';

export interface AccountRemovalOptions {
  db: Db;
  lock: AccountLock;
  activity: AccountActivity;
  factorChecks: FactorChecks;
  mails: MailQueue;
  log: Log;
  now: () => Date;
  /**
   * Ends the user's memberships in other workspaces. Returns the id of the account to delete.
   * Throws 409 if a workspace would lose its last owner.
   */
  prepareDeparture: (
    transaction: Db,
    user: { userId: string; homeId: string },
    client: Client,
  ) => Promise<string>;
  /**
   * Ends the account's payments. Safe to repeat; throws if a payment could not be ended. Null if
   * payments are not set up.
   */
  endPayments: ((accountId: string) => Promise<void>) | null;
  /**
   * Requests the removal of our webhooks from trackers, in the transaction that deletes the
   * account.
   */
  onRemoved: (transaction: Db, accountId: string) => Promise<void>;
  /** Called in the same transaction, with the email address that can then be registered again. */
  onAddressFree: (transaction: Db, email: string) => Promise<void>;
}

const DELETED_EMAIL = writeLetter({
  subject: 'Your Winnow account is deleted',
  opening: [
    'Your Winnow account and everything in it was deleted, as you requested.',
    'Webhooks that Winnow created in your trackers are being removed. What Winnow wrote to your trackers stays there.',
  ],
});

/** Deletes accounts: locks an account immediately and removes its data in a job. */
export class AccountRemoval {
  readonly #options: AccountRemovalOptions;

  constructor(options: AccountRemovalOptions) {
    this.#options = options;
  }

  /**
   * Locks the account and requests its removal. Throws 422 if the username is wrong. Throws 400 if
   * the password is wrong, which also counts as a failed sign-in at this IP address. A user with a
   * second factor must prove it too. Throws 429 beyond the limits of {@link checkPassword}. Throws
   * 409 if a workspace would lose its last owner.
   */
  async requestRemoval(
    { accountId, userId, sessionId }: { accountId: string; userId: string; sessionId: string },
    request: AccountDeletion,
    client: Client,
  ): Promise<void> {
    const { db, factorChecks, lock, prepareDeparture } = this.#options;
    const user = await findUser(db, accountId, userId);
    if (!user) throw notFound();
    if (request.username !== user.username) {
      throw invalid([{ path: 'username', message: 'This is not your username.' }]);
    }
    const factor = { code: request.code, passkey: request.passkey };
    await factorChecks.expectGiven(user, factor);
    const attempt = await checkPassword(this.#options, user, request.current_password, client);
    const how = { use: { kind: 'change', sessionId }, client } as const;
    await factorChecks.run(user, factor, how, async (transaction, expectFactor) => {
      if (!(await lockUnchangedPassword(transaction, user))) throw wrongPassword();
      await expectFactor();
      await clearFailedLogins(transaction, attempt);
      const home = await prepareDeparture(transaction, { userId, homeId: accountId }, client);
      await lock.lock(transaction, home);
    });
  }

  /** Requests unfinished removals again. */
  async resume(): Promise<void> {
    const { db, lock } = this.#options;
    for (const accountId of await store.listAccountsToDelete(db)) await lock.requestRemoval(db, accountId);
  }

  /** Removes all data of a locked account. Safe to repeat. */
  async remove(accountId: string, { signal, isLastAttempt }: JobContext): Promise<void> {
    const { db, mails, onAddressFree, onRemoved } = this.#options;
    if (!(await store.isBeingDeleted(db, accountId))) return;
    await this.#endPayments(accountId, isLastAttempt);
    await store.deleteLargeTables(db, accountId, signal);
    await db.transaction().execute(async (transaction) => {
      await onRemoved(transaction, accountId);
      for (const to of await store.deleteAccount(transaction, accountId)) {
        await mails.add({ to, kind: 'account_deleted', ...DELETED_EMAIL }, { db: transaction });
        await onAddressFree(transaction, to);
      }
    });
    await store.deleteOrphanedRows(db);
  }

  async #endPayments(accountId: string, isLastAttempt: boolean): Promise<void> {
    const { db, endPayments, log } = this.#options;
    // Read this before ending payments: ended ones are not listed, and a deleted account cannot be
    // looked up.
    const payer = { account_id: accountId, ...(await store.findPayer(db, accountId)) };
    if (endPayments === null) {
      if (payer.subscription_id == null) return;
      log.warn(
        payer,
        'Cancel the subscription of this account manually: the account is being deleted, and Stripe is not set up.',
      );
      return;
    }
    try {
      await endPayments(accountId);
    } catch (error) {
      if (!isLastAttempt) throw error;
      log.error(
        { error, ...payer },
        'Cancel the subscription of this account manually: the account is being deleted.',
      );
    }
  }
}

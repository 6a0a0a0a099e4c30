import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Db } from '../../schema/tables.ts';
import type { Sessions } from '../sessions.ts';
import { removeAccount, removeAccountQueueKey } from './job.ts';
import * as store from './store.ts';

export interface AccountLockOptions {
  jobs: Jobs;
  sessions: Sessions;
  now: () => Date;
  /** Ends background work of the account. Called last in the transaction that locks the account. */
  onLocked: (transaction: Db, accountId: string) => Promise<void>;
}

/**
 * First step of every deletion: locks an account, so that no one can use it, and requests its
 * removal.
 */
export class AccountLock {
  readonly #options: AccountLockOptions;

  constructor(options: AccountLockOptions) {
    this.#options = options;
  }

  /** Locks an account and requests its removal. Must be the last step of a transaction. */
  async lock(transaction: Db, accountId: string): Promise<void> {
    const { sessions, now, onLocked } = this.#options;
    const users = await store.lockAccount(transaction, accountId, now());
    await this.requestRemoval(transaction, accountId);
    for (const userId of users) await sessions.signOutEverywhere(transaction, accountId, userId);
    await onLocked(transaction, accountId);
  }

  /** Requests the removal of a locked account. Safe to repeat. */
  async requestRemoval(db: Db, accountId: string): Promise<void> {
    const options = { ...removeAccountQueueKey(accountId), onlyIfNone: true, db };
    await this.#options.jobs.enqueue(removeAccount, { account_id: accountId }, options);
  }
}

import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Db } from '../../schema/tables.ts';
import type { Sessions } from '../sessions.ts';
import { removeAccount, removeAccountPlace } from './job.ts';
import * as store from './store.ts';

export interface AccountLockOptions {
  jobs: Jobs;
  sessions: Sessions;
  now: () => Date;
  /** Ends what goes on by itself, last in the transaction that locks the account. */
  onLocked: (transaction: Db, accountId: string) => Promise<void>;
}

/** What leaving begins with, whoever asks for it: nobody gets into the account any more, and it is going to be removed. */
export class AccountLock {
  readonly #options: AccountLockOptions;

  constructor(options: AccountLockOptions) {
    this.#options = options;
  }

  /** Locks an account and has it removed. The last thing to do in a transaction. */
  async lock(transaction: Db, accountId: string): Promise<void> {
    const { sessions, now, onLocked } = this.#options;
    const users = await store.lockAccount(transaction, accountId, now());
    await this.requestRemoval(transaction, accountId);
    for (const userId of users) await sessions.signOutEverywhere(transaction, accountId, userId);
    await onLocked(transaction, accountId);
  }

  /** Has a locked account removed, which may have been asked for already. */
  async requestRemoval(db: Db, accountId: string): Promise<void> {
    const place = { ...removeAccountPlace(accountId), onlyIfNone: true, db };
    await this.#options.jobs.enqueue(removeAccount, { account_id: accountId }, place);
  }
}

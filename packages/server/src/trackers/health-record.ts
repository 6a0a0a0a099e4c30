import type { Db } from '../schema/tables.ts';
import { healthAfterCheck, healthAfterFailure, healthAfterRefusal, healthAfterWrite } from './health.ts';
import type { ConnectionCheck, TrackerError } from './provider.ts';
import * as store from './store.ts';

/** Records the health of a tracker's connection. No method fails if the tracker was deleted. */
export class HealthRecord {
  readonly #db: Db;
  readonly #now: () => Date;

  constructor(options: { db: Db; now: () => Date }) {
    this.#db = options.db;
    this.#now = options.now;
  }

  /** Records that a check of the connection succeeded. */
  async noteCheck(accountId: string, trackerId: string, check: ConnectionCheck): Promise<void> {
    await this.#change(accountId, trackerId, (row, now) => ({
      login: check.login,
      ...healthAfterCheck(check, row, now),
    }));
  }

  /**
   * Records why reading the tracker failed. `isPause` is true if the reason was only a rate limit.
   */
  async noteFailure(
    accountId: string,
    trackerId: string,
    error: TrackerError,
    isPause: boolean,
  ): Promise<void> {
    const failure = { sentence: error.message, isPause, tokenRefused: error.code === 'unauthorized' };
    await this.#change(accountId, trackerId, (_row, now) => healthAfterFailure(failure, now));
  }

  /**
   * Records that the tracker refused a write because of a missing permission. The refusal is stored
   * until the user enters new credentials or a write succeeds.
   */
  async noteRefusedWrite(accountId: string, trackerId: string, sentence: string): Promise<void> {
    await this.#change(accountId, trackerId, (_row, now) => ({
      write_access: 'refused',
      write_refusal: sentence,
      ...healthAfterRefusal(sentence, now),
    }));
  }

  /** Records that a write succeeded. */
  async noteWrite(accountId: string, trackerId: string): Promise<void> {
    await this.#change(accountId, trackerId, (row, now) =>
      row.write_access === 'works'
        ? null
        : { write_access: 'works', write_refusal: null, ...healthAfterWrite(row, now) },
    );
  }

  async #change(
    accountId: string,
    trackerId: string,
    change: (row: store.TrackerRow, now: Date) => Partial<store.TrackerRow> | null,
  ): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      const row = await store.findTrackerForUpdate(transaction, accountId, trackerId);
      const values = row ? change(row, this.#now()) : null;
      if (values) await store.updateTracker(transaction, accountId, trackerId, values);
    });
  }
}

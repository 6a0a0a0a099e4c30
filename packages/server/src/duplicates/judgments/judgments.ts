import { fitCalibration, UNCALIBRATED } from '@winnow/analysis/calibration';
import { type PairJudgment, SIMILARITY } from '@winnow/contract/duplicate';
import { notFound } from '../../platform/errors.ts';
import type { Db } from '../../schema/tables.ts';
import { refersToMissingRow } from '../../schema/violations.ts';
import * as pairs from '../store.ts';
import * as store from './store.ts';

/**
 * Share of the judgments that must change before the calibration is fitted again. Otherwise, every
 * judgment in a large account would recompute all probabilities.
 */
const REFIT_SHARE = 0.1;

/**
 * Maximum time in milliseconds between the date of a judgment and its commit. A fit may miss
 * judgments that are dated before it and committed after it. The next run therefore counts
 * judgments up to this much older than the fit as changed.
 */
const MAX_COMMIT_MS = 60_000;

export interface JudgmentsOptions {
  db: Db;
  now: () => Date;
  /** Called when the probabilities of an account have changed. */
  onCalibrated: (accountId: string) => Promise<void>;
  /** Enqueues a run of `calibrate` for an account when this transaction commits. */
  requestCalibration: (db: Db, accountId: string) => Promise<void>;
}

/** Stores people's judgments about pairs, and calibrates the probabilities to them. */
export class Judgments {
  readonly #options: JudgmentsOptions;

  constructor(options: JudgmentsOptions) {
    this.#options = options;
  }

  /**
   * Stores a judgment of a pair. Writes nothing to a tracker. Throws `not_found` for an unknown
   * pair.
   */
  async set(accountId: string, pairId: string, judgment: PairJudgment, by: store.Judge): Promise<void> {
    const { now } = this.#options;
    await this.#change(accountId, pairId, (db, pair) =>
      store.storeJudgment(db, accountId, pair, { judgment, by, at: now() }),
    );
  }

  /** Removes the judgment of a pair, if there is one. Throws `not_found` for an unknown pair. */
  async remove(accountId: string, pairId: string): Promise<void> {
    await this.#change(accountId, pairId, (db, pair) => store.removeJudgment(db, accountId, pair));
  }

  async #change(
    accountId: string,
    pairId: string,
    change: (db: Db, pair: pairs.PairRow) => Promise<void>,
  ): Promise<void> {
    const { db, requestCalibration } = this.#options;
    const pair = await pairs.findPairById(db, accountId, pairId);
    if (!pair) throw notFound();
    try {
      await db.transaction().execute(async (transaction) => {
        await change(transaction, pair);
        await pairs.refreshStanding(transaction, accountId, pair);
        await requestCalibration(transaction, accountId);
      });
    } catch (error) {
      // The tracker of the pair was removed in the meantime.
      throw refersToMissingRow(error) ? notFound() : error;
    }
  }

  /**
   * Fits the calibration of an account to its judgments. If the calibration has changed, recomputes
   * all probabilities. Does nothing if only few judgments have changed since the last fit.
   * Completes an interrupted run.
   *
   * The uncalibrated probabilities apply if there are too few judgments, or if the fit is worse on
   * the pairs held back to check it.
   */
  async calibrate(accountId: string, signal: AbortSignal): Promise<void> {
    const { db, now, onCalibrated } = this.#options;
    const fittedAt = now();
    const [known, judged] = await Promise.all([
      store.findCalibration(db, accountId),
      store.findLabeledPairs(db, accountId, SIMILARITY.identical),
    ]);
    if (known?.is_applied === true) {
      const countedUntil = known.fitted_at.getTime() - MAX_COMMIT_MS;
      const renewed = judged.filter(({ judgedAt }) => judgedAt.getTime() > countedUntil).length;
      const changed = Math.max(renewed, Math.abs(judged.length - known.judged));
      if (changed < Math.max(1, REFIT_SHARE * known.judged)) return;
    }
    const fit = fitCalibration(judged);
    if (known === undefined && fit === null) return;
    const counted = { judged: judged.length, fitted_at: fittedAt };
    const calibration = fit?.calibration ?? UNCALIBRATED;
    if (known?.is_applied === true && store.areClose(calibration, known)) {
      await store.storeCalibration(db, { ...known, ...counted });
      return;
    }
    const row = {
      account_id: accountId,
      ...calibration,
      ...counted,
      fitted: fit?.fitted ?? 0,
      held_back: fit?.heldBack ?? 0,
      loss_before: fit?.lossBefore ?? 0,
      loss_after: fit?.lossAfter ?? 0,
    };
    await store.storeCalibration(db, { ...row, is_applied: false });
    await store.refreshProbabilities(db, accountId, signal);
    await store.storeCalibration(db, { ...row, is_applied: true });
    await onCalibrated(accountId);
  }
}

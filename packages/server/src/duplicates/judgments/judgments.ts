import { fitCalibration, UNCALIBRATED } from '@winnow/analysis/calibration';
import { type PairJudgment, SIMILARITY } from '@winnow/contract/duplicate';
import type { LiveEvent } from '@winnow/contract/live';
import { notFound } from '../../platform/errors.ts';
import type { Db } from '../../schema/tables.ts';
import { refersToMissingRow } from '../../schema/violations.ts';
import * as pairs from '../store.ts';
import * as store from './store.ts';

/**
 * Change of the number of judged pairs, as a share, at which the calibration is fitted again. A
 * large account is then not recomputed after every judgment.
 */
const REFIT_SHARE = 0.1;

/** Marks a calibration whose probabilities are not all computed yet. */
const UNFINISHED = 0;

export interface JudgmentsOptions {
  db: Db;
  now: () => Date;
  publish: (accountId: string, event: LiveEvent) => Promise<void>;
  /** Requests that `calibrate` runs for an account after this transaction. */
  requestCalibration: (db: Db, accountId: string) => Promise<void>;
}

/** Stores how people judge pairs, and calibrates the probabilities to it. */
export class Judgments {
  readonly #options: JudgmentsOptions;

  constructor(options: JudgmentsOptions) {
    this.#options = options;
  }

  /**
   * Stores what a person says about a pair, or removes it (null). Writes nothing to a tracker.
   * Throws 404 for an unknown pair.
   */
  async judge(accountId: string, pairId: string, judgment: PairJudgment | null, by: string): Promise<void> {
    const { db, now, requestCalibration } = this.#options;
    const pair = await pairs.findPairById(db, accountId, pairId);
    if (!pair) throw notFound();
    try {
      await db.transaction().execute(async (transaction) => {
        const said = judgment === null ? null : { judgment, by, at: now() };
        await store.storeJudgment(transaction, accountId, pair, said);
        await requestCalibration(transaction, accountId);
      });
    } catch (error) {
      // Its tracker was removed in between.
      throw refersToMissingRow(error) ? notFound() : error;
    }
  }

  /**
   * Fits the calibration of an account to its judged pairs, and computes all probabilities anew if
   * it changed. Without enough judged pairs the shipped probabilities apply. Does nothing while few
   * judgments were added since the last fit. Safe to run again after an interruption.
   */
  async calibrate(accountId: string, signal: AbortSignal): Promise<void> {
    const { db, now, publish } = this.#options;
    const [known, judged] = await Promise.all([
      store.findCalibration(db, accountId),
      store.countJudgments(db, accountId),
    ]);
    if (known !== undefined && Math.abs(judged - known.judged) < REFIT_SHARE * known.judged) return;
    const fit = fitCalibration(await store.judgedPairs(db, accountId, SIMILARITY.identical));
    if (known === undefined && fit === null) return;
    const calibration = fit?.calibration ?? UNCALIBRATED;
    const row = {
      account_id: accountId,
      ...calibration,
      fitted: fit?.fitted ?? 0,
      held_back: fit?.heldBack ?? 0,
      loss_before: fit?.lossBefore ?? 0,
      loss_after: fit?.lossAfter ?? 0,
      fitted_at: now(),
    };
    if (known?.judged === UNFINISHED || !store.areClose(calibration, known ?? UNCALIBRATED)) {
      await store.storeCalibration(db, { ...row, judged: UNFINISHED });
      await store.refreshProbabilities(db, accountId, signal);
    }
    if (fit === null) await store.deleteCalibration(db, accountId);
    else await store.storeCalibration(db, { ...row, judged });
    await publish(accountId, { type: 'pairs_changed', state: 'idle', progress: null });
  }
}

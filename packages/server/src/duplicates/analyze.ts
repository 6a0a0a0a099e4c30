import type { LiveEvent } from '@winnow/contract/live';
import { addUsage } from '../billing/index.ts';
import {
  type Engine,
  type IndexStatus,
  markAnalyzed,
  type PairColumns,
  setAnalysisProgress,
} from '../issues/index.ts';
import type { Db } from '../schema/tables.ts';
import { isSyncing } from '../trackers/index.ts';
import { scorePairs } from './pair-likelihood.ts';
import { storeSeries } from './series-store.ts';
import { deleteUnscored, findUnscoredPairs, type StoredScore, upsertScores } from './store.ts';

/** Number of issues that are embedded between two progress reports. */
const EMBED_BATCH = 64;
/** Number of pairs that one transaction writes. */
const WRITE_BATCH = 5_000;
/** Number of decided pairs that one engine call scores. */
const SCORE_BATCH = 500;
/** The smallest UUID, which precedes the id of every pair. */
const NO_PAIR = '00000000-0000-0000-0000-000000000000';
/**
 * Maximum number of new issues that are embedded before their pairs are computed. With more, pairs
 * are first computed from words alone, so that results appear soon.
 */
const EMBED_FIRST_MAX_ISSUES = 20;
/** Share by which the number of issues or vectors must change before the snapshot is renewed. */
const SNAPSHOT_DRIFT = 0.2;
/**
 * Value of {@link SNAPSHOT_DRIFT} while a sync runs. The number of issues must then double before
 * the snapshot is renewed.
 */
const SNAPSHOT_DRIFT_IN_SYNC = 1;

export interface AnalysisOptions {
  db: Db;
  engine: Engine;
  now: () => Date;
  publish: (accountId: string, event: LiveEvent) => Promise<void>;
}

/** Updates the stored pairs of an account when its issues change. */
export class Analysis {
  readonly #options: AnalysisOptions;

  constructor(options: AnalysisOptions) {
    this.#options = options;
  }

  /**
   * Processes everything that changed since the last run. If many issues are not embedded yet,
   * first computes pairs by words, so that a list appears soon. Then embeds the issues, and
   * computes pairs by words and meaning.
   *
   * `isComplete` is false if the embedding model became unavailable. A later run then embeds the
   * remaining issues.
   *
   * Can be run again after any interruption, and does not repeat completed work. Must not run twice
   * at the same time for an account.
   */
  async run(accountId: string, signal: AbortSignal): Promise<{ isComplete: boolean }> {
    const { engine } = this.#options;
    let status = await engine.call('refresh', { accountId });
    let scored = 0;
    let unavailable: string | null = null;
    for (let done = 0; status.withoutVector.length > 0 && unavailable === null; ) {
      signal.throwIfAborted();
      await this.#report(accountId, 'analyzing', status.notice, done, done + status.withoutVector.length);
      if (status.withoutVector.length > EMBED_FIRST_MAX_ISSUES && status.documents >= 2 * scored) {
        await this.#score(accountId, status, signal);
        scored = status.documents;
      }
      const issueIds = status.withoutVector.slice(0, EMBED_BATCH);
      const { stored, notice } = await engine.call('embed', { accountId, issueIds });
      done += stored;
      unavailable = notice;
      status = await engine.call('refresh', { accountId });
    }
    await this.#score(accountId, status, signal);
    await this.#scoreDecided(accountId, signal);
    await this.#markAnalyzed(accountId, status);
    await this.#report(accountId, 'idle', unavailable ?? status.notice, 0, 0);
    return { isComplete: unavailable === null };
  }

  /**
   * Scores the pairs of the changed issues and stores them. If the snapshot is renewed, does so for
   * all issues.
   */
  async #score(accountId: string, status: IndexStatus, signal: AbortSignal): Promise<void> {
    const { db, engine, now } = this.#options;
    const startedAt = now();
    const renew = await this.#needsSnapshot(accountId, status);
    if (!renew && status.toAnalyze.length === 0) return;
    const snapshotVersion = renew
      ? await engine.call('takeSnapshot', { accountId })
      : status.snapshot.version;
    const rescored = renew ? null : status.toAnalyze.map(({ issueId }) => issueId);
    const columns = await engine.call('pairs', { accountId, issueIds: rescored });
    for (let start = 0; start < columns.similarity.length; start += WRITE_BATCH) {
      signal.throwIfAborted();
      const batch = scoresOf(columns, start, start + WRITE_BATCH);
      await db
        .transaction()
        .execute((transaction) =>
          upsertScores(transaction, accountId, { startedAt, snapshotVersion }, batch),
        );
    }
    const series = await engine.call('series', { accountId });
    await db.transaction().execute(async (transaction) => {
      await deleteUnscored(transaction, accountId, startedAt, rescored);
      await storeSeries(transaction, accountId, series);
    });
  }

  /** Scores pairs that have a decision but were not found by the analysis. */
  async #scoreDecided(accountId: string, signal: AbortSignal): Promise<void> {
    const { db, engine, now } = this.#options;
    for (let after = NO_PAIR; ; ) {
      signal.throwIfAborted();
      const unscored = await findUnscoredPairs(db, accountId, { after, limit: SCORE_BATCH });
      const last = unscored.at(-1);
      if (!last) return;
      after = last.id;
      const startedAt = now();
      const pairs = unscored.map(({ issue_a, issue_b }) => [issue_a, issue_b] as const);
      const { snapshot } = await engine.call('refresh', { accountId });
      const scores = await scorePairs(engine, accountId, pairs);
      const run = { startedAt, snapshotVersion: snapshot.version };
      await db.transaction().execute((transaction) => upsertScores(transaction, accountId, run, scores));
    }
  }

  async #needsSnapshot(accountId: string, { snapshot, ...status }: IndexStatus): Promise<boolean> {
    if (snapshot.version === 0 || !snapshot.fits) return status.documents > 0;
    const vectors = status.documents - status.withoutVector.length;
    const drift = Math.max(
      Math.abs(status.documents - snapshot.documents) / Math.max(1, snapshot.documents),
      Math.abs(vectors - snapshot.vectors) / Math.max(1, snapshot.vectors),
    );
    if (drift < SNAPSHOT_DRIFT) return false;
    return (
      drift >= ((await isSyncing(this.#options.db, accountId)) ? SNAPSHOT_DRIFT_IN_SYNC : SNAPSHOT_DRIFT)
    );
  }

  async #markAnalyzed(accountId: string, { toAnalyze, withoutVector }: IndexStatus): Promise<void> {
    const waiting = new Set(withoutVector);
    const analyzed = toAnalyze.filter(({ issueId }) => !waiting.has(issueId));
    if (analyzed.length === 0) return;
    const { db, now } = this.#options;
    await db.transaction().execute(async (transaction) => {
      await markAnalyzed(transaction, accountId, analyzed);
      await addUsage(transaction, accountId, 'issues_processed', analyzed.length, now());
    });
  }

  async #report(
    accountId: string,
    state: 'idle' | 'analyzing',
    notice: string | null,
    done: number,
    total: number,
  ): Promise<void> {
    await setAnalysisProgress(this.#options.db, accountId, { state, notice, done, total });
    await this.#options.publish(accountId, {
      type: 'pairs_changed',
      state,
      progress: state === 'analyzing' ? { done, total } : null,
    });
  }
}

function scoresOf(columns: PairColumns, start: number, end: number): StoredScore[] {
  const { issues, first, second, similarity, logOdds, isMutualBest } = columns;
  return Array.from(similarity.subarray(start, end), (score, index) => ({
    issueId: issues[first[start + index] ?? 0] ?? '',
    otherId: issues[second[start + index] ?? 0] ?? '',
    similarity: score,
    logOdds: logOdds[start + index] ?? 0,
    isMutualBest: isMutualBest[start + index] === 1,
  }));
}

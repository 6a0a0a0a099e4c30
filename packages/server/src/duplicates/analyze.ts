import type { LiveEvent } from '@winnow/contract/live';
import { addUsage } from '../billing/usage/counters.ts';
import type { Engine } from '../issues/engine/engine.ts';
import type { PairColumns, ResidentStatus } from '../issues/engine/messages.ts';
import { markAnalyzed, setAnalysisProgress } from '../issues/service.ts';
import type { Db } from '../schema/tables.ts';
import { isSyncing } from '../trackers/service.ts';
import { storeSeries } from './series-store.ts';
import { deleteUnscored, type StoredScore, upsertScores } from './store.ts';

/** Issues embedded between two reports of progress. */
const EMBED_BATCH = 64;
/** Pairs written in one transaction. */
const WRITE_BATCH = 5_000;
/** Up to here, new issues are embedded before their pairs are computed; above, pairs by words alone come first. */
const EMBED_AT_ONCE = 20;
/** The snapshot is renewed when the account has changed by a fifth since it was taken… */
const SNAPSHOT_DRIFT = 0.2;
/** …or doubled, while a sync still brings issues in. */
const SNAPSHOT_DRIFT_IN_SYNC = 1;

export interface AnalysisOptions {
  db: Db;
  engine: Engine;
  now: () => Date;
  publish: (accountId: string, event: LiveEvent) => Promise<void>;
}

/** Keeps the stored pairs of an account in step with its issues. */
export class Analysis {
  readonly #options: AnalysisOptions;

  constructor(options: AnalysisOptions) {
    this.#options = options;
  }

  /**
   * Brings everything that changed since the last time up to date: pairs by words first, so that a list appears soon,
   * then embeddings, then pairs by both. Safe to run again after a stop at any point; what is done is not done twice.
   * The caller makes sure that an account is analyzed once at a time.
   */
  async run(accountId: string, signal: AbortSignal): Promise<void> {
    const { engine } = this.#options;
    let status = await engine.call('refresh', { accountId });
    let scored = 0;
    for (let done = 0; status.withoutVector.length > 0; ) {
      signal.throwIfAborted();
      await this.#report(accountId, 'analyzing', status.notice, done, done + status.withoutVector.length);
      if (status.withoutVector.length > EMBED_AT_ONCE && status.documents >= 2 * scored) {
        await this.#score(accountId, status, signal);
        scored = status.documents;
      }
      const issueIds = status.withoutVector.slice(0, EMBED_BATCH);
      done += await engine.call('embed', { accountId, issueIds });
      status = await engine.call('refresh', { accountId });
    }
    await this.#score(accountId, status, signal);
    await this.#markAnalyzed(accountId, status);
    await this.#report(accountId, 'idle', status.notice, 0, 0);
  }

  /** Stores the pairs of what changed, or of everything when the snapshot had to be renewed. */
  async #score(accountId: string, status: ResidentStatus, signal: AbortSignal): Promise<void> {
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

  async #needsSnapshot(accountId: string, { snapshot, ...status }: ResidentStatus): Promise<boolean> {
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

  async #markAnalyzed(accountId: string, { toAnalyze }: ResidentStatus): Promise<void> {
    if (toAnalyze.length === 0) return;
    const { db, now } = this.#options;
    await db.transaction().execute(async (transaction) => {
      await markAnalyzed(transaction, accountId, toAnalyze);
      await addUsage(transaction, accountId, 'issues_processed', toAnalyze.length, now());
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

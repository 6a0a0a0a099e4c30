import { type RateLimitUse, TrackerError, type Trackers } from '../trackers/index.ts';
import type { ReadingOptions } from './read-project.ts';
import * as store from './store.ts';
import { SyncRun } from './sync-run.ts';

export interface SyncOptions extends ReadingOptions {
  trackers: Trackers;
  /** Called after the projects in scope have been determined. */
  onScopeSettled?: (accountId: string, trackerId: string) => Promise<void>;
}

/**
 * Outcome of a sync:
 * - `paused`: the sync waits for the end of the tracker's rate limit.
 * - `interrupted`: a temporary fault; a retry may help.
 * - `failed`: the user must fix the cause. `failures` is the number of failed syncs in a row.
 * - `done`: `fullUntil` is the time when the quota resets, if new issues are skipped.
 */
export type SyncOutcome =
  | { state: 'done'; rateLimitUse: RateLimitUse; fullUntil: Date | null }
  | { state: 'paused'; until: Date }
  | { state: 'interrupted' }
  | { state: 'failed'; failures: number };

/** Updates our copy of a tracker's issues. */
export class Sync {
  readonly #options: SyncOptions;

  constructor(options: SyncOptions) {
    this.#options = options;
  }

  /**
   * Syncs one tracker: first its scope, then issues, then comments. Stores each page together with
   * its cursor, so an interrupted sync continues there.
   *
   * An error that the tracker returns is stored as the tracker's sync error. Throws only for
   * internal faults and aborts, and 404 for a deleted tracker. The caller must not run two syncs of
   * a tracker at the same time.
   */
  async run(accountId: string, trackerId: string, signal: AbortSignal): Promise<SyncOutcome> {
    const tracker = await this.#options.trackers.openUnattended(accountId, trackerId);
    const run = new SyncRun(this.#options, tracker, signal);
    try {
      return await run.perform();
    } catch (error) {
      if (!(error instanceof TrackerError)) throw error;
      return run.fail(error);
    }
  }

  /**
   * Stores an internal fault as the sync error of the tracker. Does nothing if the tracker was
   * deleted.
   */
  async recordFault(accountId: string, trackerId: string, sentence: string): Promise<void> {
    const there = await store.saveSyncState(this.#options.db, accountId, trackerId, {
      sync_state: 'failed',
      sync_done: null,
      sync_total: null,
      sync_error: sentence,
    });
    if (!there) return;
    await this.#options.publish(accountId, {
      type: 'sync_progress',
      tracker_id: trackerId,
      state: 'failed',
      progress: null,
    });
  }
}

import { type RateLimitUse, TrackerError, type Trackers } from '../trackers/index.ts';
import type { ReadingOptions } from './read-project.ts';
import * as store from './store.ts';
import { SyncRun } from './sync-run.ts';

export interface SyncOptions extends ReadingOptions {
  trackers: Trackers;
  /** Called when the projects in scope are known. */
  onScopeSettled?: (accountId: string, trackerId: string) => Promise<void>;
}

/**
 * Result of a sync. `paused` waits for the tracker's rate limit, `interrupted` is a temporary
 * fault, and `failed` needs a fix by the user. `failures` counts failed syncs in a row. `fullUntil`
 * is set while new issues are left out.
 */
export type SyncOutcome =
  | { state: 'done'; rateLimitUse: RateLimitUse; fullUntil: Date | null }
  | { state: 'paused'; until: Date }
  | { state: 'interrupted' }
  | { state: 'failed'; failures: number };

/** Brings our copy of a tracker up to date. */
export class Sync {
  readonly #options: SyncOptions;

  constructor(options: SyncOptions) {
    this.#options = options;
  }

  /**
   * Syncs one tracker: scope, then issues, then comments, page by page. Each page is stored
   * together with its cursor, so an interrupted sync resumes there. Errors returned by the tracker
   * are stored as its sync error. Only internal faults, aborts and a 404 for a deleted tracker are
   * thrown. The caller must not run two syncs of one tracker at a time.
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
   * Stores an internal fault as the tracker's sync error. Does nothing if the tracker was deleted.
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

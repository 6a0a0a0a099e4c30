import { type Spending, TrackerError } from '../trackers/provider.ts';
import type { Trackers } from '../trackers/service.ts';
import type { ReadingOptions } from './read-project.ts';
import * as store from './store.ts';
import { SyncRun } from './sync-run.ts';

export interface SyncOptions extends ReadingOptions {
  trackers: Trackers;
  /** Told when it is known which projects of a tracker are in scope. */
  onScopeSettled?: (accountId: string, trackerId: string) => Promise<void>;
}

/**
 * What a sync ended with: `done`, what that cost, and until when new issues are left out, if they are; `paused` until the tracker's limit allows more; `interrupted` by a
 * fault that may pass; or `failed` for a reason that somebody has to mend, so many times in a row.
 */
export type SyncOutcome =
  | { state: 'done'; spending: Spending; fullUntil: Date | null }
  | { state: 'paused'; until: Date }
  | { state: 'interrupted' }
  | { state: 'failed'; failures: number };

/** Brings what we know of a tracker up to date. */
export class Sync {
  readonly #options: SyncOptions;

  constructor(options: SyncOptions) {
    this.#options = options;
  }

  /**
   * One sync of one tracker: scope, then issues, then comments, page by page. Each page is stored together with the
   * place to go on, so a sync that was cut off goes on there. What a tracker refuses is written where a person looks;
   * only our own faults, an abort, and 404 for what is to be read no more are thrown. The caller makes sure that a tracker is synced once at a time.
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

  /** Says at the tracker that its sync stopped for a reason of our own. Nothing when the tracker is gone. */
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

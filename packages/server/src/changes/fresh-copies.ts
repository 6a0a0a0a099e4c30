import { findIssues, type IssueIntake, type IssueView } from '../issues/index.ts';
import type { Log } from '../platform/log.ts';
import type { Db } from '../schema/tables.ts';
import { connectionProblem, type Trackers } from '../trackers/index.ts';
import { projectRefOf, targetOf } from './target.ts';

/**
 * Maximum age in milliseconds of a stored issue to which an agent writes. An older issue is first
 * read from its tracker again.
 */
const FRESH_MS = 60_000;
/**
 * Maximum wait for a tracker, in milliseconds. After this time, the write is planned on the stored
 * issue, and checked again before it is applied.
 */
const READ_WITHIN_MS = 5_000;

export interface FreshCopiesOptions {
  db: Db;
  trackers: Pick<Trackers, 'open'>;
  intake: IssueIntake;
  now: () => Date;
  log: Log;
}

/** Reads stored issues from their trackers again, so that agents plan on current data. */
export class FreshCopies {
  readonly #options: FreshCopiesOptions;

  constructor(options: FreshCopiesOptions) {
    this.#options = options;
  }

  /**
   * Reads issues from their trackers again if they were stored more than a minute ago. If a tracker
   * does not return an issue in time, keeps the stored issue; `synced_at` shows its age.
   */
  async refresh(accountId: string, issueIds: readonly string[], until?: AbortSignal): Promise<void> {
    const { db, now } = this.#options;
    const timeout = AbortSignal.timeout(READ_WITHIN_MS);
    const signal = until === undefined ? timeout : AbortSignal.any([until, timeout]);
    const staleBefore = now().getTime() - FRESH_MS;
    const stored = await findIssues(db, accountId, [...new Set(issueIds)]);
    const stale = stored.filter(({ synced_at: at }) => at === null || at.getTime() < staleBefore);
    await Promise.all(stale.map((issue) => this.#read(issue, signal)));
    until?.throwIfAborted();
  }

  async #read(issue: IssueView, signal: AbortSignal): Promise<void> {
    const { db, trackers, intake, log } = this.#options;
    try {
      const { provider } = await trackers.open(issue.account_id, issue.tracker_id);
      const live = await provider.issue(targetOf(issue), signal);
      if (live === null) return;
      await db
        .transaction()
        .execute((transaction) =>
          intake.storeIssues(transaction, projectRefOf(issue), [live], issue.content_hash),
        );
    } catch (error) {
      if (connectionProblem(error) === null && !signal.aborted) throw error;
      log.info({ issueId: issue.id, err: error }, 'An issue could not be read again before a write.');
    }
  }
}

import { type Engine, type SettledReading, snapshotVersionOf } from '../issues/index.ts';
import type { Db } from '../schema/tables.ts';
import * as store from './text-finding-store.ts';

/** Number of issues that one engine call reads. Engine calls of other users can run in between. */
const READ_BATCH_SIZE = 100;
/** Number of issues that one engine call searches for implied dependencies. */
const LINK_BATCH_SIZE = 2_000;
/** Number of readings that one query loads. Parsing more at once would block the event loop. */
const READINGS_PER_PAGE = 500;
/**
 * Maximum share of changed issues for an incremental search. If more have changed, all issues are
 * searched again.
 */
const MAX_INCREMENTAL_SHARE = 0.05;
/** Minimum interval between two progress events, in milliseconds. */
const MIN_PROGRESS_INTERVAL_MS = 2_000;

export interface TextFindingsOptions {
  db: Db;
  engine: Pick<Engine, 'call'>;
  now: () => Date;
  /** Called when new dependencies can be displayed. */
  onFound: (accountId: string) => Promise<void>;
}

/**
 * Finds dependencies, and duplicates that comments state, in the texts of an account's issues by
 * rules. Stores the result of reading each issue, so that an edit requires reading only that issue
 * again.
 */
export class TextFindings {
  readonly #options: TextFindingsOptions;

  constructor(options: TextFindingsOptions) {
    this.#options = options;
  }

  /**
   * Updates the dependencies of an account from its texts. Safe to repeat after an interruption.
   * Must not run twice at the same time for an account.
   */
  async run(accountId: string, signal: AbortSignal): Promise<void> {
    const { db, now, onFound } = this.#options;
    let toldAt = now().getTime();
    let after = 0;
    for (;;) {
      signal.throwIfAborted();
      const noted = await store.listNoted(db, accountId, after, READ_BATCH_SIZE);
      if (noted.length === 0) break;
      await this.#read(accountId, noted);
      after = noted.at(-1)?.noted ?? after;
      if (now().getTime() - toldAt < MIN_PROGRESS_INTERVAL_MS) continue;
      toldAt = now().getTime();
      await onFound(accountId);
    }
    const isNews = await this.#link(accountId, signal);
    if (isNews || after > 0) await onFound(accountId);
  }

  /** Reads the changed texts of these issues immediately, because a user is waiting. */
  async readNow(accountId: string, issueIds: readonly string[]): Promise<void> {
    const noted = await store.findNoted(this.#options.db, accountId, issueIds);
    if (noted.length > 0) await this.#read(accountId, noted);
  }

  async #read(accountId: string, noted: readonly store.NotedIssue[]): Promise<void> {
    const { db, engine } = this.#options;
    const issueIds = noted.map(({ issue_id }) => issue_id);
    const readings = await engine.call('readDependencies', { accountId, issueIds });
    await store.markMentioningDue(db, accountId, readings);
    await db.transaction().execute(async (transaction) => {
      await store.lockFindings(transaction, accountId);
      await store.saveReadings(transaction, accountId, noted, readings);
    });
  }

  /**
   * Infers dependencies for issues that were read since the last inference, or for all issues if
   * the word weights have changed. Returns true if known dependencies changed.
   */
  async #link(accountId: string, signal: AbortSignal): Promise<boolean> {
    const { db, engine } = this.#options;
    const snapshotVersion = await snapshotVersionOf(db, accountId);
    // Without a snapshot, all words would have the same weight. The analysis will create a snapshot
    // and enqueue this job again.
    if (snapshotVersion === 0 || !(await store.isInferenceDue(db, accountId, snapshotVersion))) return false;
    const all = await this.#readings(accountId);
    const fresh = all.filter(({ linked_with }) => linked_with !== snapshotVersion);
    const due = fresh.length > all.length * MAX_INCREMENTAL_SHARE ? all : fresh;
    const isDue = new Set(due.map(({ issue_id }) => issue_id));
    const readings = all.map(
      ({ issue_id, key, texts }): SettledReading => ({
        id: issue_id,
        key,
        isSettled: !isDue.has(issue_id),
        ...texts,
      }),
    );
    let isNews = false;
    for (let start = 0; start < due.length; start += LINK_BATCH_SIZE) {
      signal.throwIfAborted();
      const issues = due.slice(start, start + LINK_BATCH_SIZE);
      const ids = issues.map(({ issue_id }) => issue_id);
      const issueIds = [...new Set([...ids, ...(await store.listDependents(db, accountId, ids))])];
      const { looked, found } = await engine.call('impliedDependencies', { accountId, readings, issueIds });
      const differs = await db.transaction().execute(async (transaction) => {
        await store.lockFindings(transaction, accountId);
        return store.saveImplied(transaction, accountId, looked, found, { issues, snapshotVersion });
      });
      isNews ||= differs;
    }
    return isNews;
  }

  async #readings(accountId: string): Promise<store.StoredReading[]> {
    const all: store.StoredReading[] = [];
    for await (const page of store.readingsOf(this.#options.db, accountId, READINGS_PER_PAGE))
      all.push(...page);
    return all;
  }
}

import { targetOf } from '../changes/target.ts';
import { findIssuesByKey, type IssueView } from '../issues/service.ts';
import type { Log } from '../platform/log.ts';
import type { Db } from '../schema/tables.ts';
import { connectionProblem } from '../trackers/connections.ts';
import type { Trackers } from '../trackers/service.ts';
import { type DependencyEnds, linksReadAt, replaceTracked } from './store.ts';

/** What a tracker told of an issue holds for so long, unless the issue changes: a link may not count as a change of it. */
const FRESH_MS = 10 * 60_000;
/** Reading the links of a page of issues takes no longer than this. */
const READ_WITHIN_MS = 10_000;

export interface TrackerLinksOptions {
  db: Db;
  trackers: Trackers;
  now: () => Date;
  log: Pick<Log, 'warn'>;
}

/** Keeps which dependencies the trackers have themselves. */
export class TrackerLinks {
  readonly #options: TrackerLinksOptions;

  constructor(options: TrackerLinksOptions) {
    this.#options = options;
  }

  /**
   * Asks the trackers for the links of issues whose stored ones may be old, or of `all`. Answers why some could not be
   * read, in a sentence; of these, what was stored stays. Null when all were.
   */
  async refresh(
    accountId: string,
    issues: readonly IssueView[],
    { all }: { all: boolean },
  ): Promise<string | null> {
    const { db, now } = this.#options;
    const readAt = await linksReadAt(
      db,
      accountId,
      issues.map(({ id }) => id),
    );
    const oldest = now().getTime() - FRESH_MS;
    const due = issues.filter(({ id, updated_at }) => {
      const at = readAt.get(id);
      return all || at === undefined || at.getTime() < oldest || at <= updated_at;
    });
    const signal = AbortSignal.timeout(READ_WITHIN_MS);
    const problems = await Promise.all(due.map((issue) => this.#read(accountId, issue, signal)));
    return problems.find((problem) => problem !== null) ?? null;
  }

  async #read(accountId: string, issue: IssueView, signal: AbortSignal): Promise<string | null> {
    const { db, trackers, now, log } = this.#options;
    try {
      const { provider } = await trackers.open(accountId, issue.tracker_id);
      const readAt = now();
      const links = await provider.links(targetOf(issue), signal);
      const ends: DependencyEnds[] = [];
      for (const { kind, key } of links) {
        if (kind !== 'blocks' && kind !== 'blocked_by') continue;
        const others = await findIssuesByKey(db, accountId, key);
        const other = others.find(({ tracker_id }) => tracker_id === issue.tracker_id);
        // An issue out of scope is none of ours.
        if (!other || other.id === issue.id) continue;
        ends.push(
          kind === 'blocks'
            ? { source_issue: issue.id, dependent_issue: other.id }
            : { source_issue: other.id, dependent_issue: issue.id },
        );
      }
      await db
        .transaction()
        .execute((transaction) => replaceTracked(transaction, accountId, issue.id, ends, readAt));
      return null;
    } catch (error) {
      const problem = signal.aborted ? 'The tracker did not answer in time.' : connectionProblem(error);
      if (problem === null) throw error;
      log.warn({ error }, 'The links of an issue could not be read.');
      return `Not all links could be read: ${problem}`;
    }
  }
}

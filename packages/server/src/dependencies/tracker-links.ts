import { targetOf } from '../changes/index.ts';
import { findIssuesByKey, type IssueView } from '../issues/index.ts';
import type { Log } from '../platform/log.ts';
import { SingleFlight } from '../platform/single-flight.ts';
import type { Db } from '../schema/tables.ts';
import { connectionProblem, type Trackers } from '../trackers/index.ts';
import { type DependencyEnds, linksReadAt, replaceTracked } from './store.ts';
import { lockFindings } from './text-finding-store.ts';

/**
 * Time in milliseconds after which the links of an unchanged issue are read again. In some
 * trackers, a new link does not change the issue's timestamp.
 */
const LINKS_FRESH_MS = 10 * 60_000;
/** Maximum time for reading the links of one issue, in milliseconds. */
const READ_TIMEOUT_MS = 10_000;
/**
 * Time in milliseconds during which a failing tracker is not asked again, unless a user requests
 * it.
 */
const FAILED_TRACKER_PAUSE_MS = 60_000;

export interface TrackerLinksOptions {
  db: Db;
  trackers: Trackers;
  now: () => Date;
  log: Pick<Log, 'warn'>;
  /** Called when new links can be displayed. */
  onRead: (accountId: string) => Promise<void>;
}

/** Result of refreshing links. */
export interface LinksRead {
  /** Sentence that explains why some links could not be read; null if all were read. */
  notice: string | null;
  /** True while some links are still being read. */
  reading: boolean;
}

/** Reads the links between issues from the trackers and stores which dependencies they contain. */
export class TrackerLinks {
  readonly #options: TrackerLinksOptions;
  readonly #running = new SingleFlight<string | null>();
  readonly #pauses = new Map<string, { untilMs: number; problem: string }>();
  readonly #stop = new AbortController();

  constructor(options: TrackerLinksOptions) {
    this.#options = options;
  }

  /**
   * Reads the links of issues from their trackers if the stored links are outdated. With `all`,
   * reads them in any case. If reading fails, keeps the stored links.
   *
   * Stops waiting when `late` resolves; `onRead` then reports the results.
   */
  async refresh(
    accountId: string,
    issues: readonly IssueView[],
    { all, late }: { all: boolean; late: Promise<unknown> },
  ): Promise<LinksRead> {
    const { now, onRead, log } = this.#options;
    const due = all ? issues : await this.#due(accountId, issues);
    const reads = due.map((issue) => this.#readOnce(accountId, issue, { evenIfPaused: all }));
    const done = Promise.all(reads);
    const inTime = await Promise.race([done, late.then(() => null)]);
    if (inTime !== null)
      return { notice: inTime.find((problem) => problem !== null) ?? null, reading: false };
    done
      .then(() => onRead(accountId))
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted) log.warn({ error }, 'The links of issues could not be read.');
      });
    const problems = due.flatMap(({ tracker_id }) => this.#pauseProblemOf(tracker_id, now()) ?? []);
    return { notice: problems[0] ?? null, reading: true };
  }

  /** Aborts reading and waits until it has ended. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running.settled();
  }

  /**
   * Returns the issues whose links were not read recently, or were last read before the issue
   * changed.
   */
  async #due(accountId: string, issues: readonly IssueView[]): Promise<IssueView[]> {
    const { db, now } = this.#options;
    const readAt = await linksReadAt(
      db,
      accountId,
      issues.map(({ id }) => id),
    );
    const oldest = now().getTime() - LINKS_FRESH_MS;
    return issues.filter(({ id, updated_at }) => {
      const at = readAt.get(id);
      return at === undefined || at.getTime() < oldest || at <= updated_at;
    });
  }

  /**
   * Reads the links of an issue; concurrent calls share one read. Returns a sentence that explains
   * the failure, or null if it succeeded.
   */
  async #readOnce(
    accountId: string,
    issue: IssueView,
    { evenIfPaused }: { evenIfPaused: boolean },
  ): Promise<string | null> {
    const { now } = this.#options;
    const pauseProblem = evenIfPaused ? null : this.#pauseProblemOf(issue.tracker_id, now());
    if (pauseProblem !== null) return pauseProblem;
    const problem = await this.#running.run(issue.id, () => this.#read(accountId, issue));
    if (problem === null) this.#pauses.delete(issue.tracker_id);
    else this.#pauses.set(issue.tracker_id, { untilMs: now().getTime() + FAILED_TRACKER_PAUSE_MS, problem });
    return problem;
  }

  /**
   * Returns the last failure of a tracker that is not to be asked at present; null if it may be
   * asked.
   */
  #pauseProblemOf(trackerId: string, now: Date): string | null {
    const pause = this.#pauses.get(trackerId);
    return pause !== undefined && pause.untilMs > now.getTime() ? pause.problem : null;
  }

  async #read(accountId: string, issue: IssueView): Promise<string | null> {
    const { db, trackers, now, log } = this.#options;
    const timeout = AbortSignal.timeout(READ_TIMEOUT_MS);
    try {
      const { provider } = await trackers.open(accountId, issue.tracker_id);
      const readAt = now();
      const links = await provider.links(targetOf(issue), AbortSignal.any([timeout, this.#stop.signal]));
      const ends: DependencyEnds[] = [];
      for (const { kind, key } of links) {
        if (kind !== 'blocks' && kind !== 'blocked_by') continue;
        const others = await findIssuesByKey(db, accountId, key);
        const other = others.find(({ tracker_id }) => tracker_id === issue.tracker_id);
        // Skips links to issues that are not stored.
        if (!other || other.id === issue.id) continue;
        ends.push(
          kind === 'blocks'
            ? { source_issue: issue.id, dependent_issue: other.id }
            : { source_issue: other.id, dependent_issue: issue.id },
        );
      }
      await db.transaction().execute(async (transaction) => {
        await lockFindings(transaction, accountId);
        await replaceTracked(transaction, accountId, issue.id, ends, readAt);
      });
      return null;
    } catch (error) {
      const problem = timeout.aborted ? 'The tracker did not respond in time.' : connectionProblem(error);
      if (problem === null) throw error;
      log.warn({ error }, 'The links of an issue could not be read.');
      return `Not all links could be read: ${problem}`;
    }
  }
}

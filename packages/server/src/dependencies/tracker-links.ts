import { targetOf } from '../changes/target.ts';
import { findIssuesByKey, type IssueView } from '../issues/service.ts';
import type { Log } from '../platform/log.ts';
import { SingleFlight } from '../platform/single-flight.ts';
import type { Db } from '../schema/tables.ts';
import { connectionProblem } from '../trackers/connections.ts';
import type { Trackers } from '../trackers/service.ts';
import { holdFindings } from './finding-store.ts';
import { type DependencyEnds, linksReadAt, replaceTracked } from './store.ts';

/** What a tracker told of an issue holds for so long, unless the issue changes: a link may not count as a change of it. */
const FRESH_MS = 10 * 60_000;
/** Reading the links of an issue takes no longer than this. */
const READ_WITHIN_MS = 10_000;
/** A tracker that could not be read is left alone for so long, unless somebody asks for it. */
const RESTS_MS = 60_000;

export interface TrackerLinksOptions {
  db: Db;
  trackers: Trackers;
  now: () => Date;
  log: Pick<Log, 'warn'>;
  /** Told when there is more to see. */
  onRead: (accountId: string) => Promise<void>;
}

/** How reading links stands. */
export interface LinksRead {
  /** Why some could not be read, in a sentence; null when that is not known of any. */
  notice: string | null;
  /** Some are still being read. */
  reading: boolean;
}

/** Keeps which dependencies the trackers have themselves. */
export class TrackerLinks {
  readonly #options: TrackerLinksOptions;
  readonly #running = new SingleFlight<string | null>();
  readonly #resting = new Map<string, { untilMs: number; problem: string }>();
  readonly #stop = new AbortController();

  constructor(options: TrackerLinksOptions) {
    this.#options = options;
  }

  /**
   * Asks the trackers for the links of issues whose stored ones may be old, or of `all`. Of those that could not be read,
   * what was stored stays. What is not read when `late` comes is told by `onRead`.
   */
  async refresh(
    accountId: string,
    issues: readonly IssueView[],
    { all, late }: { all: boolean; late: Promise<unknown> },
  ): Promise<LinksRead> {
    const { now, onRead, log } = this.#options;
    const due = all ? issues : await this.#due(accountId, issues);
    const reads = due.map((issue) => this.#readOnce(accountId, issue, { evenIfResting: all }));
    const done = Promise.all(reads);
    const inTime = await Promise.race([done, late.then(() => null)]);
    if (inTime !== null)
      return { notice: inTime.find((problem) => problem !== null) ?? null, reading: false };
    done
      .then(() => onRead(accountId))
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted) log.warn({ error }, 'The links of issues could not be read.');
      });
    const resting = due.flatMap(({ tracker_id }) => this.#restOf(tracker_id, now()) ?? []);
    return { notice: resting[0] ?? null, reading: true };
  }

  /** Stops reading, and waits for that. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running.settled();
  }

  /** Those whose links were not read for a while, or not since the issue changed. */
  async #due(accountId: string, issues: readonly IssueView[]): Promise<IssueView[]> {
    const { db, now } = this.#options;
    const readAt = await linksReadAt(
      db,
      accountId,
      issues.map(({ id }) => id),
    );
    const oldest = now().getTime() - FRESH_MS;
    return issues.filter(({ id, updated_at }) => {
      const at = readAt.get(id);
      return at === undefined || at.getTime() < oldest || at <= updated_at;
    });
  }

  /** Reads the links of an issue, once for all who ask; answers why that failed, null when it did not. */
  async #readOnce(
    accountId: string,
    issue: IssueView,
    { evenIfResting }: { evenIfResting: boolean },
  ): Promise<string | null> {
    const { now } = this.#options;
    const resting = evenIfResting ? null : this.#restOf(issue.tracker_id, now());
    if (resting !== null) return resting;
    const problem = await this.#running.run(issue.id, () => this.#read(accountId, issue));
    if (problem === null) this.#resting.delete(issue.tracker_id);
    else this.#resting.set(issue.tracker_id, { untilMs: now().getTime() + RESTS_MS, problem });
    return problem;
  }

  /** Why a tracker is left alone; null when it is not. */
  #restOf(trackerId: string, now: Date): string | null {
    const resting = this.#resting.get(trackerId);
    return resting !== undefined && resting.untilMs > now.getTime() ? resting.problem : null;
  }

  async #read(accountId: string, issue: IssueView): Promise<string | null> {
    const { db, trackers, now, log } = this.#options;
    const timeout = AbortSignal.timeout(READ_WITHIN_MS);
    try {
      const { provider } = await trackers.open(accountId, issue.tracker_id);
      const readAt = now();
      const links = await provider.links(targetOf(issue), AbortSignal.any([timeout, this.#stop.signal]));
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
      await db.transaction().execute(async (transaction) => {
        await holdFindings(transaction, accountId);
        await replaceTracked(transaction, accountId, issue.id, ends, readAt);
      });
      return null;
    } catch (error) {
      const problem = timeout.aborted ? 'The tracker did not answer in time.' : connectionProblem(error);
      if (problem === null) throw error;
      log.warn({ error }, 'The links of an issue could not be read.');
      return `Not all links could be read: ${problem}`;
    }
  }
}

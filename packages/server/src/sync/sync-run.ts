import { skippedIssuesSentence } from '../billing/index.ts';
import { type OpenTracker, type Provider, TrackerError } from '../trackers/index.ts';
import { readLeftOutAgain, trackersLeavingOut } from './left-out-store.ts';
import { ReadingProgress } from './progress.ts';
import { findScope, narrowScope, storeScope } from './project-scope.ts';
import { NEW_ISSUES, type ProjectInScope, ReadProject } from './read-project.ts';
import { ReconcileProject } from './reconcile-project.ts';
import * as store from './store.ts';
import type { SyncOptions, SyncOutcome } from './sync.ts';
import { TrackerGone } from './tracker-gone.ts';

/** A project and the state of reading it in this sync. */
interface Reading extends ProjectInScope {
  read: ReadProject;
  /**
   * True if the tracker has responded that the project is missing or inaccessible. The project is
   * then not read further.
   */
  isShut: boolean;
}

/** Time for which a project may be missing before it is reported as gone. */
const GONE_REPORT_DELAY_MS = 24 * 60 * 60_000;
const ISSUES_RETAINED_HINT = 'Its issues remain in Winnow; remove it from the scope to delete them.';

/** A single sync of a single tracker. */
export class SyncRun {
  readonly #options: SyncOptions;
  readonly #tracker: OpenTracker;
  readonly #provider: Provider;
  readonly #signal: AbortSignal;
  readonly #accountId: string;
  readonly #trackerId: string;
  readonly #problems: string[] = [];
  /** Sentences for users about conditions that do not make the sync fail. */
  readonly #notices: string[] = [];
  readonly #progress = new ReadingProgress();

  constructor(options: SyncOptions, tracker: OpenTracker, signal: AbortSignal) {
    this.#options = options;
    this.#tracker = tracker;
    this.#provider = tracker.provider;
    this.#signal = signal;
    this.#accountId = tracker.row.account_id;
    this.#trackerId = tracker.row.id;
  }

  async perform(): Promise<SyncOutcome> {
    await this.#save({ sync_state: 'running', sync_done: null, sync_total: null });
    await this.#readLeftOutAgain();
    await this.#narrowScope();
    const check = await this.#provider.check(this.#signal);
    await this.#options.trackers.health.noteCheck(this.#accountId, this.#trackerId, check);
    const readings = (await this.#settleScope()).map((place): Reading => {
      const read = new ReadProject(this.#options, this.#tracker, place, this.#signal);
      return { ...place, read, isShut: false };
    });
    await this.#readIssues(readings);
    for (const reading of readings) await this.#guard(reading, () => reading.read.readComments());
    for (const reading of readings) {
      const reconcile = new ReconcileProject(this.#options, this.#tracker, reading, this.#signal);
      await this.#guard(reading, async () => {
        await reconcile.reconcileIfDue();
        const notice = await reconcile.notice();
        if (notice !== null) this.#notices.push(notice);
      });
    }
    const fullUntil = await this.#noteLeftOut(readings);
    const isFailure =
      readings.length > 0 ? readings.every(({ isShut }) => isShut) : this.#problems.length > 0;
    const failures = isFailure ? this.#tracker.row.sync_failures + 1 : 0;
    await this.#save({
      sync_state: this.#problems.length > 0 ? 'failed' : 'idle',
      sync_done: null,
      sync_total: null,
      sync_finished_at: this.#options.now(),
      sync_error: [...this.#problems, ...this.#notices].join(' ') || null,
      sync_failures: failures,
    });
    return isFailure
      ? { state: 'failed', failures }
      : { state: 'done', rateLimitUse: this.#provider.rateLimitUse(), fullUntil };
  }

  /**
   * Resets the tracker's cursors to the positions at which the first new issues were skipped, if
   * quota is available again.
   */
  async #readLeftOutAgain(): Promise<void> {
    const { db, amounts, now } = this.#options;
    const leavingOut = await trackersLeavingOut(db, this.#accountId);
    if (amounts === undefined || !leavingOut.includes(this.#trackerId)) return;
    if (await amounts.hasUnitsLeft(this.#accountId, NEW_ISSUES)) {
      await readLeftOutAgain(db, this.#accountId, this.#trackerId, now());
    }
  }

  /**
   * Adds a notice if new issues are skipped for lack of quota. Returns the time when the quota
   * resets. Returns null if none are skipped.
   */
  async #noteLeftOut(readings: readonly Reading[]): Promise<Date | null> {
    if (!readings.some(({ read }) => read.leavesOut)) return null;
    const limit = (await this.#options.amounts?.limitOf(this.#accountId, NEW_ISSUES)) ?? null;
    if (limit === null) return this.#options.now();
    this.#notices.push(skippedIssuesSentence(limit.plan, limit.resetsAt));
    return limit.resetsAt;
  }

  /** Records why the sync could not read the tracker. */
  async fail(error: TrackerError): Promise<SyncOutcome> {
    const pausedUntil = error.code === 'rate_limited' ? error.retryAt : null;
    const isPause = pausedUntil !== null;
    const failures = this.#tracker.row.sync_failures + (error.transient ? 0 : 1);
    // Stores the reason before the state. A client that is notified of the failure then finds the
    // reason.
    await this.#options.trackers.health.noteFailure(this.#accountId, this.#trackerId, error, isPause);
    await this.#save({
      sync_state: isPause ? 'queued' : 'failed',
      sync_done: null,
      sync_total: null,
      sync_error: error.message,
      sync_failures: failures,
    });
    if (pausedUntil !== null) return { state: 'paused', until: pausedUntil };
    return error.transient ? { state: 'interrupted' } : { state: 'failed', failures };
  }

  async #narrowScope(): Promise<void> {
    const { db, intake } = this.#options;
    const removed = await db
      .transaction()
      .execute((transaction) => narrowScope(transaction, intake, this.#tracker));
    if (removed) await this.#publishIssuesChanged();
  }

  async #settleScope(): Promise<ProjectInScope[]> {
    const found = await findScope(this.#tracker.rules, this.#provider, this.#signal);
    for (const name of found.flatMap(({ missing }) => missing)) {
      this.#note(
        `${name}: Project not found, or its issues cannot be edited with this token. It may be deleted, renamed or archived.`,
      );
    }
    const { db, intake } = this.#options;
    const { inScope, unlisted, removed } = await db
      .transaction()
      .execute((transaction) => storeScope(transaction, intake, this.#tracker.row, found));
    if (removed) await this.#publishIssuesChanged();
    for (const row of unlisted) await this.#lookForProject(row);
    await this.#options.onScopeSettled?.(this.#accountId, this.#trackerId);
    return inScope;
  }

  /**
   * Finds out why the tracker does not list a stored project, and adds a notice. Deletes nothing:
   * only a change of the scope rules deletes stored issues.
   */
  async #lookForProject(row: store.ProjectRow): Promise<void> {
    const { db, now } = this.#options;
    const project = { externalId: row.external_id, identifier: row.identifier, name: row.name };
    const found = await this.#provider.project(project, this.#signal);
    if (found !== null) {
      await store.saveGoneSince(db, this.#accountId, row.id, null);
      this.#notices.push(
        found.identifier === row.identifier
          ? `${row.identifier} is archived, or its issues are turned off. ${ISSUES_RETAINED_HINT}`
          : `${row.identifier} was renamed to ${found.identifier}, which is out of scope. ${ISSUES_RETAINED_HINT}`,
      );
      return;
    }
    const since = row.gone_since ?? now();
    await store.saveGoneSince(db, this.#accountId, row.id, since);
    const isGone = now().getTime() - since.getTime() >= GONE_REPORT_DELAY_MS;
    this.#note(
      isGone
        ? `${row.identifier} has been gone from the tracker since ${since.toISOString().slice(0, 10)}, or this token cannot access it. ${ISSUES_RETAINED_HINT}`
        : `${row.identifier}: The tracker does not list this project at the moment. Its issues remain in Winnow.`,
    );
  }

  /**
   * Reads the first page of every project, then all other pages. The first pages report the totals,
   * which the progress needs.
   */
  async #readIssues(readings: readonly Reading[]): Promise<void> {
    for (const reading of readings) {
      await this.#guard(reading, async () => {
        const { items, total } = await reading.read.readFirstIssues();
        this.#progress.begin(reading.row.id, total);
        this.#countRead(reading, items);
      });
    }
    await this.#reportProgress();
    for (const reading of readings) {
      await this.#guard(reading, () =>
        reading.read.readIssuesToEnd(async (items) => {
          this.#countRead(reading, items);
          await this.#reportProgress();
        }),
      );
    }
  }

  #countRead({ row, read }: Reading, items: number): void {
    this.#progress.read(row.id, items);
    if (read.isOver) this.#progress.end(row.id);
  }

  /**
   * Runs `work` for a project. If the project is missing or inaccessible, records that and
   * continues with other projects.
   */
  async #guard(reading: Reading, work: () => Promise<void>): Promise<void> {
    if (reading.isShut) return;
    try {
      await work();
    } catch (error) {
      const isLocal =
        error instanceof TrackerError && (error.code === 'not_found' || error.code === 'forbidden');
      if (!isLocal) throw error;
      reading.isShut = true;
      this.#progress.end(reading.row.id);
      this.#note(`${reading.project.identifier}: ${error.message}`);
    }
  }

  #note(problem: string): void {
    if (!this.#problems.includes(problem)) this.#problems.push(problem);
  }

  async #reportProgress(): Promise<void> {
    const progress = this.#progress.current();
    if (progress) await this.#save({ sync_done: progress.done, sync_total: progress.total });
  }

  async #publishIssuesChanged(): Promise<void> {
    await this.#options.publish(this.#accountId, { type: 'issues_changed', tracker_id: this.#trackerId });
  }

  async #save(values: Parameters<typeof store.saveSyncState>[3]): Promise<void> {
    const there = await store.saveSyncState(this.#options.db, this.#accountId, this.#trackerId, values);
    if (!there) throw new TrackerGone();
    await this.#options.publish(this.#accountId, {
      type: 'sync_progress',
      tracker_id: this.#trackerId,
      state: values.sync_state ?? 'running',
      progress:
        values.sync_done == null || values.sync_total == null
          ? null
          : { done: values.sync_done, total: values.sync_total },
    });
  }
}

import { addUsage } from '../billing/metering.ts';
import type { IntakePlace } from '../issues/intake.ts';
import { lockKnownIssues } from '../issues/service.ts';
import type { Db } from '../schema/tables.ts';
import {
  type Page,
  type Provider,
  type ProviderComment,
  type ProviderIssue,
  TrackerError,
} from '../trackers/provider.ts';
import type { OpenTracker } from '../trackers/service.ts';
import { ReadingProgress } from './progress.ts';
import { findScope, narrowScope, type ProjectInScope, storeScope } from './scope-in-force.ts';
import * as store from './store.ts';
import type { SyncOptions, SyncOutcome } from './sync.ts';
import { TrackerGone } from './tracker-gone.ts';

/** A project whose issues are being read, and from where. */
interface Reading extends ProjectInScope {
  cursor: string | null;
  isOver: boolean;
}

/** One sync of one tracker. */
export class SyncRun {
  readonly #options: SyncOptions;
  readonly #tracker: OpenTracker;
  readonly #provider: Provider;
  readonly #signal: AbortSignal;
  readonly #accountId: string;
  readonly #trackerId: string;
  readonly #problems: string[] = [];
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
    await this.#narrowScope();
    const check = await this.#provider.check(this.#signal);
    await this.#options.trackers.health.noteCheck(this.#accountId, this.#trackerId, check);
    const projects = await this.#settleScope();
    await this.#readIssues(projects);
    for (const { row, project } of projects) {
      await this.#guard(project.identifier, () => this.#readComments({ row, project }));
    }
    await this.#save({
      sync_state: this.#problems.length > 0 ? 'failed' : 'idle',
      sync_done: null,
      sync_total: null,
      sync_finished_at: this.#options.now(),
      sync_error: this.#problems.length > 0 ? this.#problems.join(' ') : null,
    });
    return { state: this.#problems.length > 0 ? 'failed' : 'done' };
  }

  /** Records why the tracker could not be read. */
  async fail(error: TrackerError): Promise<SyncOutcome> {
    const pausedUntil = error.code === 'rate_limited' ? error.retryAt : null;
    const isPause = pausedUntil !== null;
    // First, so that whoever learns that the sync has failed finds the reason.
    await this.#options.trackers.health.noteFailure(this.#accountId, this.#trackerId, error.message, isPause);
    await this.#save({
      sync_state: isPause ? 'queued' : 'failed',
      sync_done: null,
      sync_total: null,
      sync_error: error.message,
    });
    if (pausedUntil !== null) return { state: 'paused', until: pausedUntil };
    return { state: error.transient ? 'interrupted' : 'failed' };
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
        `${name}: This token sees no such project whose issues can be worked on. It may be gone, renamed or archived.`,
      );
    }
    const { db, intake } = this.#options;
    const { inScope, unlisted, removed } = await db
      .transaction()
      .execute((transaction) => storeScope(transaction, intake, this.#tracker.row, found));
    for (const name of unlisted) {
      this.#note(`${name}: The tracker does not list it just now. What is here of it is kept.`);
    }
    if (removed) await this.#publishIssuesChanged();
    return inScope;
  }

  /** Reads the first page of every project before the rest of any: they tell how many issues there are to read. */
  async #readIssues(projects: readonly ProjectInScope[]): Promise<void> {
    const readings = projects.map(
      (place): Reading => ({ ...place, cursor: place.row.issues_cursor, isOver: false }),
    );
    for (const reading of readings) await this.#readPage(reading, { isFirst: true });
    await this.#reportProgress();
    for (const reading of readings) {
      while (!reading.isOver) {
        await this.#readPage(reading, { isFirst: false });
        await this.#reportProgress();
      }
    }
  }

  async #readPage(reading: Reading, { isFirst }: { isFirst: boolean }): Promise<void> {
    const { row, project } = reading;
    const isRead = await this.#guard(project.identifier, async () => {
      this.#signal.throwIfAborted();
      const page = await this.#provider.issues(project, reading.cursor, this.#signal);
      const touched = await this.#storeIssues(row, page);
      if (isFirst) this.#progress.begin(row.id, page.total);
      this.#progress.read(row.id, page.items.length);
      reading.cursor = page.cursor;
      reading.isOver = page.done;
      if (touched > 0) await this.#publishIssuesChanged();
    });
    if (!isRead) reading.isOver = true;
    if (reading.isOver) this.#progress.end(row.id);
  }

  /** Stores a page of issues and the place to go on; answers how many are new or differ. */
  async #storeIssues(row: store.ProjectRow, { items, cursor }: Page<ProviderIssue>): Promise<number> {
    return this.#options.db.transaction().execute(async (transaction) => {
      const touched = await this.#takeIssues(transaction, row, items);
      await store.saveCursor(transaction, this.#accountId, row.id, { issues_cursor: cursor });
      return touched;
    });
  }

  /** Stores issues and counts the new ones; answers how many are new or differ. */
  async #takeIssues(db: Db, row: store.ProjectRow, issues: ProviderIssue[]): Promise<number> {
    const { inserted, changed } = await this.#options.intake.takeIssues(db, this.#placeOf(row), issues);
    if (this.#tracker.row.tracker_type !== 'sample') {
      await addUsage(db, this.#accountId, 'issues_ingested', inserted.length, this.#options.now());
    }
    return inserted.length + changed.length;
  }

  async #readComments({ row, project }: ProjectInScope): Promise<void> {
    let cursor = row.comments_cursor;
    for (let done = false; !done; ) {
      this.#signal.throwIfAborted();
      const page = await this.#provider.comments(project, cursor, this.#signal);
      const missed = await this.#issuesMissedBy({ row, project }, page);
      await this.#options.db.transaction().execute(async (transaction) => {
        await this.#takeIssues(transaction, row, missed);
        await this.#options.intake.takeComments(transaction, this.#placeOf(row), page.items);
        await store.saveCursor(transaction, this.#accountId, row.id, { comments_cursor: page.cursor });
      });
      ({ cursor, done } = page);
    }
  }

  /** Issues made after their pages were read, which comments already speak of. */
  async #issuesMissedBy(
    { row, project }: ProjectInScope,
    page: Page<ProviderComment>,
  ): Promise<ProviderIssue[]> {
    const named = [...new Set(page.items.map((comment) => comment.issueExternalId))];
    const known = await lockKnownIssues(this.#options.db, this.#accountId, row.id, named);
    const knownIds = new Set(known.map((issue) => issue.external_id));
    const missed: ProviderIssue[] = [];
    for (const externalId of named) {
      if (knownIds.has(externalId)) continue;
      const issue = await this.#provider.issue({ project, externalId, key: externalId }, this.#signal);
      if (issue) missed.push(issue);
    }
    return missed;
  }

  /** Lets the other projects go on when one is gone or closed to us; answers whether the work was done. */
  async #guard(name: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      const isLocal =
        error instanceof TrackerError && (error.code === 'not_found' || error.code === 'forbidden');
      if (!isLocal) throw error;
      this.#note(`${name}: ${error.message}`);
      return false;
    }
  }

  #note(problem: string): void {
    if (!this.#problems.includes(problem)) this.#problems.push(problem);
  }

  #placeOf(row: store.ProjectRow): IntakePlace {
    return { accountId: this.#accountId, trackerId: this.#trackerId, projectId: row.id };
  }

  async #reportProgress(): Promise<void> {
    const progress = this.#progress.now();
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

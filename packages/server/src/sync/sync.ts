import type { LiveEvent } from '@winnow/contract/live';
import { addUsage } from '../billing/metering.ts';
import type { IntakePlace, IssueIntake } from '../issues/intake.ts';
import { lockKnownIssues } from '../issues/service.ts';
import type { Db } from '../schema/tables.ts';
import {
  type Page,
  type Provider,
  type ProviderComment,
  type ProviderIssue,
  type ProviderOrganization,
  type ProviderProject,
  TrackerError,
} from '../trackers/provider.ts';
import { includedOrganizations, scopeOf } from '../trackers/scope.ts';
import { healthAfterCheck, holdTracker, type OpenTracker, type Trackers } from '../trackers/service.ts';
import * as store from './store.ts';

export interface SyncOptions {
  db: Db;
  trackers: Trackers;
  intake: IssueIntake;
  now: () => Date;
  publish: (accountId: string, event: LiveEvent) => Promise<void>;
}

/**
 * What a sync ended with: `done`; `paused` until the tracker's limit allows more; `interrupted` by a fault that may pass;
 * or `failed` for a reason that somebody has to mend.
 */
export type SyncOutcome = { state: 'done' | 'interrupted' | 'failed' } | { state: 'paused'; until: Date };

interface FoundOrganization {
  organization: ProviderOrganization;
  /** Its listed projects that are in scope. */
  projects: ProviderProject[];
  /** Whether the rules take in a stored project that was not listed. */
  isMeant: (project: store.ProjectRow) => boolean;
}

interface ProjectInScope {
  row: store.ProjectRow;
  project: ProviderProject;
}

/** Brings what we know of a tracker up to date. */
export class Sync {
  readonly #options: SyncOptions;

  constructor(options: SyncOptions) {
    this.#options = options;
  }

  /**
   * One sync of one tracker: scope, then issues, then comments, page by page. Each page is stored together with the
   * place to go on, so a sync that was cut off goes on there. What a tracker refuses is written where a person looks;
   * only our own faults and an abort are thrown. The caller makes sure that a tracker is synced once at a time.
   */
  async run(accountId: string, trackerId: string, signal: AbortSignal): Promise<SyncOutcome> {
    const tracker = await this.#options.trackers.open(accountId, trackerId);
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

class SyncRun {
  readonly #options: SyncOptions;
  readonly #tracker: OpenTracker;
  readonly #provider: Provider;
  readonly #signal: AbortSignal;
  readonly #accountId: string;
  readonly #trackerId: string;
  readonly #problems: string[] = [];
  #done = 0;
  #total: number | null = null;

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
    const check = await this.#provider.check(this.#signal);
    await this.#save(healthAfterCheck(check, this.#options.now()));
    const projects = await this.#settleScope();
    for (const { row, project } of projects) await this.#guard(project, () => this.#readIssues(row, project));
    for (const { row, project } of projects) {
      await this.#guard(project, () => this.#readComments(row, project));
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
    await this.#save({
      sync_state: isPause ? 'queued' : 'failed',
      sync_done: null,
      sync_total: null,
      sync_error: error.message,
      health_checked_at: this.#options.now(),
      health_status: isPause ? 'warning' : 'error',
      health_message: error.message,
    });
    if (pausedUntil !== null) return { state: 'paused', until: pausedUntil };
    return { state: error.transient ? 'interrupted' : 'failed' };
  }

  async #settleScope(): Promise<ProjectInScope[]> {
    const rules =
      this.#tracker.row.tracker_type === 'sample'
        ? (await this.#provider.organizations(this.#signal)).map(({ identifier }) => ({
            rule_type: 'INCLUDE' as const,
            scope_type: 'ORGANIZATION' as const,
            identifier,
          }))
        : this.#tracker.rules;
    const visible = await this.#provider.organizations(this.#signal);
    const found: FoundOrganization[] = [];
    for (const identifier of includedOrganizations(rules)) {
      const organization = visible.find((one) => one.identifier.toLowerCase() === identifier.toLowerCase());
      const projects = await this.#provider.projects(identifier, this.#signal);
      const { inScope, missing } = scopeOf(rules, identifier, projects);
      this.#problems.push(
        ...missing.map(
          (name) =>
            `${name}: This token sees no such project whose issues can be worked on. It may be gone, renamed or archived.`,
        ),
      );
      found.push({
        organization: organization ?? { identifier, name: identifier },
        projects: inScope,
        isMeant: (project) =>
          !projects.some((listed) => listed.externalId === project.external_id) &&
          scopeOf(rules, identifier, [...projects, project]).inScope.includes(project),
      });
    }
    const { inScope, removed } = await this.#options.db
      .transaction()
      .execute((transaction) => this.#storeScope(transaction, found));
    if (removed) await this.#publishIssuesChanged();
    return inScope;
  }

  /** Makes what is in scope known, and removes what is not any more. */
  async #storeScope(
    db: Db,
    found: readonly FoundOrganization[],
  ): Promise<{ inScope: ProjectInScope[]; removed: boolean }> {
    const [accountId, trackerId] = [this.#accountId, this.#trackerId];
    // Alone, since what falls out of scope is removed under whoever works on it.
    if (!(await holdTracker(db, accountId, trackerId, 'alone'))) throw new TrackerGone();
    const inScope: ProjectInScope[] = [];
    const organizationIds: string[] = [];
    const unlisted: string[] = [];
    for (const { organization, projects, isMeant } of found) {
      const organizationId = await store.upsertOrganization(db, accountId, trackerId, organization);
      organizationIds.push(organizationId);
      const known = await store.projectsOf(db, accountId, organizationId);
      for (const project of known.filter(isMeant)) {
        unlisted.push(project.id);
        this.#note(
          `${project.identifier}: The tracker does not list it just now. What is here of it is kept.`,
        );
      }
      for (const project of projects) {
        const row = await store.upsertProject(db, accountId, trackerId, organizationId, project);
        inScope.push({ row, project });
      }
    }
    // One wrong answer must not take a project's issues and decisions away: only the rules do.
    const projectIds = [...inScope.map(({ row }) => row.id), ...unlisted];
    const removed = await store.hasOutOfScope(db, accountId, trackerId, projectIds);
    if (removed) await this.#options.intake.issuesRemoved(db, accountId, trackerId);
    await store.removeOutOfScope(db, accountId, trackerId, { projectIds, organizationIds });
    return { inScope, removed };
  }

  async #readIssues(row: store.ProjectRow, project: ProviderProject): Promise<void> {
    await this.#walk(
      row.issues_cursor,
      (cursor) => this.#provider.issues(project, cursor, this.#signal),
      async (page) => {
        const stored = await this.#storeIssues(row, page.items, page.cursor);
        this.#done += page.items.length;
        if (stored > 0) await this.#publishIssuesChanged();
      },
    );
  }

  async #storeIssues(row: store.ProjectRow, issues: ProviderIssue[], cursor: string): Promise<number> {
    return this.#options.db.transaction().execute(async (transaction) => {
      const touched = await this.#takeIssues(transaction, row, issues);
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

  async #readComments(row: store.ProjectRow, project: ProviderProject): Promise<void> {
    await this.#walk(
      row.comments_cursor,
      (cursor) => this.#provider.comments(project, cursor, this.#signal),
      async (page) => {
        const missed = await this.#issuesMissedBy(row, project, page);
        await this.#options.db.transaction().execute(async (transaction) => {
          await this.#takeIssues(transaction, row, missed);
          await this.#options.intake.takeComments(transaction, this.#placeOf(row), page.items);
          await store.saveCursor(transaction, this.#accountId, row.id, { comments_cursor: page.cursor });
        });
      },
    );
  }

  /** Issues made after their pages were read, which comments already speak of. */
  async #issuesMissedBy(
    row: store.ProjectRow,
    project: ProviderProject,
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

  async #walk<T>(
    start: string | null,
    read: (cursor: string | null) => Promise<Page<T>>,
    take: (page: Page<T>) => Promise<void>,
  ): Promise<void> {
    let cursor = start;
    for (let first = true; ; first = false) {
      this.#signal.throwIfAborted();
      const page = await read(cursor);
      if (first && page.total !== null) this.#total = (this.#total ?? 0) + page.total;
      await take(page);
      await this.#reportProgress();
      if (page.done) return;
      cursor = page.cursor;
    }
  }

  /** Lets the other projects go on when one is gone or closed to us. */
  async #guard(project: ProviderProject, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const isLocal =
        error instanceof TrackerError && (error.code === 'not_found' || error.code === 'forbidden');
      if (!isLocal) throw error;
      const problem = `${project.identifier}: ${error.message}`;
      this.#note(problem);
    }
  }

  #note(problem: string): void {
    if (!this.#problems.includes(problem)) this.#problems.push(problem);
  }

  #placeOf(row: store.ProjectRow): IntakePlace {
    return { accountId: this.#accountId, trackerId: this.#trackerId, projectId: row.id };
  }

  async #reportProgress(): Promise<void> {
    // Listings repeat some items, so the count may run past the total.
    const done = this.#total === null ? this.#done : Math.min(this.#done, this.#total);
    await this.#save({ sync_done: done, sync_total: this.#total });
  }

  async #publishIssuesChanged(): Promise<void> {
    await this.#options.publish(this.#accountId, { type: 'issues_changed', tracker_id: this.#trackerId });
  }

  async #save(values: Parameters<typeof store.saveSyncState>[3]): Promise<void> {
    const there = await store.saveSyncState(this.#options.db, this.#accountId, this.#trackerId, values);
    if (!there) throw new TrackerGone();
    if (values.sync_state === undefined && values.sync_done === undefined) return;
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

/** The tracker was deleted while it was being synced: there is nothing left to do. */
export class TrackerGone extends Error {
  override readonly name = 'TrackerGone';

  constructor() {
    super('The tracker was deleted.');
  }
}

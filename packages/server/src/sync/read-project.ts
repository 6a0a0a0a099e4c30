import type { LiveEvent } from '@winnow/contract/live';
import { addUsage, type PlanQuotas } from '../billing/index.ts';
import {
  type CommentChange,
  type IssueChange,
  type IssueIntake,
  lockKnownIssues,
  type ProjectRef,
  type RemovedIssue,
} from '../issues/index.ts';
import type { Db } from '../schema/tables.ts';
import type {
  IssuePage,
  OpenTracker,
  Page,
  Provider,
  ProviderComment,
  ProviderIssue,
  ProviderProject,
} from '../trackers/index.ts';
import { noteLeftOut } from './left-out-store.ts';
import { prefetchPages } from './page-prefetch.ts';
import * as store from './store.ts';

export const NEW_ISSUES = 'issues_ingested_monthly';

/** A project in scope: its stored row, and the tracker's current description of it. */
export interface ProjectInScope {
  row: store.ProjectRow;
  project: ProviderProject;
}

/** Changes that a page contained, compared with the stored issues and comments. */
export interface FoundChanges {
  issues?: readonly IssueChange[];
  comments?: readonly CommentChange[];
  removed?: readonly RemovedIssue[];
}

export interface ReadingOptions {
  db: Db;
  intake: IssueIntake;
  now: () => Date;
  publish: (accountId: string, event: LiveEvent) => Promise<void>;
  /** Quotas of the plan, which limit new issues. Undefined: no limit. */
  amounts?: Pick<PlanQuotas, 'takeUpTo' | 'limitOf' | 'hasUnitsLeft'>;
  /**
   * Called with the found changes, in the transaction that stores them. `connectedAt` is the time
   * when the project was first stored.
   */
  onRead?: (db: Db, project: ProjectRef, changes: FoundChanges, connectedAt: Date) => Promise<void>;
}

/**
 * Reads the changes of one project, from the position where the last read stopped. Stores each page
 * together with its cursor, so an interrupted read continues there.
 *
 * A listing may repeat items, but never skips any. So two concurrent reads of a project are
 * correct, but take needless requests. Callers should avoid them.
 */
export class ReadProject {
  readonly #options: ReadingOptions;
  readonly #tracker: OpenTracker['row'];
  readonly #provider: Provider;
  readonly #signal: AbortSignal;
  readonly #row: store.ProjectRow;
  readonly #project: ProviderProject;
  #cursor: string | null;
  #isOver = false;
  /** Time when the first page of issues was requested. Null before that. */
  #startedAt: Date | null = null;
  #leavesOut: boolean;

  constructor(
    options: ReadingOptions,
    { row: tracker, provider }: Pick<OpenTracker, 'row' | 'provider'>,
    { row, project }: ProjectInScope,
    signal: AbortSignal,
  ) {
    this.#options = options;
    this.#tracker = tracker;
    this.#provider = provider;
    this.#signal = signal;
    this.#row = row;
    this.#project = project;
    this.#cursor = row.issues_cursor;
    this.#leavesOut = row.left_out_since !== null;
  }

  /**
   * True if new issues are skipped, because the plan's quota is used up. They are read once quota
   * is available.
   */
  get leavesOut(): boolean {
    return this.#leavesOut;
  }

  /** True if all pages of issues have been read. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Reads all new issues, then all new comments.
   * @throws {TrackerError} if the tracker refuses a call or fails
   */
  async readToEnd(): Promise<void> {
    await this.readIssuesToEnd();
    await this.readComments();
  }

  /**
   * Reads the next page of issues. Returns the number of its items. Also returns the total number
   * if the tracker reports it.
   */
  async readFirstIssues(): Promise<{ items: number; total: number | null }> {
    this.#signal.throwIfAborted();
    this.#startedAt ??= this.#options.now();
    const page = await this.#provider.issues(this.#project, this.#cursor, this.#signal);
    await this.#takePage(page);
    return { items: page.items.length, total: page.total };
  }

  /**
   * Reads the remaining pages of issues. Calls `onPage` after each page with the number of its
   * items.
   */
  async readIssuesToEnd(onPage: (items: number) => Promise<void> = async () => undefined): Promise<void> {
    if (this.#isOver) return;
    this.#startedAt ??= this.#options.now();
    const fetchPage = (cursor: string | null, signal: AbortSignal) =>
      this.#provider.issues(this.#project, cursor, signal);
    const idOf = ({ externalId }: ProviderIssue) => externalId;
    for await (const page of prefetchPages(fetchPage, this.#cursor, this.#signal, idOf)) {
      await this.#takePage(page);
      await onPage(page.items.length);
    }
  }

  /**
   * Reads new comments. Also reads their issues if these are not stored, because they were created
   * meanwhile. Call it after reading issues.
   *
   * In some trackers, every comment changes its issue. There, sends no request if no issue has
   * changed. `areDelivered` forces the read, after a webhook reported a comment.
   */
  async readComments({ areDelivered = false } = {}): Promise<void> {
    const asOf = this.#cursor;
    const areNone = this.#provider.commentsMoveIssues && asOf !== null && asOf === this.#row.comments_as_of;
    if (areNone && !areDelivered) return;
    const fetchPage = (cursor: string | null, signal: AbortSignal) =>
      this.#provider.comments(this.#project, cursor, signal);
    const idOf = ({ issueExternalId, externalId }: ProviderComment) => `${issueExternalId} ${externalId}`;
    const { db, intake } = this.#options;
    for await (const page of prefetchPages(fetchPage, this.#row.comments_cursor, this.#signal, idOf)) {
      const missed = await this.#issuesMissedBy(page);
      await db.transaction().execute(async (transaction) => {
        await this.storeIssues(transaction, missed);
        const comments = await intake.storeComments(transaction, this.#projectRef, page.items);
        await this.#reportChanges(transaction, { comments });
        await store.saveProject(transaction, this.#row.account_id, this.#row.id, {
          comments_cursor: page.cursor,
          ...(page.done ? { comments_as_of: asOf } : {}),
        });
      });
    }
  }

  /**
   * Stores issues of the project and counts the new ones. Returns the number of new or changed
   * issues. Skips new issues beyond the plan's quota, and records the cursors, so that they are
   * read later.
   */
  async storeIssues(db: Db, issues: readonly ProviderIssue[]): Promise<number> {
    const { intake, amounts, now } = this.#options;
    const { account_id: accountId, id } = this.#row;
    const isCounted = this.#tracker.tracker_type !== 'sample';
    const { inserted, counted, changed, notableChanges, leftOut } = await intake.storeIssues(
      db,
      this.#projectRef,
      issues,
      undefined,
      isCounted && amounts !== undefined
        ? (within, count) => amounts.takeUpTo(within, accountId, NEW_ISSUES, count)
        : undefined,
    );
    if (leftOut > 0) {
      this.#leavesOut = true;
      await noteLeftOut(db, accountId, id, now());
    }
    await this.#reportChanges(db, { issues: notableChanges });
    if (isCounted) await addUsage(db, accountId, 'issues_ingested', counted, now());
    return inserted.length + changed.length;
  }

  /**
   * Deletes the issues that have left the project. Returns the number of deleted issues that were
   * stored. Call it first in its transaction.
   */
  async removeIssues(db: Db, externalIds: readonly string[]): Promise<number> {
    const removed = await this.#options.intake.removeIssues(db, this.#projectRef, externalIds);
    await this.#reportChanges(db, { removed });
    return removed.length;
  }

  async #reportChanges(db: Db, changes: FoundChanges): Promise<void> {
    await this.#options.onRead?.(db, this.#projectRef, changes, this.#row.created_at);
  }

  async #takePage({ items, gone = [], cursor, done }: IssuePage): Promise<void> {
    this.#signal.throwIfAborted();
    const { db, publish } = this.#options;
    const { account_id: accountId, id } = this.#row;
    const left =
      gone.length === 0
        ? 0
        : await db.transaction().execute((transaction) => this.removeIssues(transaction, gone));
    const touched = await db.transaction().execute(async (transaction) => {
      const count = await this.storeIssues(transaction, items);
      await store.saveProject(transaction, accountId, id, {
        issues_cursor: cursor,
        ...(done ? { issues_synced_at: this.#startedAt } : {}),
      });
      return count;
    });
    this.#cursor = cursor;
    this.#isOver = done;
    if (touched + left > 0)
      await publish(accountId, { type: 'issues_changed', tracker_id: this.#tracker.id });
  }

  /**
   * Fetches the issues of these comments that are not stored. Such issues were created while issues
   * were read. Returns none while new issues are skipped.
   */
  async #issuesMissedBy(page: Page<ProviderComment>): Promise<ProviderIssue[]> {
    if (this.#leavesOut) return [];
    const { account_id: accountId, id } = this.#row;
    const named = [...new Set(page.items.map((comment) => comment.issueExternalId))];
    const known = await lockKnownIssues(this.#options.db, accountId, id, named);
    const knownIds = new Set(known.map((issue) => issue.external_id));
    const missed: ProviderIssue[] = [];
    for (const externalId of named) {
      if (knownIds.has(externalId)) continue;
      const target = { project: this.#project, externalId, key: externalId };
      const issue = await this.#provider.issue(target, this.#signal);
      if (issue) missed.push(issue);
    }
    return missed;
  }

  get #projectRef(): ProjectRef {
    return { accountId: this.#row.account_id, trackerId: this.#tracker.id, projectId: this.#row.id };
  }
}

/** Finds a stored project by its id in the tracker. Returns null if the project is not in scope. */
export async function findProjectInScope(
  db: Db,
  accountId: string,
  trackerId: string,
  externalId: string,
): Promise<ProjectInScope | null> {
  const row = await store.findProject(db, accountId, trackerId, externalId);
  if (!row) return null;
  return { row, project: { externalId, identifier: row.identifier, name: row.name } };
}

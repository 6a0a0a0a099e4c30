import type { LiveEvent } from '@winnow/contract/live';
import type { PlanAmounts } from '../billing/amounts/amounts.ts';
import { addUsage } from '../billing/usage/counters.ts';
import type { CommentNews, IntakePlace, IssueIntake, IssueNews, RemovedIssue } from '../issues/intake.ts';
import { lockKnownIssues } from '../issues/service.ts';
import type { Db } from '../schema/tables.ts';
import type {
  IssuePage,
  Page,
  Provider,
  ProviderComment,
  ProviderIssue,
  ProviderProject,
} from '../trackers/provider.ts';
import type { OpenTracker } from '../trackers/service.ts';
import { noteLeftOut } from './left-out-store.ts';
import { pagesAhead } from './pages-ahead.ts';
import * as store from './store.ts';

const NEW_ISSUES = 'issues_ingested_monthly';

/** A project as it is stored, and as its tracker calls it. */
export interface ProjectInScope {
  row: store.ProjectRow;
  project: ProviderProject;
}

/** What reading a project found to be new, different or gone. */
export interface ReadNews {
  issues?: readonly IssueNews[];
  comments?: readonly CommentNews[];
  removed?: readonly RemovedIssue[];
}

export interface ReadingOptions {
  db: Db;
  intake: IssueIntake;
  now: () => Date;
  publish: (accountId: string, event: LiveEvent) => Promise<void>;
  /** How many new issues accounts may still take in; without it as many as there are. */
  amounts?: Pick<PlanAmounts, 'takeUpTo' | 'limitOf' | 'isLeft'>;
  /** Told, in the transaction that stores it, what was found in a project that is connected since then. */
  onRead?: (db: Db, place: IntakePlace, news: ReadNews, connectedAt: Date) => Promise<void>;
}

/**
 * Brings one project up to date from where it was last read: each page is stored together with the place to go on, so
 * reading that was cut off goes on there. Listings repeat items and skip none, so two who read the same project at once
 * do no harm; for the tracker's sake the caller makes sure that only one does.
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

  /** Whether new issues are left out, since the account's plan allows no more. They are read again when it does. */
  get leavesOut(): boolean {
    return this.#leavesOut;
  }

  /** Whether nothing more is to be read of the issues. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Reads all that is new: issues, then comments. @throws {TrackerError} when the tracker does not give it. */
  async toEnd(): Promise<void> {
    await this.issuesToEnd();
    await this.comments();
  }

  /** Reads one page of issues; answers how many were on it, and of the first page of all how many there are. */
  async firstIssues(): Promise<{ items: number; total: number | null }> {
    this.#signal.throwIfAborted();
    const page = await this.#provider.issues(this.#project, this.#cursor, this.#signal);
    await this.#takePage(page);
    return { items: page.items.length, total: page.total };
  }

  /** Reads the pages of issues that are left; `onPage` hears how many were on each. */
  async issuesToEnd(onPage: (items: number) => Promise<void> = async () => undefined): Promise<void> {
    if (this.#isOver) return;
    const fetchPage = (cursor: string | null, signal: AbortSignal) =>
      this.#provider.issues(this.#project, cursor, signal);
    const idOf = ({ externalId }: ProviderIssue) => externalId;
    for await (const page of pagesAhead(fetchPage, this.#cursor, this.#signal, idOf)) {
      await this.#takePage(page);
      await onPage(page.items.length);
    }
  }

  /**
   * Reads the comments that are new, and the issues made meanwhile that they speak of. Issues come first, as they may show
   * that there are none; not where `areDelivered`, by somebody who knows.
   */
  async comments({ areDelivered = false } = {}): Promise<void> {
    const asOf = this.#cursor;
    const areNone = this.#provider.commentsMoveIssues && asOf !== null && asOf === this.#row.comments_as_of;
    if (areNone && !areDelivered) return;
    const fetchPage = (cursor: string | null, signal: AbortSignal) =>
      this.#provider.comments(this.#project, cursor, signal);
    const idOf = ({ issueExternalId, externalId }: ProviderComment) => `${issueExternalId} ${externalId}`;
    const { db, intake } = this.#options;
    for await (const page of pagesAhead(fetchPage, this.#row.comments_cursor, this.#signal, idOf)) {
      const missed = await this.#issuesMissedBy(page);
      await db.transaction().execute(async (transaction) => {
        await this.take(transaction, missed);
        const comments = await intake.takeComments(transaction, this.#place, page.items);
        await this.#tell(transaction, { comments });
        await store.saveProject(transaction, this.#row.account_id, this.#row.id, {
          comments_cursor: page.cursor,
          ...(page.done ? { comments_as_of: asOf } : {}),
        });
      });
    }
  }

  /**
   * Stores issues of the project and counts the new ones; answers how many are new or differ. New ones that the account's
   * plan does not allow are left out, and it is noted where reading was, so that they are read when it does.
   */
  async take(db: Db, issues: readonly ProviderIssue[]): Promise<number> {
    const { intake, amounts, now } = this.#options;
    const { account_id: accountId, id } = this.#row;
    const isCounted = this.#tracker.tracker_type !== 'sample';
    const { inserted, counted, changed, news, leftOut } = await intake.takeIssues(
      db,
      this.#place,
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
    await this.#tell(db, { issues: news });
    if (isCounted) await addUsage(db, accountId, 'issues_ingested', counted, now());
    return inserted.length + changed.length;
  }

  /** Removes issues that are gone from the project; answers how many were stored. It goes first in its transaction. */
  async remove(db: Db, externalIds: readonly string[]): Promise<number> {
    const removed = await this.#options.intake.takeGone(db, this.#place, externalIds);
    await this.#tell(db, { removed });
    return removed.length;
  }

  async #tell(db: Db, news: ReadNews): Promise<void> {
    await this.#options.onRead?.(db, this.#place, news, this.#row.created_at);
  }

  async #takePage({ items, gone = [], cursor, done }: IssuePage): Promise<void> {
    this.#signal.throwIfAborted();
    const { db, publish } = this.#options;
    const { account_id: accountId, id } = this.#row;
    const left =
      gone.length === 0 ? 0 : await db.transaction().execute((transaction) => this.remove(transaction, gone));
    const touched = await db.transaction().execute(async (transaction) => {
      const count = await this.take(transaction, items);
      await store.saveProject(transaction, accountId, id, { issues_cursor: cursor });
      return count;
    });
    this.#cursor = cursor;
    this.#isOver = done;
    if (touched + left > 0)
      await publish(accountId, { type: 'issues_changed', tracker_id: this.#tracker.id });
  }

  /** Issues made after their pages were read, which comments already speak of; none while new ones are left out. */
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

  get #place(): IntakePlace {
    return { accountId: this.#row.account_id, trackerId: this.#tracker.id, projectId: this.#row.id };
  }
}

/** A stored project by what its tracker calls it, ready to be read; null when it is not in scope. */
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

import { randomUUID } from 'node:crypto';
import { CHANGE_REQUEST } from '@winnow/contract/issue';
import { notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { lockTrackerRow, type ProviderComment, type ProviderIssue } from '../trackers/index.ts';
import { nextRevision } from './analysis-state-store.ts';
import { contentHashOf } from './content-hash.ts';
import * as store from './store.ts';

/** Project to which the incoming issues belong. */
export interface ProjectRef {
  accountId: string;
  trackerId: string;
  projectId: string;
}

/**
 * An issue that is new, or has changed in a field that users care about. `before` is its previous
 * state, or null for a new issue.
 */
export interface IssueChange {
  issue: ProviderIssue;
  before: Pick<store.KnownIssue, 'state' | 'updated_at'> | null;
}

/** A comment that is new or has been edited. */
export interface CommentChange {
  comment: ProviderComment;
  isNew: boolean;
}

export type { RemovedIssue } from './store.ts';

/**
 * Result of storing issues. `changed` contains the ids of issues whose analyzed fields have
 * changed.
 */
export interface IntakeResult {
  inserted: string[];
  /**
   * Number of inserted issues that count towards the plan's quota and the tracker's total. Change
   * requests do not count.
   */
  counted: number;
  changed: string[];
  notableChanges: IssueChange[];
  /** Number of new issues that were not stored, because the quota is used up. */
  leftOut: number;
}

/**
 * Quota hook. Gets the number of new issues and returns how many may be stored. Called in the
 * transaction that stores them.
 */
export type AdmitIssues = (db: Db, count: number) => Promise<number>;

/**
 * Called with the ids of new and changed issues, in the transaction that stores them. Before issues
 * are removed, it is called with an empty list.
 */
export type IssuesChangedHandler = (db: Db, accountId: string, issueIds: readonly string[]) => Promise<void>;

/**
 * Maximum time by which a tracker's clock may be ahead of ours. Later dates are considered wrong.
 */
const MAX_CLOCK_AHEAD_MS = 5 * 60_000;

/**
 * Stores issues and comments, from a sync or from a tracker's response to a write. No other code
 * stores issues or comments.
 */
export class IssueIntake {
  readonly #now: () => Date;
  readonly #handlers: IssuesChangedHandler[] = [];

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Registers a handler for new and changed issues. Call it before any issue is stored. */
  onIssuesChanged(handler: IssuesChangedHandler): void {
    this.#handlers.push(handler);
  }

  /**
   * Stores the current state of issues. If an issue occurs twice, its last state counts. `admit`
   * limits the number of new issues; change requests do not count.
   *
   * Skips an issue that is older than the stored one, because another reader may have stored a
   * newer state. There are two exceptions: the stored date is too far in the future to be right, or
   * the stored content hash equals `replaces`. In the second case, the issue was requested because
   * of that stored content, so it is newer.
   * @throws {AppError} `not_found` if the tracker was deleted meanwhile
   */
  async storeIssues(
    db: Db,
    project: ProjectRef,
    issues: readonly ProviderIssue[],
    replaces?: string,
    admit?: AdmitIssues,
  ): Promise<IntakeResult> {
    if (!(await lockTrackerRow(db, project.accountId, project.trackerId))) throw notFound();
    await store.lockProject(db, project.accountId, project.projectId);
    const latest = new Map(issues.map((issue) => [issue.externalId, issue]));
    const known = new Map(
      (await store.lockKnownIssues(db, project.accountId, project.projectId, [...latest.keys()])).map(
        (row) => [row.external_id, row],
      ),
    );
    const latestPlausible = this.#latestPlausible();
    const unknown = [...latest.values()]
      .filter(({ externalId, issueType }) => issueType !== CHANGE_REQUEST && !known.has(externalId))
      .map(({ externalId }) => externalId);
    const refused = new Set(admit === undefined ? [] : unknown.slice(await admit(db, unknown.length)));
    const counted = unknown.length - refused.size;
    const result: IntakeResult = {
      inserted: [],
      counted,
      changed: [],
      notableChanges: [],
      leftOut: refused.size,
    };
    const identified = [...latest.values()].flatMap((issue) => {
      if (refused.has(issue.externalId)) return [];
      const before = known.get(issue.externalId);
      if (before && before.content_hash !== replaces && isLate(issue, before, latestPlausible)) return [];
      const id = before?.id ?? randomUUID();
      const contentHash = contentHashOf(issue);
      if (!before) result.inserted.push(id);
      else if (before.content_hash !== contentHash) result.changed.push(id);
      if (!before || hasNotableChange(before, issue, contentHash))
        result.notableChanges.push({ issue, before: before ?? null });
      return [{ issue, id, contentHash }];
    });
    const differs = result.inserted.length + result.changed.length > 0;
    const revision = differs ? await nextRevision(db, project.accountId) : 0;
    await store.upsertIssues(
      db,
      identified.map(({ issue, id, contentHash }) => ({
        ...rowOf(issue, id, contentHash, revision, project),
        synced_at: this.#now(),
      })),
    );
    const touched = [...result.inserted, ...result.changed];
    if (touched.length > 0) {
      for (const handler of this.#handlers) await handler(db, project.accountId, touched);
    }
    return result;
  }

  /**
   * Prepares the removal of issues of a tracker: locks them and informs the handlers. Call it
   * before the removal, in the same transaction.
   */
  async prepareRemoval(db: Db, accountId: string, trackerId: string): Promise<void> {
    await this.#announceRemoval(db, accountId);
    await store.lockIssuesOf(db, accountId, trackerId);
  }

  /**
   * Renames a project in the keys of its issues. Also changes the keys in references from other
   * issues of the tracker. The caller must hold the exclusive lock of the tracker.
   */
  async renameProject(db: Db, project: ProjectRef, from: string, to: string): Promise<void> {
    await store.lockIssuesOf(db, project.accountId, project.trackerId);
    await store.renameKeys(db, project, from, to);
  }

  #latestPlausible(): Date {
    return new Date(this.#now().getTime() + MAX_CLOCK_AHEAD_MS);
  }

  /**
   * Increments the revision and calls the handlers with an empty list. Call it before locking
   * issues. Workers lock pairs first and issues second, so the reverse order could cause a
   * deadlock.
   */
  async #announceRemoval(db: Db, accountId: string): Promise<void> {
    await nextRevision(db, accountId);
    for (const handler of this.#handlers) await handler(db, accountId, []);
  }

  /**
   * Removes issues that have left their project, with all data derived from them. Returns those
   * that were stored. Call it first in its transaction: it takes the exclusive lock of the tracker,
   * which keeps other code from storing issues.
   * @throws {AppError} `not_found` if the tracker was deleted meanwhile
   */
  async removeIssues(
    db: Db,
    project: ProjectRef,
    externalIds: readonly string[],
  ): Promise<store.RemovedIssue[]> {
    const { accountId, trackerId, projectId } = project;
    if (!(await lockTrackerRow(db, accountId, trackerId, 'exclusive'))) throw notFound();
    if (!(await store.hasIssues(db, accountId, projectId, externalIds))) return [];
    await this.#announceRemoval(db, accountId);
    return store.deleteIssues(db, accountId, projectId, externalIds);
  }

  /**
   * Marks issues as missing in their tracker, because a single 404 proves nothing. A later sync
   * checks them again, and removes those that have been missing long enough.
   */
  async markMissing(db: Db, project: ProjectRef, externalIds: readonly string[]): Promise<void> {
    await store.markMissing(db, project.accountId, project.projectId, externalIds, this.#now());
  }

  /** Stores the current state of comments. Returns the comments that are new or edited. */
  async storeComments(
    db: Db,
    project: ProjectRef,
    comments: readonly ProviderComment[],
  ): Promise<CommentChange[]> {
    const latest = new Map(
      comments.map((comment) => [`${comment.issueExternalId} ${comment.externalId}`, comment]),
    );
    const stored = await store.upsertComments(
      db,
      project.accountId,
      project.projectId,
      [...latest.values()].map((comment) => ({ ...comment, id: randomUUID() })),
      this.#latestPlausible(),
    );
    return stored.flatMap(({ issue_external_id, external_id, is_new: isNew }) => {
      const comment = latest.get(`${issue_external_id} ${external_id}`);
      return comment === undefined ? [] : [{ comment, isNew }];
    });
  }
}

/** True if the stored issue is newer than this one, and its date is not too far in the future. */
function isLate(issue: ProviderIssue, before: store.KnownIssue, latestPlausible: Date): boolean {
  return issue.updatedAt < before.updated_at && before.updated_at <= latestPlausible;
}

/**
 * True if an issue differs in any field other than its update time. A new comment also changes the
 * update time.
 */
function hasNotableChange(before: store.KnownIssue, issue: ProviderIssue, contentHash: string): boolean {
  return (
    before.content_hash !== contentHash ||
    before.status !== issue.status ||
    before.priority !== issue.priority ||
    before.assignees.join('\n') !== issue.assignees.join('\n')
  );
}

function rowOf(
  issue: ProviderIssue,
  id: string,
  contentHash: string,
  revision: number,
  project: ProjectRef,
): Omit<store.IncomingIssue, 'synced_at'> {
  return {
    account_id: project.accountId,
    id,
    tracker_id: project.trackerId,
    project_id: project.projectId,
    external_id: issue.externalId,
    key: issue.key,
    title: issue.title,
    description: issue.description,
    status: issue.status,
    state: issue.state,
    issue_type: issue.issueType,
    priority: issue.priority,
    labels: issue.labels,
    assignees: issue.assignees,
    author: issue.author,
    url: issue.url,
    parent_key: issue.parentKey,
    is_duplicate: issue.isDuplicate,
    duplicate_of: issue.duplicateOf,
    comments_count: issue.commentsCount,
    reactions: issue.reactions,
    milestone: issue.milestone,
    is_locked: issue.isLocked,
    is_completed: issue.isCompleted,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.state === 'closed' ? issue.closedAt : null,
    content_hash: contentHash,
    revision,
  };
}

import { randomUUID } from 'node:crypto';
import { CHANGE_REQUEST } from '@winnow/contract/issue';
import { notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import type { ProviderComment, ProviderIssue } from '../trackers/provider.ts';
import { holdTracker } from '../trackers/service.ts';
import { nextRevision } from './analysis-state.ts';
import { contentHashOf } from './content-hash.ts';
import * as store from './store.ts';

/** Where an issue that came in belongs. */
export interface IntakePlace {
  accountId: string;
  trackerId: string;
  projectId: string;
}

/** An issue that is new, or differs in something that people work with, and how it stood before. */
export interface IssueNews {
  issue: ProviderIssue;
  before: Pick<store.KnownIssue, 'state' | 'updated_at'> | null;
}

/** A comment that is new or was edited. */
export interface CommentNews {
  comment: ProviderComment;
  isNew: boolean;
}

export type { RemovedIssue } from './store.ts';

/** What came of issues that came in; `changed` ones differ in what their analysis reads. */
export interface IntakeResult {
  inserted: string[];
  /** Inserted issues that plans and trackers count: without change requests. */
  counted: number;
  changed: string[];
  news: IssueNews[];
  /** How many new ones were not admitted. */
  leftOut: number;
}

/** Quota hook: given the number of new issues, returns how many may be stored. Runs inside the intake's transaction. */
export type Admit = (db: Db, count: number) => Promise<number>;

/** Told, in the transaction of the intake, which issues are new or differ; none when issues are about to go away. */
export type IssuesChangedHandler = (db: Db, accountId: string, issueIds: readonly string[]) => Promise<void>;

/** How far a tracker's clock may be ahead of ours before we take what it says of the future for a mistake. */
const MOST_AHEAD_MS = 5 * 60_000;

/** The one way issues and comments get into the database: from a sync, and from what a tracker answers to a write. */
export class IssueIntake {
  readonly #now: () => Date;
  readonly #handlers: IssuesChangedHandler[] = [];

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Registers who must hear of new and changed issues. Composition calls it before anything comes in. */
  onIssuesChanged(handler: IssuesChangedHandler): void {
    this.#handlers.push(handler);
  }

  /**
   * Stores issues as they are now. The same issue twice counts once, as it came last; one that is older than what is
   * stored is left out, since of two who read the same issue the slower may be late. Not so where what is stored is known to
   * have been here before the issue was asked for, by its content hash `replaces`, or is of the future, which a mistaken
   * clock made. Only as many new issues are stored as `admit`
   * allows; change requests do not count. 404 when the tracker was deleted meanwhile.
   */
  async takeIssues(
    db: Db,
    place: IntakePlace,
    issues: readonly ProviderIssue[],
    replaces?: string,
    admit?: Admit,
  ): Promise<IntakeResult> {
    if (!(await holdTracker(db, place.accountId, place.trackerId))) throw notFound();
    await store.lockProject(db, place.accountId, place.projectId);
    const latest = new Map(issues.map((issue) => [issue.externalId, issue]));
    const known = new Map(
      (await store.lockKnownIssues(db, place.accountId, place.projectId, [...latest.keys()])).map((row) => [
        row.external_id,
        row,
      ]),
    );
    const latestPlausible = this.#latestPlausible();
    const unknown = [...latest.values()]
      .filter(({ externalId, issueType }) => issueType !== CHANGE_REQUEST && !known.has(externalId))
      .map(({ externalId }) => externalId);
    const refused = new Set(admit === undefined ? [] : unknown.slice(await admit(db, unknown.length)));
    const counted = unknown.length - refused.size;
    const result: IntakeResult = { inserted: [], counted, changed: [], news: [], leftOut: refused.size };
    const identified = [...latest.values()].flatMap((issue) => {
      if (refused.has(issue.externalId)) return [];
      const before = known.get(issue.externalId);
      if (before && before.content_hash !== replaces && isLate(issue, before, latestPlausible)) return [];
      const id = before?.id ?? randomUUID();
      const contentHash = contentHashOf(issue);
      if (!before) result.inserted.push(id);
      else if (before.content_hash !== contentHash) result.changed.push(id);
      if (!before || isNews(before, issue, contentHash)) result.news.push({ issue, before: before ?? null });
      return [{ issue, id, contentHash }];
    });
    const differs = result.inserted.length + result.changed.length > 0;
    const revision = differs ? await nextRevision(db, place.accountId) : 0;
    await store.upsertIssues(
      db,
      identified.map(({ issue, id, contentHash }) => rowOf(issue, id, contentHash, revision, place)),
    );
    const touched = [...result.inserted, ...result.changed];
    if (touched.length > 0) {
      for (const handler of this.#handlers) await handler(db, place.accountId, touched);
    }
    return result;
  }

  /**
   * Tells that issues of a tracker are about to go away. To be called in the transaction that removes them, before it
   * does: what must wait for the removal waits from here on.
   */
  async issuesRemoved(db: Db, accountId: string, trackerId: string): Promise<void> {
    await this.#announceRemoval(db, accountId);
    await store.lockIssuesOf(db, accountId, trackerId);
  }

  /**
   * Calls the issues of a project by their new keys, wherever a tracker's issues name them. The tracker is to be held
   * alone.
   */
  async projectRenamed(db: Db, place: IntakePlace, from: string, to: string): Promise<void> {
    await store.lockIssuesOf(db, place.accountId, place.trackerId);
    await store.renameKeys(db, place, from, to);
  }

  #latestPlausible(): Date {
    return new Date(this.#now().getTime() + MOST_AHEAD_MS);
  }

  /** Before issues are locked: who works on their pairs locks the pairs first. */
  async #announceRemoval(db: Db, accountId: string): Promise<void> {
    await nextRevision(db, accountId);
    for (const handler of this.#handlers) await handler(db, accountId, []);
  }

  /**
   * Removes issues that are gone from their tracker or from their project, with all that was derived from them; answers
   * those that were stored. 404 when the tracker was deleted meanwhile. In its transaction it goes before anything else: it
   * waits for whoever brings issues of the tracker in, and keeps them waiting.
   */
  async takeGone(db: Db, place: IntakePlace, externalIds: readonly string[]): Promise<store.RemovedIssue[]> {
    const { accountId, trackerId, projectId } = place;
    if (!(await holdTracker(db, accountId, trackerId, 'alone'))) throw notFound();
    if (!(await store.hasIssues(db, accountId, projectId, externalIds))) return [];
    await this.#announceRemoval(db, accountId);
    return store.deleteIssues(db, accountId, projectId, externalIds);
  }

  /**
   * Notes that a tracker does not find issues of a project. One answer proves nothing: a sync looks for them again, and
   * removes what is gone for long enough.
   */
  async noteMissing(db: Db, place: IntakePlace, externalIds: readonly string[]): Promise<void> {
    await store.markMissing(db, place.accountId, place.projectId, externalIds, this.#now());
  }

  /** Stores comments as they are now; answers those that are new or were edited. */
  async takeComments(
    db: Db,
    place: IntakePlace,
    comments: readonly ProviderComment[],
  ): Promise<CommentNews[]> {
    const latest = new Map(
      comments.map((comment) => [`${comment.issueExternalId} ${comment.externalId}`, comment]),
    );
    const stored = await store.upsertComments(
      db,
      place.accountId,
      place.projectId,
      [...latest.values()].map((comment) => ({ ...comment, id: randomUUID() })),
      this.#latestPlausible(),
    );
    return stored.flatMap(({ issue_external_id, external_id, is_new: isNew }) => {
      const comment = latest.get(`${issue_external_id} ${external_id}`);
      return comment === undefined ? [] : [{ comment, isNew }];
    });
  }
}

/** Whether what is stored is newer than an issue that came in, as far as its time can be believed. */
function isLate(issue: ProviderIssue, before: store.KnownIssue, latestPlausible: Date): boolean {
  return issue.updatedAt < before.updated_at && before.updated_at <= latestPlausible;
}

/** Whether an issue differs in more than when it was updated, which a comment moves too. */
function isNews(before: store.KnownIssue, issue: ProviderIssue, contentHash: string): boolean {
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
  place: IntakePlace,
): store.IncomingIssue {
  return {
    account_id: place.accountId,
    id,
    tracker_id: place.trackerId,
    project_id: place.projectId,
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
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    content_hash: contentHash,
    revision,
  };
}

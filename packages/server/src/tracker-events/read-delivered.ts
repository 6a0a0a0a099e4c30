import { deleteComment, lockKnownIssues } from '../issues/index.ts';
import { notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import {
  findProjectInScope,
  type ProjectInScope,
  type ReadingOptions,
  ReadProject,
  renameProject,
  staysInScope,
} from '../sync/index.ts';
import { lockTrackerRow, type OpenTracker, TrackerError, type Trackers } from '../trackers/index.ts';
import * as store from './store.ts';

/**
 * Maximum issues read one by one. For more issues, reading a listing is cheaper, because it returns
 * 100 issues per request.
 */
const MAX_SINGLE_READS = 20;
/** Maximum events that are processed together. */
const EVENT_BATCH_SIZE = 1_000;

export interface DeliveredReaderOptions extends ReadingOptions {
  trackers: Trackers;
  /**
   * Schedules the matching of events with flows, in the transaction that marks the events as read.
   */
  requestMatching: (db: Db, accountId: string) => Promise<void>;
}

/** A project as a webhook delivery identifies it. */
export interface DeliveredProject {
  account_id: string;
  tracker_id: string;
  project_external_id: string;
  project_identifier: string;
}

/**
 * Reads from the tracker the issues that webhooks report. Stores only data that the tracker
 * returns, never data from the delivery itself.
 */
export class DeliveredReader {
  readonly #options: DeliveredReaderOptions;

  constructor(options: DeliveredReaderOptions) {
    this.#options = options;
  }

  /**
   * Reads all issues that a project's unread events name. Also reads new comments if an event is
   * about a comment. Does nothing if the project is out of scope.
   * @throws {AppError} `not_found` if the tracker was deleted or its account is locked
   * @throws {TrackerError} if the tracker refuses a call or fails
   */
  async read(delivered: DeliveredProject, signal: AbortSignal): Promise<void> {
    const { db, trackers } = this.#options;
    const { account_id: accountId, tracker_id: trackerId } = delivered;
    const tracker = await trackers.openUnattended(accountId, trackerId);
    for (;;) {
      const place = await findProjectInScope(db, accountId, trackerId, delivered.project_external_id);
      if (place === null) return;
      const events = await store.waitingEvents(db, accountId, place.row.id, EVENT_BATCH_SIZE);
      if (events.length === 0) return;
      const current = await this.#currentProject(delivered, place, tracker, signal);
      if (current !== null) await this.#readAll(events, tracker, current, signal);
      await this.#handled(accountId, (transaction, at) =>
        store.markHandled(transaction, accountId, events, at),
      );
    }
  }

  /**
   * Marks the unread events as read, although they cannot be read. The next sync reads their issues
   * and reports the problem to the user.
   */
  async leaveToSync(delivered: DeliveredProject): Promise<void> {
    const { db, trackers } = this.#options;
    const { account_id: accountId, tracker_id: trackerId } = delivered;
    const place = await findProjectInScope(db, accountId, trackerId, delivered.project_external_id);
    if (place === null) return;
    await this.#handled(accountId, (transaction, at) =>
      store.markAllHandled(transaction, accountId, place.row.id, at),
    );
    await trackers.requestSync(accountId, trackerId);
  }

  /** Marks events as read and schedules matching them with flows. */
  async #handled(accountId: string, mark: (db: Db, at: Date) => Promise<void>): Promise<void> {
    const { db, now, requestMatching } = this.#options;
    await db.transaction().execute(async (transaction) => {
      await mark(transaction, now());
      await requestMatching(transaction, accountId);
    });
  }

  /**
   * Returns the project with its current name. Returns null if it has left the scope. If the
   * delivery contains another name, verifies the project by its id, since another project may have
   * taken over the name.
   */
  async #currentProject(
    delivered: DeliveredProject,
    place: ProjectInScope,
    { provider, rules }: OpenTracker,
    signal: AbortSignal,
  ): Promise<ProjectInScope | null> {
    if (delivered.project_identifier === place.row.identifier) return place;
    const { db, intake } = this.#options;
    const { account_id: accountId, tracker_id: trackerId } = delivered;
    const project = await provider.project(place.project, signal);
    if (project === null) throw projectNotVisible(place);
    if (project.identifier === place.row.identifier) return place;
    if (!staysInScope(rules, place.row, project)) return null;
    await db.transaction().execute(async (transaction) => {
      if (!(await lockTrackerRow(transaction, accountId, trackerId, 'exclusive'))) throw notFound();
      const current = await findProjectInScope(transaction, accountId, trackerId, project.externalId);
      if (current !== null) await renameProject(transaction, intake, current.row, project);
    });
    return findProjectInScope(db, accountId, trackerId, project.externalId);
  }

  async #readAll(
    events: readonly store.WaitingEvent[],
    tracker: OpenTracker,
    place: ProjectInScope,
    signal: AbortSignal,
  ): Promise<void> {
    const reader = new ReadProject(this.#options, tracker, place, signal);
    const leftOutBefore = reader.leavesOut;
    await this.#readNamed(events, reader, tracker, place, signal);
    // Requests a sync when new issues are first skipped for lack of quota, because the sync informs
    // the user of that.
    if (reader.leavesOut && !leftOutBefore) {
      await this.#options.trackers.requestSync(place.row.account_id, place.row.tracker_id);
    }
  }

  async #readNamed(
    events: readonly store.WaitingEvent[],
    reader: ReadProject,
    tracker: OpenTracker,
    place: ProjectInScope,
    signal: AbortSignal,
  ): Promise<void> {
    const named = (some: readonly store.WaitingEvent[]) => [
      ...new Set(some.flatMap(({ issue_external_id: id }) => (id === null ? [] : [id]))),
    ];
    const all = named(events);
    const deleted = named(events.filter(({ type }) => type === 'issue_deleted'));
    const isMany = all.length > MAX_SINGLE_READS;
    // Issues that were reported as deleted are always read one by one, because listings do not show
    // deleted issues.
    const readSingly = isMany ? deleted : all;
    for (let from = 0; from < readSingly.length; from += MAX_SINGLE_READS) {
      const batch = { externalIds: readSingly.slice(from, from + MAX_SINGLE_READS), deleted };
      await this.#readIssues(batch, reader, tracker, place, signal);
    }
    await this.#removeComments(events, place);
    // Until the first sync has read the comments, no cursor exists to continue from. That sync
    // reads these comments as well.
    if (place.row.comments_cursor === null) return;
    if (isMany) await reader.readToEnd();
    else if (events.some(({ type }) => type.startsWith('comment_')))
      await reader.readComments({ areDelivered: true });
    else return;
    await this.#publishIssuesChanged(place);
  }

  /**
   * Deletes the comments that were reported as deleted, because trackers do not list deleted
   * comments. If a report was wrong, the next read of comments stores the comment again.
   */
  async #removeComments(events: readonly store.WaitingEvent[], { row }: ProjectInScope): Promise<void> {
    const { account_id: accountId, id: projectId } = row;
    for (const { type, issue_external_id: onIssue, comment_external_id: commentId } of events) {
      if (type !== 'comment_deleted' || onIssue === null || commentId === null) continue;
      await this.#options.db.transaction().execute(async (transaction) => {
        const [issue] = await lockKnownIssues(transaction, accountId, projectId, [onIssue]);
        if (issue) await deleteComment(transaction, accountId, issue.id, commentId);
      });
    }
  }

  /**
   * Reads issues one by one. An issue that the tracker does not find is removed if a webhook
   * reported its deletion. Otherwise it is only marked as missing, because a single 404 proves
   * nothing. A sync checks it again.
   */
  async #readIssues(
    { externalIds, deleted }: { externalIds: readonly string[]; deleted: readonly string[] },
    reader: ReadProject,
    { provider }: OpenTracker,
    place: ProjectInScope,
    signal: AbortSignal,
  ): Promise<void> {
    const { db, intake } = this.#options;
    const { account_id: accountId, tracker_id: trackerId, id: projectId } = place.row;
    const answers = await Promise.all(
      externalIds.map(async (externalId) => ({
        externalId,
        issue: await provider.issue({ project: place.project, externalId, key: externalId }, signal),
      })),
    );
    const found = answers.flatMap(({ issue }) => (issue === null ? [] : [issue]));
    if (found.length > 0)
      await db.transaction().execute((transaction) => reader.storeIssues(transaction, found));
    const gone = answers.flatMap(({ externalId, issue }) => (issue === null ? [externalId] : []));
    if (gone.length > 0) {
      // A token without access to the project gets 404 for every issue. That must not be mistaken
      // for deletion.
      if ((await provider.project(place.project, signal)) === null) {
        throw projectNotVisible(place);
      }
      const isDeleted = (externalId: string) => deleted.includes(externalId);
      const [removed, missing] = [gone.filter(isDeleted), gone.filter((id) => !isDeleted(id))];
      if (removed.length > 0)
        await db.transaction().execute((transaction) => reader.removeIssues(transaction, removed));
      await intake.markMissing(db, { accountId, trackerId, projectId }, missing);
    }
    await this.#publishIssuesChanged(place);
  }

  async #publishIssuesChanged({ row }: ProjectInScope): Promise<void> {
    await this.#options.publish(row.account_id, { type: 'issues_changed', tracker_id: row.tracker_id });
  }
}

function projectNotVisible({ project }: ProjectInScope): TrackerError {
  return new TrackerError('not_found', `This token cannot access ${project.identifier}.`);
}

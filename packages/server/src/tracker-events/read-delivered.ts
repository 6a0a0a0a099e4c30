import { deleteComment, lockKnownIssues } from '../issues/service.ts';
import { notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import {
  findProjectInScope,
  type ProjectInScope,
  type ReadingOptions,
  ReadProject,
} from '../sync/read-project.ts';
import { isMeantAs, renameProject } from '../sync/rename-project.ts';
import { TrackerError } from '../trackers/provider.ts';
import { holdTracker, type OpenTracker, type Trackers } from '../trackers/service.ts';
import * as store from './store.ts';

/** More issues than that are read by walking the listing: it gives a hundred for one request. */
const MOST_ALONE = 20;
/** Events that are looked at together. */
const EVENTS_AT_ONCE = 1_000;

export interface DeliveredReaderOptions extends ReadingOptions {
  trackers: Trackers;
  /** Has flows started by events whose issues were read, in the transaction that says so. */
  requestMatching: (db: Db, accountId: string) => Promise<void>;
}

/** A project as a webhook named it. */
export interface DeliveredProject {
  account_id: string;
  tracker_id: string;
  project_external_id: string;
  project_identifier: string;
}

/** Reads from trackers what webhooks deliver news of: the truth is what the tracker answers, never what was delivered. */
export class DeliveredReader {
  readonly #options: DeliveredReaderOptions;

  constructor(options: DeliveredReaderOptions) {
    this.#options = options;
  }

  /**
   * Reads all issues that waiting events of a project name, and its comments when they tell of any. Nothing for a project
   * that left the scope. 404 when the tracker is gone or its account locked. @throws {TrackerError}
   */
  async read(delivered: DeliveredProject, signal: AbortSignal): Promise<void> {
    const { db, trackers } = this.#options;
    const { account_id: accountId, tracker_id: trackerId } = delivered;
    const tracker = await trackers.openUnattended(accountId, trackerId);
    for (;;) {
      const place = await findProjectInScope(db, accountId, trackerId, delivered.project_external_id);
      if (place === null) return;
      const events = await store.waitingEvents(db, accountId, place.row.id, EVENTS_AT_ONCE);
      if (events.length === 0) return;
      const called = await this.#called(delivered, place, tracker, signal);
      if (called !== null) await this.#readWhat(events, tracker, called, signal);
      await this.#handled(accountId, (transaction, at) =>
        store.markHandled(transaction, accountId, events, at),
      );
    }
  }

  /** Leaves what waits to the next sync, which also tells a person what is the matter. */
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

  /** Marks events as read, and has flows started by them. */
  async #handled(accountId: string, mark: (db: Db, at: Date) => Promise<void>): Promise<void> {
    const { db, now, requestMatching } = this.#options;
    await db.transaction().execute(async (transaction) => {
      await mark(transaction, now());
      await requestMatching(transaction, accountId);
    });
  }

  /**
   * The project as the tracker calls it now, which is asked when it was called something new; null when it moved out of
   * what is in scope. Never by a former name alone: another project may have taken it.
   */
  async #called(
    delivered: DeliveredProject,
    place: ProjectInScope,
    { provider, rules }: OpenTracker,
    signal: AbortSignal,
  ): Promise<ProjectInScope | null> {
    if (delivered.project_identifier === place.row.identifier) return place;
    const { db, intake } = this.#options;
    const { account_id: accountId, tracker_id: trackerId } = delivered;
    const project = await provider.project(place.project, signal);
    if (project === null) throw isNotShown(place);
    if (project.identifier === place.row.identifier) return place;
    if (!isMeantAs(rules, place.row, project)) return null;
    await db.transaction().execute(async (transaction) => {
      if (!(await holdTracker(transaction, accountId, trackerId, 'alone'))) throw notFound();
      const current = await findProjectInScope(transaction, accountId, trackerId, project.externalId);
      if (current !== null) await renameProject(transaction, intake, current.row, project);
    });
    return findProjectInScope(db, accountId, trackerId, project.externalId);
  }

  async #readWhat(
    events: readonly store.WaitingEvent[],
    tracker: OpenTracker,
    place: ProjectInScope,
    signal: AbortSignal,
  ): Promise<void> {
    const reader = new ReadProject(this.#options, tracker, place, signal);
    const leftOutBefore = reader.leavesOut;
    await this.#readNamed(events, reader, tracker, place, signal);
    // A sync tells a person that new issues are left out, and why. From then on that is known.
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
    const isMany = all.length > MOST_ALONE;
    // No listing tells of what is gone.
    const alone = isMany ? deleted : all;
    for (let from = 0; from < alone.length; from += MOST_ALONE) {
      const batch = { externalIds: alone.slice(from, from + MOST_ALONE), deleted };
      await this.#readIssues(batch, reader, tracker, place, signal);
    }
    await this.#removeComments(events, place);
    // Before the first sync has come so far, it reads all of this itself.
    if (place.row.comments_cursor === null) return;
    if (isMany) await reader.toEnd();
    else if (events.some(({ type }) => type.startsWith('comment_')))
      await reader.comments({ areDelivered: true });
    else return;
    await this.#tell(place);
  }

  /** No tracker lists what was deleted. Should one still be there, a walk through the comments brings it back. */
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
   * What is not found is removed where the tracker said that it is deleted; else it is noted as missing, and a sync looks
   * again, since one answer proves nothing.
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
    if (found.length > 0) await db.transaction().execute((transaction) => reader.take(transaction, found));
    const gone = answers.flatMap(({ externalId, issue }) => (issue === null ? [externalId] : []));
    if (gone.length > 0) {
      // To a token that lost the project every issue of it is gone.
      if ((await provider.project(place.project, signal)) === null) {
        throw isNotShown(place);
      }
      const isDeleted = (externalId: string) => deleted.includes(externalId);
      const [removed, missing] = [gone.filter(isDeleted), gone.filter((id) => !isDeleted(id))];
      if (removed.length > 0)
        await db.transaction().execute((transaction) => reader.remove(transaction, removed));
      await intake.noteMissing(db, { accountId, trackerId, projectId }, missing);
    }
    await this.#tell(place);
  }

  async #tell({ row }: ProjectInScope): Promise<void> {
    await this.#options.publish(row.account_id, { type: 'issues_changed', tracker_id: row.tracker_id });
  }
}

function isNotShown({ project }: ProjectInScope): TrackerError {
  return new TrackerError('not_found', `The tracker does not show ${project.identifier} any more.`);
}

import type { LiveEvent } from '@winnow/contract/live';
import type { IssueIntake } from '../issues/intake.ts';
import type { Db } from '../schema/tables.ts';
import { findProjectInScope, type ProjectInScope, ReadProject } from '../sync/read-project.ts';
import { TrackerError } from '../trackers/provider.ts';
import type { OpenTracker, Trackers } from '../trackers/service.ts';
import * as store from './store.ts';

/** More issues than that are read by walking the listing: it gives a hundred for one request. */
const MOST_ALONE = 20;
/** Events that are looked at together. */
const EVENTS_AT_ONCE = 1_000;

export interface ToldReaderOptions {
  db: Db;
  trackers: Trackers;
  intake: IssueIntake;
  now: () => Date;
  publish: (accountId: string, event: LiveEvent) => Promise<void>;
}

/** A project as a webhook named it. */
export interface ToldProject {
  account_id: string;
  tracker_id: string;
  project_external_id: string;
  project_identifier: string;
}

/** Reads from trackers what webhooks told of: the truth is what the tracker answers, never what was delivered. */
export class ToldReader {
  readonly #options: ToldReaderOptions;

  constructor(options: ToldReaderOptions) {
    this.#options = options;
  }

  /**
   * Reads all issues that waiting events of a project name, and its comments when they tell of any. Nothing for a project
   * that left the scope. 404 when the tracker is gone. @throws {TrackerError}
   */
  async read(told: ToldProject, signal: AbortSignal): Promise<void> {
    const { db, trackers } = this.#options;
    const { account_id: accountId, tracker_id: trackerId } = told;
    const tracker = await trackers.open(accountId, trackerId);
    for (;;) {
      const place = await findProjectInScope(db, accountId, trackerId, told.project_external_id);
      if (place === null) return;
      const events = await store.waitingEvents(db, accountId, place.row.id, EVENTS_AT_ONCE);
      if (events.length === 0) return;
      await this.#readWhat(events, tracker, await this.#called(told, place, tracker, signal), signal);
      await store.markHandled(db, accountId, events, this.#options.now());
    }
  }

  /** Leaves what waits to the next sync, which also tells a person what is the matter. */
  async leaveToSync(told: ToldProject): Promise<void> {
    const { db, trackers, now } = this.#options;
    const { account_id: accountId, tracker_id: trackerId } = told;
    const place = await findProjectInScope(db, accountId, trackerId, told.project_external_id);
    if (place === null) return;
    await store.markAllHandled(db, accountId, place.row.id, now());
    await trackers.requestSync(accountId, trackerId);
  }

  /** The project as the tracker calls it now, which is asked when it was called something new. */
  async #called(
    told: ToldProject,
    place: ProjectInScope,
    { provider }: OpenTracker,
    signal: AbortSignal,
  ): Promise<ProjectInScope> {
    if (told.project_identifier === place.row.identifier) return place;
    const project = await provider.project(place.project, signal);
    if (project === null || project.identifier === place.row.identifier) return place;
    const { identifier, name } = project;
    await store.renameProject(this.#options.db, told.account_id, place.row.id, { identifier, name });
    return { row: { ...place.row, identifier, name }, project };
  }

  async #readWhat(
    events: readonly store.WaitingEvent[],
    tracker: OpenTracker,
    place: ProjectInScope,
    signal: AbortSignal,
  ): Promise<void> {
    const named = (some: readonly store.WaitingEvent[]) => [
      ...new Set(some.flatMap(({ issue_external_id: id }) => (id === null ? [] : [id]))),
    ];
    const all = named(events);
    const isMany = all.length > MOST_ALONE;
    const reader = new ReadProject(this.#options, tracker, place, signal);
    // No listing tells of what is gone.
    const alone = isMany ? named(events.filter(({ type }) => type === 'issue_deleted')) : all;
    for (let from = 0; from < alone.length; from += MOST_ALONE) {
      await this.#readIssues(alone.slice(from, from + MOST_ALONE), reader, tracker, place, signal);
    }
    // Before the first sync has come so far, it reads all of this itself.
    if (place.row.comments_cursor === null) return;
    if (isMany) await reader.toEnd();
    else if (events.some(({ type }) => type.startsWith('comment_'))) await reader.comments({ areTold: true });
    else return;
    await this.#tell(place);
  }

  async #readIssues(
    externalIds: readonly string[],
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
        throw new TrackerError(
          'not_found',
          `The tracker does not show ${place.project.identifier} any more.`,
        );
      }
      await db
        .transaction()
        .execute((transaction) => intake.takeGone(transaction, { accountId, trackerId, projectId }, gone));
    }
    await this.#tell(place);
  }

  async #tell({ row }: ProjectInScope): Promise<void> {
    await this.#options.publish(row.account_id, { type: 'issues_changed', tracker_id: row.tracker_id });
  }
}

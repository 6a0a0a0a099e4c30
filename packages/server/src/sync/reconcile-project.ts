import { type OpenTracker, type ProviderIssue, TrackerError } from '../trackers/index.ts';
import { prefetchPages } from './page-prefetch.ts';
import type { ProjectInScope, ReadingOptions, ReadProject } from './read-project.ts';
import * as store from './reconcile-store.ts';
import { saveProject } from './store.ts';

/** Interval for comparing the number of stored issues with the number that the tracker reports. */
const COUNT_CHECK_INTERVAL_MS = 60 * 60_000;
/**
 * Interval for trackers that report no number. Each comparison then lists the ids of all issues.
 */
const FULL_LIST_INTERVAL_MS = 24 * 60 * 60_000;
/**
 * Minimum time between the check that finds an issue missing and the second check, which deletes
 * it.
 */
const REMOVAL_DELAY_MS = 60 * 60_000;
/**
 * Minimum time if many issues of a project are missing at once, which is probably a fault of the
 * tracker.
 */
const MASS_REMOVAL_DELAY_MS = 24 * 60 * 60_000;
/**
 * Up to this number, missing issues count as few. A larger number counts as many if it exceeds a
 * tenth of the project.
 */
const MAX_FEW_MISSING = 10;
/** Maximum issues checked one by one in a sync. The next sync checks the remaining issues. */
const MAX_CHECKS_PER_SYNC = 200;
/** Number of issues checked before the results are stored. */
const CHECK_BATCH_SIZE = 20;
/** Value of the cursor after all ids have been listed. */
const WALK_COMPLETE_CURSOR = '';

/**
 * Finds deleted and moved issues, which listings by update time do not show. First compares the
 * number of stored issues with the tracker's number. If they differ, or the tracker reports no
 * number, lists the ids of all issues. Then checks each stored issue that is not listed, and reads
 * each listed issue that is not stored.
 *
 * A missing issue is deleted if a second check, at least an hour later, does not find it either. If
 * many issues are missing at once, the second check is a day later. An unfinished listing continues
 * in the next sync; its ids are stored in the database.
 */
export class ReconcileProject {
  readonly #options: ReadingOptions;
  readonly #tracker: Pick<OpenTracker, 'row' | 'provider'>;
  readonly #place: ProjectInScope;
  readonly #read: ReadProject;
  readonly #signal: AbortSignal;

  constructor(
    options: ReadingOptions,
    tracker: Pick<OpenTracker, 'row' | 'provider'>,
    place: ProjectInScope & { read: ReadProject },
    signal: AbortSignal,
  ) {
    this.#options = options;
    this.#tracker = tracker;
    this.#place = place;
    this.#read = place.read;
    this.#signal = signal;
  }

  /**
   * Compares the project with the tracker if a comparison is due. The first one is due an hour
   * after the first sync.
   * @throws {TrackerError} if the tracker refuses a call or fails
   */
  async reconcileIfDue(): Promise<void> {
    const { db, now } = this.#options;
    const { account_id: accountId, id } = this.#place.row;
    const row = await store.readProject(db, accountId, id);
    if (!row) return;
    const isUnderWay = row.present_cursor !== null;
    if (!isUnderWay) {
      if (row.reconcile_after === null) return this.#finish(COUNT_CHECK_INTERVAL_MS);
      if (now() < row.reconcile_after) return;
      const areMissing = (await store.countMissing(db, accountId, id)) > 0;
      // While new issues are skipped for lack of quota, the tracker's number is higher than the
      // stored number.
      const canFit = !areMissing && !this.#read.leavesOut;
      if (canFit && (await this.#countFits(row.count_surplus))) return this.#finish(COUNT_CHECK_INTERVAL_MS);
    }
    if (row.present_cursor !== WALK_COMPLETE_CURSOR) await this.#walk(row.present_cursor);
    if (!(await this.#checkDifferences())) return;
    const counted = await this.#count();
    const surplus = counted === null ? 0 : counted - (await store.countStored(db, accountId, id));
    const isCheap = counted !== null && !this.#read.leavesOut;
    const isSoon = isCheap || (await store.countMissing(db, accountId, id)) > 0;
    await this.#finish(isSoon ? COUNT_CHECK_INTERVAL_MS : FULL_LIST_INTERVAL_MS, surplus);
  }

  /** Returns a notice if many issues are missing and not deleted yet. Otherwise returns null. */
  async notice(): Promise<string | null> {
    const { missing, stored, areMany } = await this.#missing();
    if (!areMany) return null;
    const { identifier } = this.#place.project;
    return `${identifier}: The tracker reports ${missing} of its ${stored} issues as gone. They remain in Winnow for a day in case this is a mistake.`;
  }

  async #missing(): Promise<{ missing: number; stored: number; areMany: boolean }> {
    const { db } = this.#options;
    const { account_id: accountId, id } = this.#place.row;
    const missing = await store.countMissing(db, accountId, id);
    if (missing <= MAX_FEW_MISSING) return { missing, stored: 0, areMany: false };
    const stored = await store.countStored(db, accountId, id);
    return { missing, stored, areMany: missing * 10 > stored };
  }

  /**
   * True if the stored number of issues equals the tracker's number minus `surplus`. If not, reads
   * all new issues and compares again. `surplus` is the number of items that the tracker counts but
   * never lists.
   */
  async #countFits(surplus: number): Promise<boolean> {
    const { db } = this.#options;
    const { account_id: accountId, id } = this.#place.row;
    const before = await store.countStored(db, accountId, id);
    const counted = await this.#count();
    if (counted === null) return false;
    const expected = counted - surplus;
    if (expected === before) return true;
    await this.#read.readFirstIssues();
    await this.#read.readIssuesToEnd();
    const after = await store.countStored(db, accountId, id);
    return Math.min(before, after) <= expected && expected <= Math.max(before, after);
  }

  async #walk(from: string | null): Promise<void> {
    const { provider } = this.#tracker;
    const { row, project } = this.#place;
    const fetchPage = (cursor: string | null, signal: AbortSignal) =>
      provider.externalIds(project, cursor, signal);
    let isBeginning = from === null;
    const pages = prefetchPages(fetchPage, from, this.#signal, (externalId: string) => externalId);
    for await (const { items, hiddenType, cursor, done } of pages) {
      await this.#options.db.transaction().execute(async (transaction) => {
        if (isBeginning) await store.forgetPresent(transaction, row.account_id, row.id);
        await store.addPresent(transaction, row.account_id, row.id, items);
        if (hiddenType) await store.addStoredOfType(transaction, row.account_id, row.id, hiddenType);
        const present_cursor = done ? WALK_COMPLETE_CURSOR : cursor;
        await saveProject(transaction, row.account_id, row.id, { present_cursor });
      });
      isBeginning = false;
    }
  }

  /**
   * Checks one by one the issues that are only stored or only listed. Then checks again the issues
   * that have been missing long enough. Returns false if issues remain for the next sync.
   */
  async #checkDifferences(): Promise<boolean> {
    const { db } = this.#options;
    const { account_id: accountId, id } = this.#place.row;
    await store.forgetMissing(db, accountId, id);
    for (let checks = 0; checks < MAX_CHECKS_PER_SYNC; ) {
      const suspects = await store.storedNotPresent(db, accountId, id, CHECK_BATCH_SIZE);
      // Does not read issues that were skipped for lack of quota. They are read later, from the
      // recorded cursor.
      const unread = this.#read.leavesOut
        ? []
        : await store.presentNotStored(db, accountId, id, CHECK_BATCH_SIZE - suspects.length);
      const differing = [...suspects, ...unread];
      const isAgain = differing.length === 0;
      const names = isAgain ? await this.#missedLongEnough() : differing;
      if (names.length === 0) return true;
      await this.#checkIssues(names, isAgain);
      checks += names.length;
    }
    return false;
  }

  /**
   * Returns the issues to check a second time. Call it after all differences are checked, because
   * the number of missing issues decides how long to wait.
   */
  async #missedLongEnough(): Promise<store.IssueName[]> {
    const { db, now } = this.#options;
    const { account_id: accountId, id } = this.#place.row;
    const { areMany } = await this.#missing();
    const since = new Date(now().getTime() - (areMany ? MASS_REMOVAL_DELAY_MS : REMOVAL_DELAY_MS));
    return store.missingSince(db, accountId, id, since, CHECK_BATCH_SIZE);
  }

  /**
   * Fetches these issues and stores those that exist. An issue that does not exist is marked as
   * missing, or deleted if `isAgain` is true.
   */
  async #checkIssues(names: readonly store.IssueName[], isAgain: boolean): Promise<void> {
    const { provider, row: tracker } = this.#tracker;
    const { row, project } = this.#place;
    const { db, intake, publish } = this.#options;
    const there: ProviderIssue[] = [];
    const gone: string[] = [];
    for (const name of names) {
      const issue = await provider.issue({ project, ...name }, this.#signal);
      if (issue === null) gone.push(name.externalId);
      else there.push(issue);
    }
    // A token without access to the project gets 404 for every issue. That must not be mistaken for
    // deletion.
    if (gone.length > 0 && (await provider.project(project, this.#signal)) === null) {
      throw new TrackerError('not_found', `This token cannot access ${project.identifier}.`);
    }
    const found = there.map(({ externalId }) => externalId);
    const place = { accountId: row.account_id, trackerId: tracker.id, projectId: row.id };
    await db.transaction().execute(async (transaction) => {
      if (isAgain) await this.#read.removeIssues(transaction, gone);
      else await intake.markMissing(transaction, place, gone);
      await store.forgetPresent(transaction, row.account_id, row.id, gone);
    });
    await db.transaction().execute(async (transaction) => {
      await this.#read.storeIssues(transaction, there);
      await store.addPresent(transaction, row.account_id, row.id, found);
    });
    await publish(row.account_id, { type: 'issues_changed', tracker_id: tracker.id });
  }

  #count(): Promise<number | null> {
    return this.#tracker.provider.count(this.#place.project, this.#signal);
  }

  async #finish(nextInMs: number, surplus?: number): Promise<void> {
    const { db, now } = this.#options;
    const { account_id: accountId, id } = this.#place.row;
    await db.transaction().execute(async (transaction) => {
      await store.forgetPresent(transaction, accountId, id);
      await saveProject(transaction, accountId, id, {
        present_cursor: null,
        reconcile_after: new Date(now().getTime() + nextInMs),
        ...(surplus === undefined ? {} : { count_surplus: surplus }),
      });
    });
  }
}

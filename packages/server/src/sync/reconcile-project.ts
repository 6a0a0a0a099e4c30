import { type OpenTracker, type ProviderIssue, TrackerError } from '../trackers/index.ts';
import { prefetchPages } from './page-prefetch.ts';
import type { ProjectInScope, ReadingOptions, ReadProject } from './read-project.ts';
import * as store from './reconcile-store.ts';
import { saveProject } from './store.ts';

/** Interval between comparisons of the number of stored issues with the tracker's number. */
const COUNT_CHECK_INTERVAL_MS = 60 * 60_000;
/** Interval for trackers that report no number of issues, where all ids must be listed. */
const FULL_LIST_INTERVAL_MS = 24 * 60 * 60_000;
/** Minimum time that an issue must be missing before a second check deletes it. */
const REMOVAL_DELAY_MS = 60 * 60_000;
/**
 * Minimum time if much of a project is missing at once, which is probably a fault of the tracker.
 */
const MASS_REMOVAL_DELAY_MS = 24 * 60 * 60_000;
/**
 * Number of missing issues that never counts as a mass disappearance. More of them count if they
 * exceed a tenth of the project.
 */
const MAX_FEW_MISSING = 10;
/** Maximum issues checked one by one in a sync. The next sync checks the rest. */
const MAX_CHECKS_PER_SYNC = 200;
/** Issues checked between two transactions. */
const CHECK_BATCH_SIZE = 20;
/** Cursor that is stored once all ids have been listed. */
const WALK_COMPLETE_CURSOR = '';

/**
 * Finds deleted and moved issues, which no listing by update time shows. First compares the number
 * of issues. If the numbers differ, or the tracker reports none, lists all ids. Checks one by one
 * the stored issues that are not listed, and reads listed ones that are not stored.
 *
 * A missing issue is deleted when a second check, at least an hour later, does not find it either.
 * If many are missing at once, the second check is a day later. An unfinished listing continues in
 * the next sync; its ids are stored in the database.
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
   * Compares the project with the tracker if that is due. The first comparison is due an hour after
   * the initial read.
   * @throws {TrackerError}
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
      // While issues are left out, fewer are stored than the tracker counts.
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

  /** Returns a notice if many issues are missing and not deleted yet, otherwise null. */
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
   * True if the tracker's number of issues, less the known `surplus`, equals the stored number. If
   * not, reads everything new and compares again.
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
   * Checks the issues that are only stored or only listed, one by one. Then checks those again that
   * have been missing long enough. Returns false if some remain for the next sync.
   */
  async #checkDifferences(): Promise<boolean> {
    const { db } = this.#options;
    const { account_id: accountId, id } = this.#place.row;
    await store.forgetMissing(db, accountId, id);
    for (let checks = 0; checks < MAX_CHECKS_PER_SYNC; ) {
      const suspects = await store.storedNotPresent(db, accountId, id, CHECK_BATCH_SIZE);
      // Issues left out by the quota are read later, from the recorded cursor.
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
   * Returns issues to check a second time. Call it once all differences are checked: only then is
   * the number of missing issues final.
   */
  async #missedLongEnough(): Promise<store.IssueName[]> {
    const { db, now } = this.#options;
    const { account_id: accountId, id } = this.#place.row;
    const { areMany } = await this.#missing();
    const since = new Date(now().getTime() - (areMany ? MASS_REMOVAL_DELAY_MS : REMOVAL_DELAY_MS));
    return store.missingSince(db, accountId, id, since, CHECK_BATCH_SIZE);
  }

  /**
   * Fetches these issues and stores those that exist. Marks the others as missing, or deletes them
   * if `isAgain`.
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
    // A token without project access gets 404 for every issue; do not mistake that for deletion.
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

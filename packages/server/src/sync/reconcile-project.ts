import { type ProviderIssue, TrackerError } from '../trackers/provider.ts';
import type { OpenTracker } from '../trackers/service.ts';
import { pagesAhead } from './pages-ahead.ts';
import type { ProjectInScope, ReadingOptions, ReadProject } from './read-project.ts';
import * as store from './reconcile-store.ts';
import { saveProject } from './store.ts';

/** How long what is stored goes uncompared… */
const COMPARED_EVERY_MS = 60 * 60_000;
/** …and where the tracker counts nothing, so that all its ids have to be listed. */
const LISTED_EVERY_MS = 24 * 60 * 60_000;
/** How long an issue is missed before a look that finds it gone again removes it… */
const GONE_AFTER_MS = 60 * 60_000;
/** …and where much of a project is missed at once, which a fault of the tracker explains better. */
const MANY_GONE_AFTER_MS = 24 * 60 * 60_000;
/** More than that are many, if they are more than a tenth of the project. */
const FEW = 10;
/** Single issues looked at in one sync; what is left is looked at in the next. */
const MOST_LOOKS = 200;
/** Single issues looked at between two transactions. */
const LOOKS_AT_ONCE = 20;
/** Stands for a walk that came to its end. */
const WALKED = '';

/**
 * Finds what no listing by time of update tells: that an issue was deleted or moved away. A project that was just read is
 * compared by its count; where that differs, or the tracker has none, the ids of all that is there are walked through.
 * What the walk did not find is looked at one by one, and what it found besides is read. An issue is removed when it is
 * looked at again, an hour later at least, and still gone; many at once after a day. The walk goes on in the next sync when
 * this one ends; its ids are kept in the database.
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

  /** Compares the project if that is due; the first time an hour after it was read. @throws {TrackerError} */
  async ifDue(): Promise<void> {
    const { db, now } = this.#options;
    const { account_id: accountId, id } = this.#place.row;
    const row = await store.readProject(db, accountId, id);
    if (!row) return;
    const isUnderWay = row.present_cursor !== null;
    if (!isUnderWay) {
      if (row.reconcile_after === null) return this.#finish(COMPARED_EVERY_MS);
      if (now() < row.reconcile_after) return;
      const areMissing = (await store.countMissing(db, accountId, id)) > 0;
      // A count says nothing while some are left out.
      const canFit = !areMissing && !this.#read.leavesOut;
      if (canFit && (await this.#countFits(row.count_surplus))) return this.#finish(COMPARED_EVERY_MS);
    }
    if (row.present_cursor !== WALKED) await this.#walk(row.present_cursor);
    if (!(await this.#lookAtDifference())) return;
    const counted = await this.#count();
    const surplus = counted === null ? 0 : counted - (await store.countStored(db, accountId, id));
    const isCheap = counted !== null && !this.#read.leavesOut;
    const isSoon = isCheap || (await store.countMissing(db, accountId, id)) > 0;
    await this.#finish(isSoon ? COMPARED_EVERY_MS : LISTED_EVERY_MS, surplus);
  }

  /** A sentence where so many issues are missed at once that they are kept for a day; else null. */
  async notice(): Promise<string | null> {
    const { missing, stored, areMany } = await this.#missing();
    if (!areMany) return null;
    const { identifier } = this.#place.project;
    return `${identifier}: The tracker says that ${missing} of its ${stored} issues are gone. They are kept for a day, in case it is mistaken.`;
  }

  async #missing(): Promise<{ missing: number; stored: number; areMany: boolean }> {
    const { db } = this.#options;
    const { account_id: accountId, id } = this.#place.row;
    const missing = await store.countMissing(db, accountId, id);
    if (missing <= FEW) return { missing, stored: 0, areMany: false };
    const stored = await store.countStored(db, accountId, id);
    return { missing, stored, areMany: missing * 10 > stored };
  }

  /** Whether the tracker counts what is stored, or what is stored once all that is new by now was read. */
  async #countFits(surplus: number): Promise<boolean> {
    const { db } = this.#options;
    const { account_id: accountId, id } = this.#place.row;
    const before = await store.countStored(db, accountId, id);
    const counted = await this.#count();
    if (counted === null) return false;
    const expected = counted - surplus;
    if (expected === before) return true;
    await this.#read.firstIssues();
    await this.#read.issuesToEnd();
    const after = await store.countStored(db, accountId, id);
    return Math.min(before, after) <= expected && expected <= Math.max(before, after);
  }

  async #walk(from: string | null): Promise<void> {
    const { provider } = this.#tracker;
    const { row, project } = this.#place;
    const fetchPage = (cursor: string | null, signal: AbortSignal) =>
      provider.presentIds(project, cursor, signal);
    let isBeginning = from === null;
    const pages = pagesAhead(fetchPage, from, this.#signal, (externalId: string) => externalId);
    for await (const { items, hiddenType, cursor, done } of pages) {
      await this.#options.db.transaction().execute(async (transaction) => {
        if (isBeginning) await store.forgetPresent(transaction, row.account_id, row.id);
        await store.addPresent(transaction, row.account_id, row.id, items);
        if (hiddenType) await store.addStoredOfType(transaction, row.account_id, row.id, hiddenType);
        const present_cursor = done ? WALKED : cursor;
        await saveProject(transaction, row.account_id, row.id, { present_cursor });
      });
      isBeginning = false;
    }
  }

  /**
   * Looks at single issues where what is stored and what was found differ, then again at what is missed for long enough;
   * false when some are left for the next sync.
   */
  async #lookAtDifference(): Promise<boolean> {
    const { db } = this.#options;
    const { account_id: accountId, id } = this.#place.row;
    await store.forgetMissing(db, accountId, id);
    for (let looks = 0; looks < MOST_LOOKS; ) {
      const suspects = await store.storedNotPresent(db, accountId, id, LOOKS_AT_ONCE);
      // What the plan leaves out is read from where it was left out.
      const unread = this.#read.leavesOut
        ? []
        : await store.presentNotStored(db, accountId, id, LOOKS_AT_ONCE - suspects.length);
      const differing = [...suspects, ...unread];
      const isAgain = differing.length === 0;
      const names = isAgain ? await this.#missedLongEnough() : differing;
      if (names.length === 0) return true;
      await this.#lookAt(names, isAgain);
      looks += names.length;
    }
    return false;
  }

  /** Judged when all that differs was looked at, so that it is known how many there are. */
  async #missedLongEnough(): Promise<store.IssueName[]> {
    const { db, now } = this.#options;
    const { account_id: accountId, id } = this.#place.row;
    const { areMany } = await this.#missing();
    const since = new Date(now().getTime() - (areMany ? MANY_GONE_AFTER_MS : GONE_AFTER_MS));
    return store.missingSince(db, accountId, id, since, LOOKS_AT_ONCE);
  }

  /** Takes these in as they are now. Those that are gone are noted as missing, and removed where it is known already. */
  async #lookAt(names: readonly store.IssueName[], isAgain: boolean): Promise<void> {
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
    // To a token that lost the project every issue of it is gone.
    if (gone.length > 0 && (await provider.project(project, this.#signal)) === null) {
      throw new TrackerError('not_found', `The tracker does not show ${project.identifier} any more.`);
    }
    const found = there.map(({ externalId }) => externalId);
    const place = { accountId: row.account_id, trackerId: tracker.id, projectId: row.id };
    await db.transaction().execute(async (transaction) => {
      if (isAgain) await this.#read.remove(transaction, gone);
      else await intake.noteMissing(transaction, place, gone);
      await store.forgetPresent(transaction, row.account_id, row.id, gone);
    });
    await db.transaction().execute(async (transaction) => {
      await this.#read.take(transaction, there);
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

import type { Engine } from '../issues/engine/engine.ts';
import type { SettledReading } from '../issues/engine/messages.ts';
import { snapshotVersionOf } from '../issues/service.ts';
import type { Db } from '../schema/tables.ts';
import * as store from './finding-store.ts';

/** Issues read in one call of the engine, between which others have their turn. */
const READ_AT_ONCE = 100;
/** Issues of which is looked for in one call what their texts imply. */
const LINKED_AT_ONCE = 2_000;
/** Readings that are loaded at a time: the event loop parses them. */
const PAGE = 500;
/** Where more than this share of the issues is new, all are looked at again. */
const FEW = 0.05;
/** News are told this often at most while there is more to do. */
const TELL_EVERY_MS = 2_000;

export interface TextFindingsOptions {
  db: Db;
  engine: Pick<Engine, 'call'>;
  now: () => Date;
  /** Told when there is more to see. */
  onFound: (accountId: string) => Promise<void>;
}

/**
 * The dependencies that the texts of an account's issues show, found by the built-in analyst. The texts of an issue are
 * read once; what they say is kept, so that after an edit only its own are read again.
 */
export class TextFindings {
  readonly #options: TextFindingsOptions;

  constructor(options: TextFindingsOptions) {
    this.#options = options;
  }

  /**
   * Brings what is known of an account in line with its texts. Safe to run again after a stop at any point. The caller
   * sees to it that an account is looked through once at a time.
   */
  async run(accountId: string, signal: AbortSignal): Promise<void> {
    const { db, now, onFound } = this.#options;
    let toldAt = now().getTime();
    let after = 0;
    for (;;) {
      signal.throwIfAborted();
      const noted = await store.listNoted(db, accountId, after, READ_AT_ONCE);
      if (noted.length === 0) break;
      await this.#read(accountId, noted);
      after = noted.at(-1)?.noted ?? after;
      if (now().getTime() - toldAt < TELL_EVERY_MS) continue;
      toldAt = now().getTime();
      await onFound(accountId);
    }
    const isNews = await this.#link(accountId, signal);
    if (isNews || after > 0) await onFound(accountId);
  }

  /** Reads those of these issues whose texts are new, at once, as somebody waits for it. */
  async readNow(accountId: string, issueIds: readonly string[]): Promise<void> {
    const noted = await store.findNoted(this.#options.db, accountId, issueIds);
    if (noted.length > 0) await this.#read(accountId, noted);
  }

  async #read(accountId: string, noted: readonly store.NotedIssue[]): Promise<void> {
    const { db, engine } = this.#options;
    const issueIds = noted.map(({ issue_id }) => issue_id);
    const readings = await engine.call('readDependencies', { accountId, issueIds });
    await store.noteNaming(db, accountId, readings);
    await db.transaction().execute(async (transaction) => {
      await store.holdFindings(transaction, accountId);
      await store.saveReadings(transaction, accountId, noted, readings);
    });
  }

  /** Looks for what texts imply that were read since, or were looked at with other weights of words. */
  async #link(accountId: string, signal: AbortSignal): Promise<boolean> {
    const { db, engine } = this.#options;
    const snapshotVersion = await snapshotVersionOf(db, accountId);
    // Before there is one every word weighs the same; the analysis takes it soon, and asks for this again.
    if (snapshotVersion === 0 || !(await store.isLinkingDue(db, accountId, snapshotVersion))) return false;
    const all = await this.#readings(accountId);
    const fresh = all.filter(({ linked_with }) => linked_with !== snapshotVersion);
    const due = fresh.length > all.length * FEW ? all : fresh;
    const isDue = new Set(due.map(({ issue_id }) => issue_id));
    const readings = all.map(
      ({ issue_id, key, texts }): SettledReading => ({
        id: issue_id,
        key,
        isSettled: !isDue.has(issue_id),
        ...texts,
      }),
    );
    let isNews = false;
    for (let start = 0; start < due.length; start += LINKED_AT_ONCE) {
      signal.throwIfAborted();
      const issues = due.slice(start, start + LINKED_AT_ONCE);
      const ids = issues.map(({ issue_id }) => issue_id);
      const issueIds = [...new Set([...ids, ...(await store.listWaitingFor(db, accountId, ids))])];
      const { looked, found } = await engine.call('impliedDependencies', { accountId, readings, issueIds });
      const differs = await db.transaction().execute(async (transaction) => {
        await store.holdFindings(transaction, accountId);
        return store.saveImplied(transaction, accountId, looked, found, { issues, snapshotVersion });
      });
      isNews ||= differs;
    }
    return isNews;
  }

  async #readings(accountId: string): Promise<store.StoredReading[]> {
    const all: store.StoredReading[] = [];
    for await (const page of store.readingsOf(this.#options.db, accountId, PAGE)) all.push(...page);
    return all;
  }
}

import type { ActionTaken, LogType } from '@winnow/contract/flow';
import type { Db } from '../../schema/tables.ts';
import type { Announcements } from '../executions/announce.ts';
import { type LogEntry, type Progress, saveProgress } from '../executions/progress-store.ts';
import type { ExecutionRow } from '../executions/store.ts';

/** Entries that one execution keeps; of those beyond it only notices and how it ended. */
const MOST_ENTRIES = 2_000;
const FULL = 'The log is full. Of what is done from here on only what came of it is kept.';

export interface JournalOptions {
  db: Db;
  now: () => Date;
  announcements: Pick<Announcements, 'logged' | 'updated'>;
  mostEntries?: number;
}

/** The execution was ended or begun anew elsewhere, or removed with its flow, so that nothing of it is to go on here. */
export class ExecutionGone extends Error {}

/** What one execution writes down, each time all of it or nothing. */
export class Journal {
  readonly #options: JournalOptions;
  readonly #accountId: string;
  readonly #attempt: { executionId: string; attempt: number };
  readonly #changes: Set<string>;
  #written: number;

  constructor(
    options: JournalOptions,
    row: Pick<ExecutionRow, 'account_id' | 'id' | 'attempts' | 'log_entries' | 'change_ids'>,
  ) {
    this.#options = options;
    this.#accountId = row.account_id;
    this.#attempt = { executionId: row.id, attempt: row.attempts };
    this.#changes = new Set(row.change_ids);
    this.#written = row.log_entries;
  }

  /** @throws {ExecutionGone} */
  async write(progress: Progress): Promise<void> {
    const { db, now, announcements } = this.#options;
    const accountId = this.#accountId;
    const { executionId } = this.#attempt;
    const entries = this.#fitting(progress.entries ?? []);
    const isSaved = await saveProgress(db, accountId, this.#attempt, { ...progress, entries }, now());
    if (!isSaved) throw new ExecutionGone();
    this.#written += entries.length;
    const isMoved = progress.end !== undefined || progress.modelWaitSince instanceof Date;
    if (isMoved) await announcements.updated(accountId, executionId);
    else await announcements.logged(accountId, executionId);
  }

  /** Those that there is room for; the first time that it is not for all, the log says so. */
  #fitting(entries: readonly LogEntry[]): readonly LogEntry[] {
    const most = this.#options.mostEntries ?? MOST_ENTRIES;
    const room = Math.max(0, most - this.#written);
    const fitting = entries.filter(
      ({ type }, index) => index < room || type === 'status' || type === 'error',
    );
    const isToSay = fitting.length < entries.length && this.#written <= most;
    return isToSay ? [...fitting, { type: 'status', payload: { notice: FULL } }] : fitting;
  }

  /** One entry of the log and nothing else. @throws {ExecutionGone} */
  log(type: LogType, payload: Record<string, unknown>): Promise<void> {
    return this.write({ entries: [{ type, payload }] });
  }

  /** A call of a tool that is about to be made. */
  called(tool: string, input: unknown, calls?: object): Promise<void> {
    return this.write({
      entries: [{ type: 'tool_call', payload: { tool, arguments: input } }],
      toolCalls: 1,
      ...(calls === undefined ? {} : { calls }),
    });
  }

  /** What became of a call: for the log, what was done by it, and what to go on from. */
  async answered(
    tool: string,
    answer: { text: string; isError: boolean; action: ActionTaken | null },
    calls?: object,
  ): Promise<void> {
    const { text, isError, action } = answer;
    const result = {
      type: 'tool_result' as const,
      payload: { tool, result: readable(text), failed: isError },
    };
    const done = action === null ? {} : this.#done(action);
    await this.write({
      ...done,
      entries: [result, ...(done.entries ?? [])],
      ...(calls === undefined ? {} : { calls }),
    });
  }

  /** What was done before an interruption, where that is not written down yet. */
  async found(action: ActionTaken): Promise<void> {
    const done = this.#done(action);
    if (done.action !== undefined) await this.write(done);
  }

  /** Something that was done, the first time it is told. */
  #done(action: ActionTaken): Pick<Progress, 'entries' | 'action'> {
    const { action: tool, change_id: changeId } = action;
    if (changeId !== null && this.#changes.has(changeId)) return {};
    if (changeId !== null) this.#changes.add(changeId);
    return { entries: [{ type: 'change', payload: { tool, ...action } }], action };
  }
}

/** JSON is kept as such, so that a reader can look into it. */
function readable(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // What is nested too deep to be written again stays a text.
    JSON.stringify(value);
    return value;
  } catch {
    return text;
  }
}

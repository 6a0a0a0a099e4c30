import type { ActionTaken, LogType } from '@winnow/contract/flow';
import type { Db } from '../../schema/tables.ts';
import type { Announcements } from '../executions/announcements.ts';
import { type LogEntry, type Progress, saveProgress } from '../executions/progress-store.ts';
import type { ExecutionRow } from '../executions/store.ts';

/**
 * Maximum number of log entries of an execution. When this number is reached, only notices and the
 * end are still stored.
 */
const MAX_LOG_ENTRIES = 2_000;
const LOG_FULL_NOTICE = 'The log is full. From this point, only notices and the result are stored.';

export interface JournalOptions {
  db: Db;
  now: () => Date;
  announcements: Pick<Announcements, 'announceLog' | 'announceUpdate'>;
  mostEntries?: number;
}

/** The execution was ended, removed, or restarted by another worker. This attempt must stop. */
export class ExecutionGone extends Error {}

/** Stores the progress of one execution. Each write is atomic. */
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

  /**
   * Stores progress and notifies viewers of the execution.
   * @throws {ExecutionGone}
   */
  async write(progress: Progress): Promise<void> {
    const { db, now, announcements } = this.#options;
    const accountId = this.#accountId;
    const { executionId } = this.#attempt;
    const entries = this.#fitting(progress.entries ?? []);
    const isSaved = await saveProgress(db, accountId, this.#attempt, { ...progress, entries }, now());
    if (!isSaved) throw new ExecutionGone();
    this.#written += entries.length;
    const isMoved = progress.end !== undefined || progress.modelWaitSince instanceof Date;
    if (isMoved) await announcements.announceUpdate(accountId, executionId);
    else await announcements.announceLog(accountId, executionId);
  }

  /** Returns the entries that still fit into the log. Adds a notice when the log becomes full. */
  #fitting(entries: readonly LogEntry[]): readonly LogEntry[] {
    const most = this.#options.mostEntries ?? MAX_LOG_ENTRIES;
    const room = Math.max(0, most - this.#written);
    const fitting = entries.filter(
      ({ type }, index) => index < room || type === 'status' || type === 'error',
    );
    const isToSay = fitting.length < entries.length && this.#written <= most;
    return isToSay ? [...fitting, { type: 'status', payload: { notice: LOG_FULL_NOTICE } }] : fitting;
  }

  /**
   * Stores one log entry.
   * @throws {ExecutionGone}
   */
  log(type: LogType, payload: Record<string, unknown>): Promise<void> {
    return this.write({ entries: [{ type, payload }] });
  }

  /** Logs a tool call before it is made. */
  recordCall(tool: string, input: unknown, calls?: object): Promise<void> {
    return this.write({
      entries: [{ type: 'tool_call', payload: { tool, arguments: input } }],
      toolCalls: 1,
      ...(calls === undefined ? {} : { calls }),
    });
  }

  /**
   * Stores the result of a call: its log entry, its action, and the state from which a restart
   * continues.
   */
  async recordResult(
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

  /** Stores an action of an interrupted attempt, unless it is already stored. */
  async recordFoundAction(action: ActionTaken): Promise<void> {
    const done = this.#done(action);
    if (done.action !== undefined) await this.write(done);
  }

  /**
   * Returns the progress fields for an action. Returns none if the execution already lists the
   * action's change.
   */
  #done(action: ActionTaken): Pick<Progress, 'entries' | 'action'> {
    const { action: tool, change_id: changeId } = action;
    if (changeId !== null && this.#changes.has(changeId)) return {};
    if (changeId !== null) this.#changes.add(changeId);
    return { entries: [{ type: 'change', payload: { tool, ...action } }], action };
  }
}

/**
 * Parses a JSON text, so that readers can inspect it. Returns the text itself if it is not JSON.
 */
function readable(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Throws if the value is nested too deeply to be serialized. Then the text itself is returned.
    JSON.stringify(value);
    return value;
  } catch {
    return text;
  }
}

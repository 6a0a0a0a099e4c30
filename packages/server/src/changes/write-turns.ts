import { setTimeout as sleep } from 'node:timers/promises';
import { findIssues } from '../issues/index.ts';
import type { Db } from '../schema/tables.ts';
import type { ChangeRecord } from './store.ts';
import * as store from './turn-store.ts';
import { blockingChangeOf, issueBusy } from './write-conflicts.ts';

/**
 * Maximum time in milliseconds that a write waits for earlier writes to the same issues. Then it is
 * refused.
 */
const WRITE_WAIT_MS = 10_000;
/** Interval in milliseconds at which a waiting write checks whether earlier turns have ended. */
const TURN_POLL_MS = 100;

export interface WriteTurnsOptions {
  db: Db;
  /**
   * Waits until a change is settled, `withinMs` has passed, or the signal is aborted. Returns the
   * change.
   */
  whenSettled: (
    accountId: string,
    changeId: string,
    until: { withinMs: number; signal: AbortSignal },
  ) => Promise<ChangeRecord>;
  waitMs?: number | undefined;
}

/**
 * Issues that a write concerns, and the caller's signal. Nothing is saved after the signal is
 * aborted.
 */
export interface TurnRequest {
  issueIds: readonly string[];
  /** True for writes that only add to issues. Such writes do not wait for each other. */
  isShared?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /**
   * Maximum time in milliseconds that the write waits for earlier writes to the same issues.
   * Default: {@link WRITE_WAIT_MS}.
   */
  waitMs?: number | undefined;
}

/**
 * Queue of writes to issues, shared by all processes. Writes to the same issue run in the order in
 * which they reach {@link WriteTurns.run}. A turn contains all issues of its write and waits only
 * for earlier turns, so turns cannot deadlock.
 *
 * A turn is a database row that expires after a few seconds. The turn of a killed process therefore
 * ends by itself. Turns only order the writes. The check in the transaction that saves a change
 * prevents conflicting writes.
 */
export class WriteTurns {
  readonly #options: WriteTurnsOptions;

  constructor(options: WriteTurnsOptions) {
    this.#options = options;
  }

  /**
   * Runs `write`, which plans and saves a change, when its turn comes. If a change in progress
   * blocks the write, waits until that change is settled and runs the write again.
   *
   * @throws {AppError} `conflict` with `Retry-After` if the turn does not come in time
   * @throws the signal's abort reason if the signal is aborted
   */
  async run<T>(accountId: string, wanted: TurnRequest, write: () => Promise<T>): Promise<T> {
    const { db, whenSettled } = this.#options;
    const { issueIds, isShared = false, signal, waitMs = this.#waitMs } = wanted;
    signal?.throwIfAborted();
    if (issueIds.length === 0) return write();
    const late = AbortSignal.timeout(waitMs);
    const ending = signal === undefined ? late : AbortSignal.any([signal, late]);
    const turn = await store.takeTurn(db, { accountId, issueIds, isShared });
    try {
      for (;;) {
        await this.#untilFirst(turn, { ending, late, signal, waitMs });
        try {
          return await write();
        } catch (error) {
          const changeId = blockingChangeOf(error);
          if (changeId === null || late.aborted) throw error;
          await whenSettled(accountId, changeId, { withinMs: waitMs, signal: ending });
          signal?.throwIfAborted();
        }
      }
    } finally {
      await store.endTurn(db, turn);
    }
  }

  get #waitMs(): number {
    return this.#options.waitMs ?? WRITE_WAIT_MS;
  }

  async #untilFirst(
    turn: store.Turn,
    until: { ending: AbortSignal; late: AbortSignal; signal: AbortSignal | undefined; waitMs: number },
  ): Promise<void> {
    const { db, whenSettled } = this.#options;
    const { ending, late, signal, waitMs } = until;
    for (;;) {
      const obstacle = await store.findObstacle(db, turn);
      signal?.throwIfAborted();
      if (obstacle === null) return;
      if (late.aborted) {
        const [issue] = await findIssues(db, turn.accountId, [obstacle.issueId]);
        throw issueBusy(issue?.key ?? 'The issue', obstacle.changeId);
      }
      if (obstacle.changeId === null) {
        await sleep(TURN_POLL_MS);
      } else {
        await whenSettled(turn.accountId, obstacle.changeId, { withinMs: waitMs, signal: ending });
      }
    }
  }
}

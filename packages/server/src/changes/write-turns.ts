import { setTimeout as sleep } from 'node:timers/promises';
import { findIssues } from '../issues/index.ts';
import type { Db } from '../schema/tables.ts';
import type { ChangeRecord } from './store.ts';
import * as store from './turn-store.ts';
import { blockingChangeOf, issueBusy } from './write-conflicts.ts';

/** Maximum wait of a write for earlier writes to the same issues before it is refused. */
const WRITE_WAIT_MS = 10_000;
/** Interval at which a waiting write checks whether earlier turns have ended. */
const TURN_POLL_MS = 100;

export interface WriteTurnsOptions {
  db: Db;
  /**
   * Waits until a change is settled, the time is over or the signal is aborted. Returns the change.
   */
  whenSettled: (
    accountId: string,
    changeId: string,
    until: { withinMs: number; signal: AbortSignal },
  ) => Promise<ChangeRecord>;
  waitMs?: number | undefined;
}

/** Issues of a write, and the caller's signal. Once the signal is aborted, nothing is saved. */
export interface TurnRequest {
  issueIds: readonly string[];
  /** True for writes that only add to issues. They do not wait for each other. */
  isShared?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Maximum wait in ms for earlier writes to the same issues. Default: 10 seconds. */
  waitMs?: number | undefined;
}

/**
 * Orders writes to the same issue by arrival at {@link WriteTurns.run}, across processes. Requests
 * sent a few milliseconds apart may arrive there in another order. A turn names all its issues at
 * once and waits only for earlier turns, so turns cannot deadlock.
 *
 * A turn is a row with a lease of a few seconds, so the turn of a killed process ends by itself.
 * Turns only order writes; the check in the saving transaction protects the issue.
 */
export class WriteTurns {
  readonly #options: WriteTurnsOptions;

  constructor(options: WriteTurnsOptions) {
    this.#options = options;
  }

  /**
   * Runs `write`, which plans and saves a change, when its turn comes. Runs it again if a change in
   * progress refused it and has since settled.
   *
   * @throws {AppError} `conflict` with `Retry-After` if the turn does not come in time; the reason
   * of an aborted signal
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

import { setTimeout as sleep } from 'node:timers/promises';
import { findIssues } from '../issues/service.ts';
import type { Db } from '../schema/tables.ts';
import { beingChanged, inTheWay } from './being-changed.ts';
import type { ChangeRecord } from './store.ts';
import * as store from './turn-store.ts';

/** How long a write waits for earlier writes to the same issues before it is refused. */
export const WRITE_WAIT_MS = 10_000;
/** How often a waiting write looks whether an earlier one has been saved. */
const LOOK_AGAIN_MS = 100;

export interface WriteTurnsOptions {
  db: Db;
  /** Returns the change once it is settled, or as it is when time is up or `signal` is aborted. */
  whenSettled: (
    accountId: string,
    changeId: string,
    until: { withinMs: number; signal: AbortSignal },
  ) => Promise<ChangeRecord>;
  waitMs?: number | undefined;
}

/** Issues that a write is about, and the caller's signal: once it is aborted, nothing is saved. */
export interface WantedTurn {
  issueIds: readonly string[];
  /** True for writes that only add to issues: they do not wait for each other. */
  isShared?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Lets writes to one issue wait for each other, in order of arrival, over all processes. A turn names all its issues at once
 * and waits only for earlier turns, so no two turns wait for each other. It is a row with a lease of a few seconds: the turn
 * of a killed process ends by itself. A turn orders writes; what protects an issue is the check in the transaction that saves.
 */
export class WriteTurns {
  readonly #options: WriteTurnsOptions;

  constructor(options: WriteTurnsOptions) {
    this.#options = options;
  }

  /**
   * Runs `write`, which plans and saves a change, when its turn has come. It runs again when a change under way refused it.
   * @throws {AppError} 409 with `Retry-After` when the turn has not come in time; the reason of an aborted signal
   */
  async run<T>(accountId: string, wanted: WantedTurn, write: () => Promise<T>): Promise<T> {
    const { db, whenSettled, waitMs = WRITE_WAIT_MS } = this.#options;
    const { issueIds, isShared = false, signal } = wanted;
    signal?.throwIfAborted();
    if (issueIds.length === 0) return write();
    const late = AbortSignal.timeout(waitMs);
    const ending = signal === undefined ? late : AbortSignal.any([signal, late]);
    const turn = await store.takeTurn(db, { accountId, issueIds, isShared });
    try {
      for (;;) {
        await this.#untilFirst(turn, { ending, late, signal });
        try {
          return await write();
        } catch (error) {
          const changeId = inTheWay(error);
          if (changeId === null || late.aborted) throw error;
          await whenSettled(accountId, changeId, { withinMs: waitMs, signal: ending });
          signal?.throwIfAborted();
        }
      }
    } finally {
      await store.endTurn(db, turn);
    }
  }

  async #untilFirst(
    turn: store.Turn,
    { ending, late, signal }: { ending: AbortSignal; late: AbortSignal; signal: AbortSignal | undefined },
  ): Promise<void> {
    const { db, whenSettled, waitMs = WRITE_WAIT_MS } = this.#options;
    for (;;) {
      const ahead = await store.findAhead(db, turn);
      signal?.throwIfAborted();
      if (ahead === null) return;
      if (late.aborted) {
        const [issue] = await findIssues(db, turn.accountId, [ahead.issueId]);
        throw beingChanged(issue?.key ?? 'The issue', ahead.changeId);
      }
      if (ahead.changeId === null) {
        await sleep(LOOK_AGAIN_MS);
      } else {
        await whenSettled(turn.accountId, ahead.changeId, { withinMs: waitMs, signal: ending });
      }
    }
  }
}

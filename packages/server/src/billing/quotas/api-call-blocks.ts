import { setTimeout as pause } from 'node:timers/promises';
import type { PlanQuotas, QuotaLimit, TakenUnit } from './quotas.ts';

const QUOTA = 'api_calls_monthly';
/** Time after which this process returns the unused calls of a block to the quota. */
const BLOCK_HOLD_MS = 1_000;
/**
 * Time for which another process may hold unused calls of a block. During this time, a caller waits
 * instead of being refused.
 */
const MAX_BLOCK_WAIT_MS = 1_500;
/** Interval at which waiting callers check the quota again. */
const POLL_MS = 50;
/**
 * Size of a block as a share of the quota. Blocks are taken only if {@link RESERVE_SHARE} of the
 * quota remains.
 */
const BLOCK_SHARE = 1 / 100;
const RESERVE_SHARE = 1 / 10;

/** Calls that this process has taken for an account but not used yet. */
interface Block {
  /** Quota that the calls were taken from; null if the account has no limit. */
  limit: QuotaLimit | null;
  left: number;
  /** End of the month, in milliseconds since the epoch. */
  endsAtMs: number;
  timer: NodeJS.Timeout;
}

interface Waiting {
  taken: (taken: TakenUnit) => void;
  refused: (error: unknown) => void;
  untilMs: number;
}

export interface ApiCallBlocksOptions {
  amounts: PlanQuotas;
  now: () => Date;
  onError: (error: unknown) => void;
}

/**
 * Takes API calls from the monthly quota in blocks, so that most calls need no database query.
 * Unused calls of a block are returned after a second.
 *
 * Near the end of a quota, calls are taken one by one. A call is refused only when no process can
 * still hold unused calls. A crashed process loses at most one block per account.
 */
export class ApiCallBlocks {
  readonly #options: ApiCallBlocksOptions;
  readonly #blocks = new Map<string, Block>();
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #refunds = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: ApiCallBlocksOptions) {
    this.#options = options;
  }

  /**
   * Takes one call.
   * @throws {AppError} `rate_limited` (code `plan_limit`) if the quota is exhausted
   */
  async take(accountId: string): Promise<TakenUnit | null> {
    if (!this.#options.amounts.areLimited) return null;
    const block = this.#blocks.get(accountId);
    if (block !== undefined && this.#isUsable(block)) {
      block.left -= 1;
      return this.#unitOf(accountId, block.limit);
    }
    return new Promise((taken, refused) => {
      const waiting = { taken, refused, untilMs: performance.now() + 2 * MAX_BLOCK_WAIT_MS };
      const others = this.#waiting.get(accountId);
      if (others !== undefined) {
        others.push(waiting);
        return;
      }
      const queue = [waiting];
      this.#waiting.set(accountId, queue);
      void this.#serve(accountId, queue);
    });
  }

  /** Returns all unused calls to the quotas of their accounts. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const accountId of this.#blocks.keys()) this.#release(accountId);
    await Promise.all(this.#refunds);
  }

  /** Takes calls for all waiting callers, in order of arrival, until the queue is empty. */
  async #serve(accountId: string, queue: Waiting[]): Promise<void> {
    try {
      while (queue.length > 0) {
        const othersHoldMs = await this.#takeFor(accountId, queue);
        if (othersHoldMs > 0) await pause(Math.min(othersHoldMs, POLL_MS));
      }
    } catch (error) {
      for (const { refused } of queue) refused(error);
    } finally {
      this.#waiting.delete(accountId);
    }
  }

  /**
   * Takes calls for the waiting callers, and refuses callers whose wait has expired. Returns the
   * milliseconds for which other processes may still hold unused calls.
   */
  async #takeFor(accountId: string, queue: Waiting[]): Promise<number> {
    const { amounts } = this.#options;
    const wanted = queue.length;
    this.#release(accountId);
    const limit = await amounts.limitOf(accountId, QUOTA);
    if (limit === null) {
      this.#hand(accountId, queue, null, Number.POSITIVE_INFINITY);
      return 0;
    }
    const extra = {
      count: Math.floor(limit.max * BLOCK_SHARE),
      minLeft: Math.ceil(limit.max * RESERVE_SHARE),
      holdMs: MAX_BLOCK_WAIT_MS,
    };
    const given = await amounts.takeInAdvance(limit, { wanted, extra: this.#isClosed ? undefined : extra });
    const lacking = wanted - given.count;
    this.#hand(accountId, queue, limit, given.count);
    if (lacking <= 0) return 0;
    const stay = given.othersHoldMs > 0 ? performance.now() : Number.POSITIVE_INFINITY;
    const refused = queue.slice(0, lacking).filter(({ untilMs }) => untilMs < stay);
    for (const waiting of refused) {
      queue.splice(queue.indexOf(waiting), 1);
      waiting.refused(amounts.refusal(limit, QUOTA));
    }
    return given.othersHoldMs;
  }

  /** Gives the taken calls to the waiting callers. Keeps the remaining calls as a block. */
  #hand(accountId: string, queue: Waiting[], limit: QuotaLimit | null, count: number): void {
    const served = queue.splice(0, count);
    for (const { taken } of served) taken(this.#unitOf(accountId, limit));
    const left = count - served.length;
    if (left === 0) return;
    const endsAtMs = limit?.resetsAt.getTime() ?? Number.POSITIVE_INFINITY;
    const timer = setTimeout(() => this.#release(accountId), BLOCK_HOLD_MS);
    this.#blocks.set(accountId, { limit, left, endsAtMs, timer });
    if (this.#isClosed) this.#release(accountId);
  }

  #isUsable({ left, endsAtMs }: Block): boolean {
    return left > 0 && this.#options.now().getTime() < endsAtMs;
  }

  /** Returns the unused calls of the block to the quota. */
  #release(accountId: string): void {
    const block = this.#blocks.get(accountId);
    if (block === undefined) return;
    clearTimeout(block.timer);
    this.#blocks.delete(accountId);
    if (block.limit !== null && block.left > 0) void this.#refund(block.limit, block.left);
  }

  #unitOf(accountId: string, limit: QuotaLimit | null): TakenUnit {
    return {
      refund: async () => {
        const block = this.#blocks.get(accountId);
        if (limit === null) return;
        if (block?.limit === limit) block.left += 1;
        else await this.#refund(limit, 1);
      },
    };
  }

  #refund(limit: QuotaLimit, count: number): Promise<void> {
    const given = this.#options.amounts.refund(limit, count).catch(this.#options.onError);
    this.#refunds.add(given);
    return given.finally(() => this.#refunds.delete(given));
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Limit, PlanAmounts, Taken } from './amounts.ts';

const AMOUNT = 'api_calls_monthly';
/** How long what was taken ahead is held before it is given back… */
const HOLD_MS = 1_000;
/** …and how long others wait for that, who find nothing left. */
const WAIT_MS = 1_500;
/** How often these look. */
const LOOK_EVERY_MS = 50;
/** The part of a plan's amount that is taken ahead, and how much has to be left beyond it. */
const AHEAD = 1 / 100;
const FAR = 1 / 10;

/** Calls that this process has taken for an account and nobody has made yet. */
interface Block {
  /** Null where nothing limits the account. */
  limit: Limit | null;
  left: number;
  /** From then on it is another month. */
  endsAtMs: number;
  timer: NodeJS.Timeout;
}

interface Waiting {
  taken: (taken: Taken) => void;
  refused: (error: unknown) => void;
  untilMs: number;
}

export interface ApiCallBlocksOptions {
  amounts: PlanAmounts;
  now: () => Date;
  onError: (error: unknown) => void;
}

/**
 * Takes API calls of plans' amounts a block at a time, so that most calls cost no look into the database. What a process
 * does not use of a block within a second it gives back. Near the end of an amount calls are taken one by one; one that finds
 * none left is refused when no process can hold any. A process that dies takes at most one block of each account with it.
 */
export class ApiCallBlocks {
  readonly #options: ApiCallBlocksOptions;
  readonly #blocks = new Map<string, Block>();
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #givingBack = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: ApiCallBlocksOptions) {
    this.#options = options;
  }

  /** Takes one call. @throws {AppError} 429 `plan_limit` when none is left. */
  async take(accountId: string): Promise<Taken | null> {
    if (!this.#options.amounts.areLimited) return null;
    const block = this.#blocks.get(accountId);
    if (block !== undefined && this.#isGood(block)) {
      block.left -= 1;
      return this.#oneOf(accountId, block.limit);
    }
    return new Promise((taken, refused) => {
      const waiting = { taken, refused, untilMs: performance.now() + 2 * WAIT_MS };
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

  /** Gives back all that is held. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const accountId of this.#blocks.keys()) this.#release(accountId);
    await Promise.all(this.#givingBack);
  }

  /** Takes for all who wait, in the order in which they came, until nobody does. */
  async #serve(accountId: string, queue: Waiting[]): Promise<void> {
    try {
      while (queue.length > 0) {
        const othersHoldMs = await this.#takeFor(accountId, queue);
        if (othersHoldMs > 0) await pause(Math.min(othersHoldMs, LOOK_EVERY_MS));
      }
    } catch (error) {
      for (const { refused } of queue) refused(error);
    } finally {
      this.#waiting.delete(accountId);
    }
  }

  /** Takes for those who wait, and refuses who need not wait any longer; answers how long the others have to. */
  async #takeFor(accountId: string, queue: Waiting[]): Promise<number> {
    const { amounts } = this.#options;
    const wanted = queue.length;
    this.#release(accountId);
    const limit = await amounts.limitOf(accountId, AMOUNT);
    if (limit === null) {
      this.#hand(accountId, queue, null, Number.POSITIVE_INFINITY);
      return 0;
    }
    const ahead = {
      count: Math.floor(limit.most * AHEAD),
      far: Math.ceil(limit.most * FAR),
      holdMs: WAIT_MS,
    };
    const given = await amounts.takeAhead(limit, { wanted, ahead: this.#isClosed ? undefined : ahead });
    const lacking = wanted - given.count;
    this.#hand(accountId, queue, limit, given.count);
    if (lacking <= 0) return 0;
    const stay = given.othersHoldMs > 0 ? performance.now() : Number.POSITIVE_INFINITY;
    const refused = queue.slice(0, lacking).filter(({ untilMs }) => untilMs < stay);
    for (const waiting of refused) {
      queue.splice(queue.indexOf(waiting), 1);
      waiting.refused(amounts.refusal(limit, AMOUNT));
    }
    return given.othersHoldMs;
  }

  /** Hands out what was taken, and holds what is left of it. */
  #hand(accountId: string, queue: Waiting[], limit: Limit | null, count: number): void {
    const served = queue.splice(0, count);
    for (const { taken } of served) taken(this.#oneOf(accountId, limit));
    const left = count - served.length;
    if (left === 0) return;
    const endsAtMs = limit?.resetsAt.getTime() ?? Number.POSITIVE_INFINITY;
    const timer = setTimeout(() => this.#release(accountId), HOLD_MS);
    this.#blocks.set(accountId, { limit, left, endsAtMs, timer });
    if (this.#isClosed) this.#release(accountId);
  }

  #isGood({ left, endsAtMs }: Block): boolean {
    return left > 0 && this.#options.now().getTime() < endsAtMs;
  }

  /** Gives back what is left of a block. */
  #release(accountId: string): void {
    const block = this.#blocks.get(accountId);
    if (block === undefined) return;
    clearTimeout(block.timer);
    this.#blocks.delete(accountId);
    if (block.limit !== null && block.left > 0) void this.#giveBack(block.limit, block.left);
  }

  #oneOf(accountId: string, limit: Limit | null): Taken {
    return {
      giveBack: async () => {
        const block = this.#blocks.get(accountId);
        if (limit === null) return;
        if (block?.limit === limit) block.left += 1;
        else await this.#giveBack(limit, 1);
      },
    };
  }

  #giveBack(limit: Limit, count: number): Promise<void> {
    const given = this.#options.amounts.giveBack(limit, count).catch(this.#options.onError);
    this.#givingBack.add(given);
    return given.finally(() => this.#givingBack.delete(given));
  }
}

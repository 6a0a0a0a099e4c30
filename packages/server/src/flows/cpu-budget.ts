import { createContext, Script } from 'node:vm';

/**
 * Maximum duration of one uninterrupted search, in milliseconds. During a search, the process
 * handles no other requests.
 */
const MAX_SEARCH_MS = 50;
/**
 * Maximum number of attempts. On a busy machine, a timeout can expire although little processor
 * time was used. The search is then repeated.
 */
const MAX_ATTEMPTS = 5;

const script = new Script('work()');
const context = createContext({ work: undefined as unknown });

/**
 * Budget of processor time for work that users can make expensive. It measures processor time, so
 * the load of the machine does not affect it.
 */
export class CpuBudget {
  readonly #limitMs: number;
  #spentMs = 0;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  get spentMs(): number {
    return this.#spentMs;
  }

  /**
   * Runs work that takes at most a few milliseconds.
   * @throws {CpuBudgetExceeded} if the budget is used up
   */
  take<T>(work: () => T): T {
    this.#leftMs();
    const before = process.threadCpuUsage();
    try {
      return work();
    } finally {
      this.#spentMs += msSince(before);
    }
  }

  /**
   * Runs work of any duration, and interrupts it after {@link MAX_SEARCH_MS}. Objects that were in
   * use when the work was interrupted must not be reused.
   * @throws {CpuBudgetExceeded} if the work was interrupted or the budget is used up
   */
  limit<T>(work: () => T): T {
    for (let tries = 1; ; tries += 1) {
      const withinMs = Math.min(MAX_SEARCH_MS, this.#leftMs());
      const before = this.#spentMs;
      try {
        context.work = work;
        return this.take(() => script.runInContext(context, { timeout: withinMs }) as T);
      } catch (error) {
        if (!isTimeout(error)) throw error;
        if (this.#spentMs - before >= withinMs / 2 || tries === MAX_ATTEMPTS) throw new CpuBudgetExceeded();
      } finally {
        context.work = undefined;
      }
    }
  }

  #leftMs(): number {
    const left = Math.floor(this.#limitMs - this.#spentMs);
    if (left < 1) throw new CpuBudgetExceeded();
    return left;
  }
}

/** Work needs more processor time than is left in the budget. */
export class CpuBudgetExceeded extends Error {}

function isTimeout(error: unknown): boolean {
  // The error was created in the other context, so `instanceof` does not recognize it.
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

import { createContext, Script } from 'node:vm';

/** The most that one piece of work takes: nobody else is answered meanwhile. */
const PIECE_MS = 50;
/** A busy machine lets a piece wait, so that its time by the clock says little; then it is begun anew. */
const TRIES = 5;

const script = new Script('work()');
const context = createContext({ work: undefined as unknown });

/** The processor's time for work that a stranger can make hard, however busy the machine is. */
export class SearchTime {
  readonly #mostMs: number;
  #spentMs = 0;

  constructor(milliseconds: number) {
    this.#mostMs = milliseconds;
  }

  get spentMs(): number {
    return this.#spentMs;
  }

  /** What the work answers; it is known to take a few milliseconds at the worst. @throws {TooLong} when no time is left. */
  take<T>(work: () => T): T {
    this.#leftMs();
    const before = process.threadCpuUsage();
    try {
      return work();
    } finally {
      this.#spentMs += msSince(before);
    }
  }

  /** The same of work that may take any time: it is broken off after a twentieth of a second, so that all it had is of no use. */
  limit<T>(work: () => T): T {
    for (let tries = 1; ; tries += 1) {
      const withinMs = Math.min(PIECE_MS, this.#leftMs());
      const before = this.#spentMs;
      try {
        context.work = work;
        return this.take(() => script.runInContext(context, { timeout: withinMs }) as T);
      } catch (error) {
        if (!isTimeout(error)) throw error;
        if (this.#spentMs - before >= withinMs / 2 || tries === TRIES) throw new TooLong();
      } finally {
        context.work = undefined;
      }
    }
  }

  #leftMs(): number {
    const left = Math.floor(this.#mostMs - this.#spentMs);
    if (left < 1) throw new TooLong();
    return left;
  }
}

/** Work took longer than it may. */
export class TooLong extends Error {}

function isTimeout(error: unknown): boolean {
  // It is of the context's own kind of errors.
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

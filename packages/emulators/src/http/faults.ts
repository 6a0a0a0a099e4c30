/**
 * Kinds of faults that all emulators support. The kind `status` without `handled`, and `drop` with
 * `before`, have no effect on the data. With the other kinds, the request is handled normally.
 * - `status`: responds with this status. With `handled`, the request is handled first and only its
 *   response is replaced.
 * - `delay`: waits before the request is handled.
 * - `drop`: closes the connection, either `before` the request is handled, or in the `mid-body` of
 *   the response.
 * - `malformed`: sends the usual response, but its JSON ends in the middle.
 * - `slow`: sends the usual response in small pieces with pauses.
 */
export type FaultAction =
  | { kind: 'status'; status: number; body?: unknown; headers?: Record<string, string>; handled?: boolean }
  | { kind: 'delay'; delayMs: number }
  | { kind: 'drop'; when: 'before' | 'mid-body' }
  | { kind: 'malformed' }
  | { kind: 'slow'; chunkBytes?: number; intervalMs: number };

/**
 * A fault, and the conditions under which it occurs. All given conditions must be true. Without
 * conditions, it occurs for every request.
 */
export interface Fault<Action = FaultAction> {
  /** `path` is a regular expression. It is matched against the encoded path with the query. */
  match?: { method?: string; path?: string };
  /** Number of matching requests before the fault occurs for the first time. */
  skip?: number;
  /** Maximum number of occurrences. */
  times?: number;
  /** The fault occurs only for every n-th matching request. */
  every?: number;
  /**
   * Probability from 0 to 1 that the fault occurs for a matching request. `seed` makes the random
   * numbers reproducible.
   */
  probability?: number;
  /** Default: 1. */
  seed?: number;
  action: Action;
}

interface Armed<Action> {
  fault: Fault<Action>;
  path: RegExp | null;
  random: () => number;
  matched: number;
  fired: number;
}

/**
 * Returns a generator of pseudo-random numbers from 0 to 1 (Mulberry32). The same seed gives the
 * same numbers.
 */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The active faults, oldest first. For each request, at most the first applicable fault occurs. */
export class Faults<Action = FaultAction> {
  #armed: Armed<Action>[] = [];

  /**
   * Adds a fault.
   * @throws {SyntaxError} if its path is not a valid regular expression
   */
  add(fault: Fault<Action>): void {
    const path = fault.match?.path === undefined ? null : new RegExp(fault.match.path);
    this.#armed.push({ fault, path, random: seededRandom(fault.seed ?? 1), matched: 0, fired: 0 });
  }

  clear(): void {
    this.#armed = [];
  }

  /**
   * Returns all faults, each with its number of matching requests and its number of occurrences.
   */
  list(): { fault: Fault<Action>; matched: number; fired: number }[] {
    return this.#armed.map(({ fault, matched, fired }) => ({ fault, matched, fired }));
  }

  /**
   * Returns the action of the first fault that applies to the request, and counts its occurrence.
   * Returns null if no fault applies.
   */
  take(method: string, url: string): Action | null {
    for (const armed of this.#armed) {
      const { fault } = armed;
      if (fault.match?.method !== undefined && fault.match.method.toUpperCase() !== method) continue;
      if (armed.path && !armed.path.test(url)) continue;
      armed.matched += 1;
      if (this.#applies(armed)) {
        armed.fired += 1;
        return fault.action;
      }
    }
    return null;
  }

  #applies({ fault, matched, fired, random }: Armed<Action>): boolean {
    const { skip = 0, times, every, probability } = fault;
    if (matched <= skip) return false;
    if (times !== undefined && fired >= times) return false;
    if (every !== undefined && (matched - skip) % every !== 0) return false;
    return probability === undefined || random() < probability;
  }
}

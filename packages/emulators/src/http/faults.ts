/**
 * Faults of any tracker; each tracker adds specific kinds. Unless stated otherwise, the request has
 * no effect.
 * - `status`: responds with this status; with `handled` the request takes effect first and only its
 *   response is lost
 * - `delay`: responds as usual, but later
 * - `drop`: closes the connection, either `before` handling the request or in the `mid-body` of the
 *   response to a request that took effect
 * - `malformed`: takes effect and responds with its usual status, but the JSON ends in the middle
 * - `slow`: takes effect and sends the usual response in small pieces with pauses
 */
export type FaultAction =
  | { kind: 'status'; status: number; body?: unknown; headers?: Record<string, string>; handled?: boolean }
  | { kind: 'delay'; delayMs: number }
  | { kind: 'drop'; when: 'before' | 'mid-body' }
  | { kind: 'malformed' }
  | { kind: 'slow'; chunkBytes?: number; intervalMs: number };

/**
 * A fault, and the conditions for it to occur. All given conditions must hold. Without conditions,
 * it occurs for every request.
 */
export interface Fault<Action = FaultAction> {
  /** `path` is a regular expression that is matched against the raw path with its query. */
  match?: { method?: string; path?: string };
  /** Number of matching requests for which the fault does not occur at first. */
  skip?: number;
  /** Maximum number of times the fault occurs. */
  times?: number;
  /** If set, the fault only occurs for every n-th matching request. */
  every?: number;
  /**
   * Probability, from 0 to 1, that the fault occurs for a matching request. `seed` makes it
   * reproducible.
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

/** Returns a deterministic generator of numbers from 0 to 1 (Mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * The active faults, oldest first. The first one that applies to a request occurs.
 */
export class Faults<Action = FaultAction> {
  #armed: Armed<Action>[] = [];

  /**
   * Adds a fault.
   * @throws {SyntaxError} if the path is not a regular expression
   */
  add(fault: Fault<Action>): void {
    const path = fault.match?.path === undefined ? null : new RegExp(fault.match.path);
    this.#armed.push({ fault, path, random: seededRandom(fault.seed ?? 1), matched: 0, fired: 0 });
  }

  clear(): void {
    this.#armed = [];
  }

  /**
   * Returns every fault, with the numbers of requests that it matched and for which it occurred.
   */
  list(): { fault: Fault<Action>; matched: number; fired: number }[] {
    return this.#armed.map(({ fault, matched, fired }) => ({ fault, matched, fired }));
  }

  /**
   * Returns the action of the fault that applies to this request, and counts it. Null if none
   * applies.
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

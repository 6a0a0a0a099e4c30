/**
 * What goes wrong with any tracker; each has kinds of its own beside these. Unless it says otherwise the request takes no
 * effect.
 *
 * - `status`: answers so; with `handled` the request takes effect first, and only its answer is lost
 * - `delay`: answers as usual, later
 * - `drop`: closes the connection, `before` doing anything or in the `mid-body` of the answer of a request that took effect
 * - `malformed`: takes effect, answers 200 or what it was with JSON that ends in the middle
 * - `slow`: takes effect, answers as usual but in small pieces with a pause between
 */
export type FaultAction =
  | { kind: 'status'; status: number; body?: unknown; headers?: Record<string, string>; handled?: boolean }
  | { kind: 'delay'; delayMs: number }
  | { kind: 'drop'; when: 'before' | 'mid-body' }
  | { kind: 'malformed' }
  | { kind: 'slow'; chunkBytes?: number; intervalMs: number };

/** When a fault happens. All conditions given must hold; without any, every request. */
export interface Fault<Action = FaultAction> {
  /** `path` is a regular expression, searched in the path with its query as it was sent */
  match?: { method?: string; path?: string };
  /** leave the first so many matching requests alone */
  skip?: number;
  /** happen at most so many times */
  times?: number;
  /** of the matching requests only each n-th */
  every?: number;
  /** of the matching requests only so large a part, 0 to 1, drawn from `seed` */
  probability?: number;
  /** default 1 */
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

/** Mulberry32: a small generator whose numbers, 0 to 1, follow from the seed alone. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The faults that are set, in the order they were set. The first that applies to a request is the one that happens. */
export class Faults<Action = FaultAction> {
  #armed: Armed<Action>[] = [];

  /** @throws SyntaxError when the path is not a regular expression */
  add(fault: Fault<Action>): void {
    const path = fault.match?.path === undefined ? null : new RegExp(fault.match.path);
    this.#armed.push({ fault, path, random: seededRandom(fault.seed ?? 1), matched: 0, fired: 0 });
  }

  clear(): void {
    this.#armed = [];
  }

  /** Every fault with how often it matched and how often it happened. */
  list(): { fault: Fault<Action>; matched: number; fired: number }[] {
    return this.#armed.map(({ fault, matched, fired }) => ({ fault, matched, fired }));
  }

  /** The fault for this request, counted as having happened; null for none. */
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

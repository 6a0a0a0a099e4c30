import type { SearchPlan } from './plan.ts';
import type { FoundLists } from './tile-search.ts';

/**
 * Neighbors of the requested rows, best first. If scores are equal, the lower row number comes
 * first.
 */
export interface NeighbourResult {
  readonly k: number;
  /** `k` row numbers per requested row. {@link noNeighbour} fills missing entries. */
  readonly ids: Uint32Array;
  /** `k` dot products per requested row. 0 fills missing entries. */
  readonly scores: Float32Array;
}

/** Marks a missing entry of a row with fewer than `k` neighbors. */
export const noNeighbour = 0xffffffff;

/**
 * Merges the results of all threads. The result has the order of `rows`, or of all rows for null.
 */
export class ListMerger {
  readonly #plan: SearchPlan;
  readonly #found: readonly FoundLists[];
  readonly #rows: Uint32Array | null;
  readonly #listOfRow: Uint32Array;
  readonly #places: Uint32Array;
  readonly result: NeighbourResult;
  readonly count: number;

  constructor(plan: SearchPlan, found: readonly FoundLists[], rows: Uint32Array | null, k: number) {
    this.#plan = plan;
    this.#found = found;
    this.#rows = rows;
    this.#listOfRow = new Uint32Array(plan.vectors.count).fill(noNeighbour);
    for (let list = 0; list < plan.seekers.length; list++) this.#listOfRow[plan.seekers[list] ?? 0] = list;
    this.#places = new Uint32Array(found.length);
    this.count = rows === null ? plan.vectors.count : rows.length;
    this.result = {
      k,
      ids: new Uint32Array(this.count * k).fill(noNeighbour),
      scores: new Float32Array(this.count * k),
    };
  }

  /** Merges the neighbors of the requested rows from index `start` up to, but excluding, `end`. */
  merge(start: number, end: number): void {
    for (let index = start; index < end; index++) {
      const list = this.#listOfRow[this.#rows === null ? index : (this.#rows[index] ?? 0)];
      if (list !== undefined && list !== noNeighbour) this.#mergeList(list, index * this.result.k);
    }
  }

  #mergeList(list: number, to: number): void {
    const { k, vectors } = this.#plan;
    const { ids, scores } = this.result;
    const unit = 1 / vectors.scale ** 2;
    this.#places.fill(0);
    for (let place = 0; place < k; place++) {
      let best = -1;
      let bestScore = 0;
      let bestId = 0;
      for (let thread = 0; thread < this.#found.length; thread++) {
        const found = this.#found[thread];
        const at = this.#places[thread] ?? 0;
        if (found === undefined || at >= (found.sizes[list] ?? 0)) continue;
        const entry = 2 * (list * k + at);
        const id = found.entries[entry] ?? 0;
        const score = found.entries[entry + 1] ?? 0;
        if (best < 0 || score > bestScore || (score === bestScore && id > bestId)) {
          best = thread;
          bestScore = score;
          bestId = id;
        }
      }
      if (best < 0) return;
      this.#places[best] = (this.#places[best] ?? 0) + 1;
      ids[to + place] = ~bestId >>> 0;
      scores[to + place] = (bestScore - 2 ** 31) * unit;
    }
  }
}

import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { loadKernel } from './neighbours/kernel.ts';
import { ListMerger, type NeighbourResult, noNeighbour } from './neighbours/merge.ts';
import { NeighboursUnavailable } from './neighbours/neighbours-unavailable.ts';
import { type PackedVectors, packVectors } from './neighbours/packed-vectors.ts';
import { type NeighbourRequest, planSearch, type SearchPlan, taskWidth } from './neighbours/plan.ts';
import { SearchThread } from './neighbours/search-thread.ts';
import { type FoundLists, TileSearch } from './neighbours/tile-search.ts';

export {
  type NeighbourRequest,
  type NeighbourResult,
  NeighboursUnavailable,
  noNeighbour,
  type PackedVectors,
  packVectors,
};

/** A search of at most this many pairs, about a millisecond, is done at once on the caller's thread. */
const mostPairsInline = 131_072;
/** So is none that reads more vectors than this, which would cost more than the pairs. */
const mostVectorsInline = 4_096;
/** Rows whose lists are joined before other work of the caller's thread has its turn. */
const rowsPerTurn = 8_192;

/**
 * Finds exact nearest neighbours by dot product, in threads that are started when first needed. The result does not
 * depend on the number of threads.
 */
export class NeighbourPool {
  readonly #workers: number;
  readonly #module = loadKernel();
  #threads: SearchThread[] = [];
  #isClosed = false;

  /** @param options.workers threads to search with; default: one per processor, at most four. */
  constructor(options: { readonly workers?: number } = {}) {
    this.#workers = options.workers ?? Math.min(availableParallelism(), 4);
    if (!Number.isInteger(this.#workers) || this.#workers < 1) {
      throw new RangeError(`workers must be 1 or more: ${this.#workers}.`);
    }
  }

  /**
   * The `k` rows with the highest dot product for each wanted row, itself never among them; of equal ones the lower row
   * numbers. Vectors must not change until the result is there.
   * @throws {RangeError} when the request does not fit its vectors.
   * @throws {NeighboursUnavailable} when the pool is closed or a thread ends.
   */
  async nearest(request: NeighbourRequest): Promise<NeighbourResult> {
    if (this.#isClosed) throw new NeighboursUnavailable('The search for neighbours was closed.');
    const plan = planSearch(request);
    const merger = new ListMerger(plan, await this.#search(plan), request.rows ?? null, request.k);
    for (let row = 0; row < merger.count; row += rowsPerTurn) {
      if (row > 0) await nextTurn();
      merger.merge(row, Math.min(row + rowsPerTurn, merger.count));
    }
    return merger.result;
  }

  /** Ends the threads; searches under way are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  async #search(plan: SearchPlan): Promise<FoundLists[]> {
    if (plan.pairs === 0) return [];
    if (plan.pairs <= mostPairsInline && plan.members.length <= mostVectorsInline) {
      const tiles = new TileSearch(plan, this.#module);
      while (tiles.work());
      return [tiles.lists()];
    }
    const threads = this.#wakeThreads().slice(0, plan.tasks.length / taskWidth);
    return Promise.all(threads.map((thread) => thread.search(plan, this.#module)));
  }

  /** The threads, with new ones in the place of those that have ended. */
  #wakeThreads(): readonly SearchThread[] {
    const alive = this.#threads.filter((thread) => thread.isAlive);
    while (alive.length < this.#workers) alive.push(new SearchThread());
    this.#threads = alive;
    return alive;
  }
}

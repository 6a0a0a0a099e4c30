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

/** Maximum pairs of a search on the caller's thread. It takes about one millisecond. */
const maxPairsInline = 131_072;
/**
 * Maximum vectors of a search on the caller's thread. With more, reading the vectors would take
 * longer than comparing them.
 */
const maxVectorsInline = 4_096;
/** Number of rows that are merged before the caller's thread yields to other work. */
const rowsPerTurn = 8_192;

/**
 * Finds exact nearest neighbors by dot product. Its threads start on first use. The result does not
 * depend on the number of threads.
 */
export class NeighbourPool {
  readonly #workers: number;
  readonly #module = loadKernel();
  #threads: SearchThread[] = [];
  #isClosed = false;

  /**
   * @param options.workers number of search threads; the default is one per processor, at most four
   */
  constructor(options: { readonly workers?: number } = {}) {
    this.#workers = options.workers ?? Math.min(availableParallelism(), 4);
    if (!Number.isInteger(this.#workers) || this.#workers < 1) {
      throw new RangeError(`workers must be 1 or more: ${this.#workers}.`);
    }
  }

  /**
   * Returns, per requested row, the `k` rows with the highest dot product, without the row itself.
   * If products are equal, the lower row number comes first. The vectors must not change until the
   * promise settles.
   *
   * @throws {RangeError} if the request does not match its vectors
   * @throws {NeighboursUnavailable} if the pool is closed or a thread ends
   */
  async nearest(request: NeighbourRequest): Promise<NeighbourResult> {
    if (this.#isClosed) throw new NeighboursUnavailable('The search for neighbors was closed.');
    const plan = planSearch(request);
    const merger = new ListMerger(plan, await this.#search(plan), request.rows ?? null, request.k);
    for (let row = 0; row < merger.count; row += rowsPerTurn) {
      if (row > 0) await nextTurn();
      merger.merge(row, Math.min(row + rowsPerTurn, merger.count));
    }
    return merger.result;
  }

  /** Ends the threads. Searches in progress are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  async #search(plan: SearchPlan): Promise<FoundLists[]> {
    if (plan.pairs === 0) return [];
    if (plan.pairs <= maxPairsInline && plan.members.length <= maxVectorsInline) {
      const tiles = new TileSearch(plan, this.#module);
      while (tiles.work());
      return [tiles.lists()];
    }
    const threads = this.#wakeThreads().slice(0, plan.tasks.length / taskWidth);
    return Promise.all(threads.map((thread) => thread.search(plan, this.#module)));
  }

  /** Starts missing threads, including replacements for those that ended. Returns all threads. */
  #wakeThreads(): readonly SearchThread[] {
    const alive = this.#threads.filter((thread) => thread.isAlive);
    while (alive.length < this.#workers) alive.push(new SearchThread());
    this.#threads = alive;
    return alive;
  }
}

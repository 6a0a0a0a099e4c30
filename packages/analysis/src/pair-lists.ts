import { setImmediate as nextTurn } from 'node:timers/promises';
import { BestLists } from './best-lists.ts';
import { nearestByMeaning } from './nearest-by-meaning.ts';
import type { NeighbourPool } from './neighbours.ts';
import { comparePair, type Resident, type Scale } from './resident.ts';
import type { Residents } from './residents.ts';
import { byEstimate, denseFrom, ESTIMATE_SLACK, type RowSearch } from './row-search.ts';
import { withDense } from './score.ts';

/**
 * Limits of the listed pairs: the maximum per issue within its group and overall, and the minimum
 * similarity.
 */
export interface ListLimits {
  perGroup: number;
  overall: number;
  floor: number;
}

/** Share of changed issues above which all lists are searched again. */
const FULL_SEARCH_SHARE = 1 / 8;
/** Minimum rows for a search in the pool. For fewer rows, packing every vector would cost more. */
const MIN_POOL_ROWS = 48;
/** Milliseconds after which the search yields to other work of the thread. */
const TURN_MS = 40;
/** Maximum error of the pool's scores, which are computed from rounded vectors. */
const POOL_SLACK = 0.001;
/** Extra neighbors requested, so that rounding does not decide which entries are in a list. */
const POOL_SPARE = 8;

/**
 * The most similar issues of every issue, exact between calls. After changes, searches only for the
 * changed issues and updates the affected lists. All scores use one scale.
 */
export class PairLists {
  readonly limits: ListLimits;
  readonly #residents: Residents;
  readonly #search: RowSearch;
  readonly #scale: Scale;
  readonly #own: BestLists;
  readonly #all: BestLists;
  readonly #dirty = new Set<number>();
  #turnBegan = 0;

  constructor(residents: Residents, search: RowSearch, scale: Scale, limits: ListLimits) {
    const nameOf = (slot: number): string => residents.at(slot)?.id ?? '';
    const floor = Math.max(limits.floor, Number.MIN_VALUE);
    this.limits = limits;
    this.#residents = residents;
    this.#search = search;
    this.#scale = scale;
    this.#own = new BestLists(limits.perGroup, floor, nameOf);
    this.#all = new BestLists(limits.overall, floor, nameOf);
  }

  /** Call this for every slot that was added, replaced, removed or given a vector. */
  changed(slot: number): void {
    this.#dirty.add(slot);
  }

  /** Searches until every list is known, including changes made meanwhile. */
  async complete(pool: NeighbourPool, dimensions: number): Promise<void> {
    this.#turnBegan = performance.now();
    for (;;) {
      await this.#updateChanged();
      const unknown = this.#unknown();
      if (unknown.length === 0) return;
      await this.#fill(unknown, pool, dimensions);
    }
  }

  /** Visits every pair of slots that is in the list of either slot, once, the lower slot first. */
  eachPair(visit: (slot: number, other: number) => void): void {
    const { capacity } = this.#residents;
    const slots = this.#residents.slots();
    // A pair can be in four lists. Sorted numbers take eight bytes each.
    const keys = new Float64Array(slots.length * (this.#own.room + this.#all.room));
    let count = 0;
    for (const slot of slots) {
      const note = (other: number): void => {
        keys[count] = Math.min(slot, other) * capacity + Math.max(slot, other);
        count += 1;
      };
      this.#own.each(slot, note);
      this.#all.each(slot, note);
    }
    let last = -1;
    for (const key of keys.subarray(0, count).sort()) {
      if (key === last) continue;
      last = key;
      visit(Math.floor(key / capacity), key % capacity);
    }
  }

  /**
   * Returns the highest similarity of a slot to another one than `except` that was created before
   * `before`. Returns 0 if its list contains none. Also returns how many of those exceed
   * `similarity`. Looks only within the slot's group if `inGroup`.
   */
  othersOf(
    slot: number,
    similarity: number,
    options: { except: number; before: number; inGroup: boolean },
  ): { best: number; nearer: number } {
    const lists = options.inGroup ? this.#own : this.#all;
    let [best, nearer] = [0, 0];
    lists.each(slot, (other, score) => {
      if (other === options.except) return;
      if ((this.#residents.at(other)?.createdAt ?? Number.POSITIVE_INFINITY) >= options.before) return;
      best = Math.max(best, score);
      if (score > similarity) nearer += 1;
    });
    return { best, nearer };
  }

  #unknown(): number[] {
    return this.#residents.slots().filter((slot) => !this.#own.knows(slot) || !this.#all.knows(slot));
  }

  /**
   * Removes changed slots from all lists, then searches for them and inserts them where they
   * belong.
   */
  async #updateChanged(): Promise<void> {
    while (this.#dirty.size > 0) {
      const marked = new Uint8Array(this.#residents.capacity);
      for (const slot of this.#dirty) marked[slot] = 1;
      this.#own.drop(marked);
      this.#all.drop(marked);
      if (this.#dirty.size > this.#residents.size * FULL_SEARCH_SHARE) {
        for (const slot of this.#residents.slots()) {
          this.#own.forget(slot);
          this.#all.forget(slot);
        }
        this.#dirty.clear();
        return;
      }
      for (const slot of [...this.#dirty]) {
        this.#searchChanged(slot);
        this.#dirty.delete(slot);
        await this.#breathe();
      }
    }
  }

  #searchChanged(slot: number): void {
    const resident = this.#residents.at(slot);
    if (resident === null) return;
    const { estimates } = this.#search.everything(resident, this.#scale);
    const others = this.#residents.slots().filter((other) => other !== slot && !this.#dirty.has(other));
    this.#list(slot, resident, others, estimates);
    for (const other of others) {
      const there = this.#residents.at(other);
      if (there === null || !this.#own.knows(other) || !this.#all.knows(other)) continue;
      const isAlike = there.digest === resident.digest;
      if (!isAlike && (estimates[other] ?? 0) + ESTIMATE_SLACK < this.#entryScore(other, there, resident))
        continue;
      this.#offer(other, there, slot, resident, comparePair(resident, there, this.#scale).similarity);
    }
  }

  /** Searches the given rows. Issues that change meanwhile are updated afterwards. */
  async #fill(rows: readonly number[], pool: NeighbourPool, dimensions: number): Promise<void> {
    const k = Math.max(this.#own.room, this.#all.room) + POOL_SPARE;
    const near =
      rows.length < MIN_POOL_ROWS
        ? null
        : await nearestByMeaning({
            rows,
            residents: this.#residents,
            scale: this.#scale,
            pool,
            dimensions,
            k,
          });
    for (const slot of rows) {
      const resident = this.#residents.at(slot);
      if (resident === null) continue;
      const found = near?.get(slot) ?? null;
      if (near !== null && resident.norms.title > 0 && (found !== null || resident.vector === null)) {
        this.#listNear(slot, resident, found ?? { slots: [], least: 0 });
      } else {
        const others = this.#residents.slots().filter((other) => other !== slot);
        this.#list(slot, resident, others, this.#search.everything(resident, this.#scale).estimates);
      }
      await this.#breathe();
    }
  }

  /** Lists the best among candidates with valid estimates. */
  #list(slot: number, resident: Resident, candidates: ArrayLike<number>, estimates: Float64Array): void {
    this.#own.begin(slot);
    this.#all.begin(slot);
    this.#offerAlike(slot, resident);
    this.#offerBest(slot, resident, candidates, estimates);
  }

  /**
   * Lists the best from the nearest by meaning and from those that share words. Exact: any other
   * issue scores at most as high as the last of the nearest, which fill the list.
   */
  #listNear(slot: number, resident: Resident, near: { slots: readonly number[]; least: number }): void {
    this.#own.begin(slot);
    this.#all.begin(slot);
    this.#offerAlike(slot, resident);
    for (const other of near.slots) this.#offerExact(slot, resident, other);
    const isNear = new Set(near.slots).add(slot);
    const most = near.least + POOL_SLACK;
    const floor = this.#leastEntry(slot) - ESTIMATE_SLACK;
    const { slots, estimates } = this.#search.byWords(resident, this.#scale, most, floor);
    const denseTo = denseFrom(resident, this.#scale);
    const isPossible = (other: number): boolean => {
      if (isNear.has(other)) return false;
      const there = this.#residents.at(other);
      if (denseTo === null || there === null || there.vector === null) return there !== null;
      const estimate = withDense(estimates[other] ?? 0, most, denseTo(there));
      return estimate + ESTIMATE_SLACK >= this.#entryScore(slot, resident, there);
    };
    this.#offerBest(slot, resident, slots, estimates, isPossible);
  }

  #offerBest(
    slot: number,
    resident: Resident,
    candidates: ArrayLike<number>,
    estimates: Float64Array,
    isPossible: (other: number) => boolean = () => true,
  ): void {
    for (const other of byEstimate(candidates, estimates, this.#leastEntry(slot) - ESTIMATE_SLACK)) {
      const most = (estimates[other] ?? 0) + ESTIMATE_SLACK;
      if (most < this.#leastEntry(slot)) break;
      const there = this.#residents.at(other);
      if (there === null || most < this.#entryScore(slot, resident, there)) continue;
      if (isPossible(other)) this.#offerExact(slot, resident, other);
    }
  }

  #offerExact(slot: number, resident: Resident, other: number): void {
    const there = this.#residents.at(other);
    if (there === null || other === slot || there.digest === resident.digest) return;
    this.#offer(slot, resident, other, there, comparePair(resident, there, this.#scale).similarity);
  }

  #offerAlike(slot: number, resident: Resident): void {
    for (const other of this.#residents.alike(resident.digest)) {
      const there = this.#residents.at(other);
      if (there !== null && other !== slot && !this.#dirty.has(other))
        this.#offer(slot, resident, other, there, 1);
    }
  }

  #offer(slot: number, resident: Resident, other: number, there: Resident, similarity: number): void {
    if (resident.group === there.group) this.#own.offer(slot, other, similarity);
    this.#all.offer(slot, other, similarity);
  }

  #leastEntry(slot: number): number {
    return Math.min(this.#own.entryScore(slot), this.#all.entryScore(slot));
  }

  #entryScore(slot: number, resident: Resident, newcomer: Resident): number {
    const all = this.#all.entryScore(slot);
    return resident.group === newcomer.group ? Math.min(all, this.#own.entryScore(slot)) : all;
  }

  async #breathe(): Promise<void> {
    if (performance.now() - this.#turnBegan < TURN_MS) return;
    await nextTurn();
    this.#turnBegan = performance.now();
  }
}

import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import { BestLists } from './best-lists.ts';
import { comparePair, type IndexedIssue, type Scale } from './indexed-issue.ts';
import type { IndexedIssues } from './indexed-issues.ts';
import { nearestByMeaning } from './nearest-by-meaning.ts';
import type { NeighbourPool } from './neighbours.ts';
import { byEstimate, denseFrom, ESTIMATE_SLACK, type RowSearch } from './row-search.ts';
import { withDense } from './score.ts';

/**
 * Limits of the stored pairs: maximum per issue within its project, maximum per issue in the
 * account, and minimum similarity.
 */
export interface ListLimits {
  perGroup: number;
  overall: number;
  floor: number;
}

/** If more than this share of the issues has changed, all lists are searched again. */
const FULL_SEARCH_SHARE = 1 / 8;
/**
 * Minimum number of issues for a search in the thread pool. For fewer, preparing all vectors would
 * take longer than the search.
 */
const MIN_POOL_ROWS = 48;
/** Maximum milliseconds for which a search blocks the event loop. */
const MAX_UNYIELDED_MS = 40;
/** Maximum error of the pool's scores, which are computed from rounded vectors. */
const POOL_SLACK = 0.001;
/**
 * Additional neighbors requested from the thread pool. The rounding of its scores then cannot
 * exclude an issue that belongs into a list.
 */
const POOL_SPARE = 8;

/**
 * The lists of the most similar issues of every issue. After changes, searches only for the changed
 * issues and updates the affected lists. The lists are exact after `complete`. All scores use one
 * scale.
 */
export class PairLists {
  readonly limits: ListLimits;
  readonly #issues: IndexedIssues;
  readonly #search: RowSearch;
  readonly #scale: Scale;
  readonly #own: BestLists;
  readonly #all: BestLists;
  readonly #dirty = new Set<number>();
  #yieldedAt = 0;

  constructor(issues: IndexedIssues, search: RowSearch, scale: Scale, limits: ListLimits) {
    const nameOf = (slot: number): string => issues.at(slot)?.id ?? '';
    const floor = Math.max(limits.floor, Number.MIN_VALUE);
    this.limits = limits;
    this.#issues = issues;
    this.#search = search;
    this.#scale = scale;
    this.#own = new BestLists(limits.perGroup, floor, nameOf);
    this.#all = new BestLists(limits.overall, floor, nameOf);
  }

  /**
   * Records that an issue was added, replaced, removed or given a vector. `slot` is its slot. Call
   * this for every such change.
   */
  changed(slot: number): void {
    this.#dirty.add(slot);
  }

  /** Searches until all lists are complete, including changes during the search. */
  async complete(pool: NeighbourPool, dimensions: number): Promise<void> {
    this.#yieldedAt = performance.now();
    for (;;) {
      await this.#updateChanged();
      const unknown = this.#unknown();
      if (unknown.length === 0) return;
      await this.#fill(unknown, pool, dimensions);
    }
  }

  /**
   * Calls `visit` once for each pair where one issue is in the list of the other. The lower slot
   * comes first.
   */
  eachPair(visit: (slot: number, other: number) => void): void {
    const { capacity } = this.#issues;
    const slots = this.#issues.slots();
    // A pair may occur in four lists. Sorting numbers of eight bytes removes the repetitions.
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
   * Compares an issue with its most similar others. Returns the highest similarity to an issue
   * created before `before`, other than `except`. It is 0 if the list contains none. `nearer`
   * counts such issues with a similarity above `similarity`. If `inGroup`, considers only the
   * project of the issue.
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
      if ((this.#issues.at(other)?.createdAt ?? Number.POSITIVE_INFINITY) >= options.before) return;
      best = Math.max(best, score);
      if (score > similarity) nearer += 1;
    });
    return { best, nearer };
  }

  #unknown(): number[] {
    return this.#issues.slots().filter((slot) => !this.#own.knows(slot) || !this.#all.knows(slot));
  }

  /**
   * Removes the changed issues from all lists. Then searches for each of them and inserts it into
   * the lists where it belongs.
   */
  async #updateChanged(): Promise<void> {
    while (this.#dirty.size > 0) {
      const marked = new Uint8Array(this.#issues.capacity);
      for (const slot of this.#dirty) marked[slot] = 1;
      this.#own.drop(marked);
      this.#all.drop(marked);
      if (this.#dirty.size > this.#issues.size * FULL_SEARCH_SHARE) {
        for (const slot of this.#issues.slots()) {
          this.#own.forget(slot);
          this.#all.forget(slot);
        }
        this.#dirty.clear();
        return;
      }
      for (const slot of [...this.#dirty]) {
        this.#searchChanged(slot);
        this.#dirty.delete(slot);
        await this.#yieldIfDue();
      }
    }
  }

  #searchChanged(slot: number): void {
    const issue = this.#issues.at(slot);
    if (issue === null) return;
    const { estimates } = this.#search.everything(issue, this.#scale);
    const others = this.#issues.slots().filter((other) => other !== slot && !this.#dirty.has(other));
    this.#list(slot, issue, others, estimates);
    for (const other of others) {
      const there = this.#issues.at(other);
      if (there === null || !this.#own.knows(other) || !this.#all.knows(other)) continue;
      const isAlike = there.digest === issue.digest;
      if (!isAlike && (estimates[other] ?? 0) + ESTIMATE_SLACK < this.#entryScore(other, there, issue))
        continue;
      this.#offer(other, there, slot, issue, comparePair(issue, there, this.#scale).similarity);
    }
  }

  /**
   * Fills the lists of the given slots. Issues that change during the search are updated
   * afterwards.
   */
  async #fill(rows: readonly number[], pool: NeighbourPool, dimensions: number): Promise<void> {
    const k = Math.max(this.#own.room, this.#all.room) + POOL_SPARE;
    const near =
      rows.length < MIN_POOL_ROWS
        ? null
        : await nearestByMeaning({
            rows,
            issues: this.#issues,
            scale: this.#scale,
            pool,
            dimensions,
            k,
          });
    for (const slot of rows) {
      const issue = this.#issues.at(slot);
      if (issue === null) continue;
      const found = near?.get(slot) ?? null;
      if (near !== null && issue.norms.title > 0 && (found !== null || issue.vector === null)) {
        this.#listNear(slot, issue, found ?? { slots: [], least: 0 });
      } else {
        const others = this.#issues.slots().filter((other) => other !== slot);
        this.#list(slot, issue, others, this.#search.everything(issue, this.#scale).estimates);
      }
      await this.#yieldIfDue();
    }
  }

  /**
   * Fills the lists of a slot with the best of `candidates`. `estimates` must contain their
   * estimated scores.
   */
  #list(slot: number, issue: IndexedIssue, candidates: ArrayLike<number>, estimates: Float64Array): void {
    this.#own.begin(slot);
    this.#all.begin(slot);
    this.#offerAlike(slot, issue);
    this.#offerBest(slot, issue, candidates, estimates);
  }

  /**
   * Fills the lists of a slot with its nearest issues by vector and with issues that have words in
   * common. The result is exact: no other issue can score higher than the last of the nearest, and
   * the nearest fill the list.
   */
  #listNear(slot: number, issue: IndexedIssue, near: { slots: readonly number[]; least: number }): void {
    this.#own.begin(slot);
    this.#all.begin(slot);
    this.#offerAlike(slot, issue);
    for (const other of near.slots) this.#offerExact(slot, issue, other);
    const isNear = new Set(near.slots).add(slot);
    const most = near.least + POOL_SLACK;
    const floor = this.#leastEntry(slot) - ESTIMATE_SLACK;
    const { slots, estimates } = this.#search.byWords(issue, this.#scale, most, floor);
    const denseTo = denseFrom(issue, this.#scale);
    const isPossible = (other: number): boolean => {
      if (isNear.has(other)) return false;
      const there = this.#issues.at(other);
      if (denseTo === null || there === null || there.vector === null) return there !== null;
      const estimate = withDense(estimates[other] ?? 0, most, denseTo(there));
      return estimate + ESTIMATE_SLACK >= this.#entryScore(slot, issue, there);
    };
    this.#offerBest(slot, issue, slots, estimates, isPossible);
  }

  #offerBest(
    slot: number,
    issue: IndexedIssue,
    candidates: ArrayLike<number>,
    estimates: Float64Array,
    isPossible: (other: number) => boolean = () => true,
  ): void {
    for (const other of byEstimate(candidates, estimates, this.#leastEntry(slot) - ESTIMATE_SLACK)) {
      const most = (estimates[other] ?? 0) + ESTIMATE_SLACK;
      if (most < this.#leastEntry(slot)) break;
      const there = this.#issues.at(other);
      if (there === null || most < this.#entryScore(slot, issue, there)) continue;
      if (isPossible(other)) this.#offerExact(slot, issue, other);
    }
  }

  #offerExact(slot: number, issue: IndexedIssue, other: number): void {
    const there = this.#issues.at(other);
    if (there === null || other === slot || there.digest === issue.digest) return;
    this.#offer(slot, issue, other, there, comparePair(issue, there, this.#scale).similarity);
  }

  #offerAlike(slot: number, issue: IndexedIssue): void {
    for (const other of this.#issues.alike(issue.digest)) {
      const there = this.#issues.at(other);
      if (there !== null && other !== slot && !this.#dirty.has(other))
        this.#offer(slot, issue, other, there, 1);
    }
  }

  #offer(slot: number, issue: IndexedIssue, other: number, there: IndexedIssue, similarity: number): void {
    if (issue.group === there.group) this.#own.offer(slot, other, similarity);
    this.#all.offer(slot, other, similarity);
  }

  #leastEntry(slot: number): number {
    return Math.min(this.#own.entryScore(slot), this.#all.entryScore(slot));
  }

  #entryScore(slot: number, issue: IndexedIssue, newcomer: IndexedIssue): number {
    const all = this.#all.entryScore(slot);
    return issue.group === newcomer.group ? Math.min(all, this.#own.entryScore(slot)) : all;
  }

  async #yieldIfDue(): Promise<void> {
    if (performance.now() - this.#yieldedAt < MAX_UNYIELDED_MS) return;
    await nextEventLoopTurn();
    this.#yieldedAt = performance.now();
  }
}

import type { IndexedIssue, Scale } from './indexed-issue.ts';
import type { IndexedIssues } from './indexed-issues.ts';
import { compareTerms, titlePart } from './lexical.ts';
import { combineParts } from './score.ts';
import { TermIndex, TermSums } from './term-index.ts';
import { VectorScan } from './vector-scan.ts';

/**
 * The index is rebuilt after more than this number of changes, and more than this share of all
 * issues.
 */
const MIN_STALE_ISSUES = 256;
const STALE_SHARE = 1 / 8;

/** Maximum rounding error of an estimated similarity. */
export const ESTIMATE_SLACK = 1e-5;

const ESTIMATE_BINS = 512;

/**
 * Estimates the similarity of one issue to all other issues. Uses an inverted index and one scan of
 * the vectors. An estimate may be too high, but at most `ESTIMATE_SLACK` too low. The exception is
 * a pair with equal texts.
 */
export class RowSearch {
  readonly #issues: IndexedIssues;
  readonly #vectors: VectorScan;
  #index: TermIndex | null = null;
  /** Norms of the indexed issues by slot. 0 for all other slots. */
  #wholeNorms = new Float64Array(0);
  #titleNorms = new Float64Array(0);
  /**
   * 1 for slots of issues with a vector. Copied here, because reading each issue object is slow.
   */
  #hasVector = new Uint8Array(0);
  #areNormsStale = false;
  /** Slots of issues that are not in the index yet. */
  readonly #unindexed = new Set<number>();
  #sums = new TermSums(0);
  #estimates = new Float64Array(0);

  constructor(issues: IndexedIssues) {
    this.#issues = issues;
    this.#vectors = new VectorScan(issues);
  }

  /** Call this for every slot whose issue was added, replaced or removed. */
  changed(slot: number): void {
    this.#vectors.changed(slot);
    if (slot < this.#wholeNorms.length) this.#wholeNorms[slot] = 0;
    if (this.#issues.at(slot) === null) this.#unindexed.delete(slot);
    else this.#unindexed.add(slot);
  }

  /** Call this for every slot whose issue was given a vector. */
  vectorChanged(slot: number): void {
    this.#vectors.changed(slot);
    if (slot < this.#hasVector.length) this.#hasVector[slot] = this.#issues.at(slot)?.vector ? 1 : 0;
  }

  /** Call this after the norms of all issues were computed from another snapshot. */
  rescaled(): void {
    this.#areNormsStale = true;
    this.#vectors.rescaled();
  }

  /**
   * Finds issues that have a weighted word in common with `query` and may reach the similarity
   * `floor`. Returns their slots and estimates by slot. The vector part of each estimate is assumed
   * to be `dense`. Estimates of other slots are undefined. The result is valid until the next
   * search.
   */
  byWords(
    query: IndexedIssue,
    scale: Scale,
    dense: number,
    floor: number,
  ): { slots: Uint32Array; estimates: Float64Array } {
    const estimates = this.#estimatesBuffer();
    return { slots: this.#estimateByWords(query, scale, () => dense, estimates, floor), estimates };
  }

  /**
   * Estimates the similarity of `query` to all issues by words and vectors. Also returns the upper
   * bounds of the vector part. Unused slots have estimate 0. The result is valid until the next
   * search.
   */
  everything(query: IndexedIssue, scale: Scale): { estimates: Float64Array; dense: Float64Array | null } {
    const estimates = this.#estimatesBuffer().fill(0);
    this.#prepare();
    const dense = this.#vectors.bounds(query, scale);
    if (dense !== null && query.terms.terms.length > 0) {
      const { capacity } = this.#issues;
      const titled = query.norms.title > 0;
      for (let slot = 0; slot < capacity; slot += 1) {
        const bound = dense[slot] ?? 0;
        if (bound <= 0) continue;
        const title = titled || (this.#titleNorms[slot] ?? 0) > 0 ? 0 : null;
        estimates[slot] = combineParts(bound, 0, title);
      }
    }
    this.#estimateByWords(query, scale, (slot) => dense?.[slot] ?? 0, estimates, 0);
    return { estimates, dense };
  }

  #estimatesBuffer(): Float64Array {
    const { capacity } = this.#issues;
    if (this.#estimates.length < capacity) this.#estimates = new Float64Array(Math.ceil(capacity * 1.25));
    return this.#estimates;
  }

  #estimateByWords(
    query: IndexedIssue,
    scale: Scale,
    denseOf: (slot: number) => number,
    estimates: Float64Array,
    floor: number,
  ): Uint32Array {
    this.#prepare();
    const sums = this.#sums;
    sums.clear();
    this.#index?.gather(query.terms, scale.idf, sums);
    const found = new Uint32Array(sums.count + this.#unindexed.size);
    let count = 0;
    const keep = (slot: number, hasDense: boolean, lexical: number, title: number | null): void => {
      const estimate = combineParts(hasDense ? denseOf(slot) : null, lexical, title);
      if (estimate < floor) return;
      estimates[slot] = estimate;
      found[count] = slot;
      count += 1;
    };
    for (let at = 0; at < sums.count; at += 1) {
      const slot = sums.touched[at] ?? 0;
      const whole = query.norms.whole * (this.#wholeNorms[slot] ?? 0);
      if (whole === 0) continue;
      const lexical = Math.min(1, (sums.allText[slot] ?? 0) / whole);
      const title = titlePart(sums.titleCovered[slot] ?? 0, query.norms.title, this.#titleNorms[slot] ?? 0);
      keep(slot, query.vector !== null && this.#hasVector[slot] === 1, lexical, title);
    }
    for (const slot of this.#unindexed) {
      const other = this.#issues.at(slot);
      if (other === null) continue;
      const words = compareTerms(query.terms, other.terms, query.norms, other.norms, scale.idf);
      keep(slot, query.vector !== null && other.vector !== null, words.lexical, words.title);
    }
    return found.subarray(0, count);
  }

  #prepare(): void {
    const { capacity, size } = this.#issues;
    if (this.#unindexed.size > Math.max(MIN_STALE_ISSUES, size * STALE_SHARE)) {
      const slots = this.#issues.slots();
      this.#index = new TermIndex(slots, (slot) => this.#issues.at(slot)?.terms);
      this.#unindexed.clear();
      this.#wholeNorms = new Float64Array(capacity);
      this.#titleNorms = new Float64Array(capacity);
      this.#hasVector = new Uint8Array(capacity);
      for (const slot of slots) {
        this.#readNorms(slot);
        this.#hasVector[slot] = this.#issues.at(slot)?.vector ? 1 : 0;
      }
    } else if (this.#areNormsStale) {
      for (const slot of this.#issues.slots()) if (!this.#unindexed.has(slot)) this.#readNorms(slot);
    }
    this.#areNormsStale = false;
    if (this.#sums.allText.length < capacity) this.#sums = new TermSums(Math.ceil(capacity * 1.25));
  }

  #readNorms(slot: number): void {
    const norms = this.#issues.at(slot)?.norms;
    this.#wholeNorms[slot] = norms?.whole ?? 0;
    this.#titleNorms[slot] = norms?.title ?? 0;
  }
}

/**
 * Yields slots in descending order of their estimates. Omits slots with an estimate below `floor`.
 * Slots are grouped into 512 bins, and each bin is sorted only when it is reached.
 */
export function* byEstimate(
  slots: ArrayLike<number>,
  estimates: Float64Array,
  floor: number,
): Generator<number> {
  // The first bin holds the highest estimates.
  const binOf = (slot: number): number =>
    Math.floor((1 - Math.max(0, Math.min(1, estimates[slot] ?? 0))) * (ESTIMATE_BINS - 1));
  const starts = new Uint32Array(ESTIMATE_BINS + 1);
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at] ?? 0;
    if ((estimates[slot] ?? 0) >= floor) starts[binOf(slot)] = (starts[binOf(slot)] ?? 0) + 1;
  }
  for (let bin = 1; bin <= ESTIMATE_BINS; bin += 1) starts[bin] = (starts[bin] ?? 0) + (starts[bin - 1] ?? 0);
  const sorted = new Uint32Array(starts[ESTIMATE_BINS] ?? 0);
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at] ?? 0;
    if ((estimates[slot] ?? 0) < floor) continue;
    const place = (starts[binOf(slot)] ?? 0) - 1;
    starts[binOf(slot)] = place;
    sorted[place] = slot;
  }
  for (let bin = 0; bin < ESTIMATE_BINS; bin += 1) {
    yield* sorted
      .subarray(starts[bin], starts[bin + 1])
      .sort((a, b) => (estimates[b] ?? 0) - (estimates[a] ?? 0) || a - b);
  }
}

/**
 * Returns a function that computes the cosine of the query's vector with another issue's vector.
 * The center is subtracted from both. The cosine is 0 if the other issue has no vector. Returns
 * null if the query has no vector.
 */
export function denseFrom(query: IndexedIssue, scale: Scale): ((other: IndexedIssue) => number) | null {
  if (query.vector === null || query.reach === 0) return null;
  const { center } = scale;
  const pointed = Float64Array.from(query.vector, (value, at) => (value - (center[at] ?? 0)) / query.reach);
  let offset = 0;
  for (let at = 0; at < center.length; at += 1) offset += (pointed[at] ?? 0) * (center[at] ?? 0);
  return (other) => {
    if (other.vector === null || other.reach === 0) return 0;
    return (dot(pointed, other.vector) - offset) / other.reach;
  };
}

/** Computes a dot product. Four partial sums let the processor add in parallel. */
function dot(a: Float64Array, b: Float32Array): number {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  const end = a.length - (a.length % 4);
  for (let at = 0; at < end; at += 4) {
    first += (a[at] ?? 0) * (b[at] ?? 0);
    second += (a[at + 1] ?? 0) * (b[at + 1] ?? 0);
    third += (a[at + 2] ?? 0) * (b[at + 2] ?? 0);
    fourth += (a[at + 3] ?? 0) * (b[at + 3] ?? 0);
  }
  for (let at = end; at < a.length; at += 1) first += (a[at] ?? 0) * (b[at] ?? 0);
  return first + second + third + fourth;
}

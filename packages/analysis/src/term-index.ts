import { type DocumentTerms, inTitle } from './document-terms.ts';
import { partWeight, wholeWeight } from './lexical.ts';

/** Sums over the common terms of one issue and each other issue, by the slot of the other issue. */
export class TermSums {
  /**
   * Per slot, the sum over common terms of the product of both weights. Covers title and
   * description.
   */
  readonly allText: Float64Array;
  /**
   * Per slot, the sum of the squared weights of those title terms that the other issue contains.
   * Covers both titles.
   */
  readonly titleCovered: Float64Array;
  /** The first `count` entries are the slots with a sum above 0. */
  readonly touched: Uint32Array;
  count = 0;

  constructor(slots: number) {
    this.allText = new Float64Array(slots);
    this.titleCovered = new Float64Array(slots);
    this.touched = new Uint32Array(slots);
  }

  /** Sets all sums to zero. Visits only the slots in `touched`. */
  clear(): void {
    for (let at = 0; at < this.count; at += 1) {
      const slot = this.touched[at] ?? 0;
      this.allText[slot] = 0;
      this.titleCovered[slot] = 0;
    }
    this.count = 0;
  }
}

/**
 * The postings of an inverted index. For each term, they hold the slots that contain it and its
 * number of occurrences there.
 */
interface Postings {
  /** Index of the first posting of each term, and one additional entry for the end. */
  starts: Uint32Array;
  slots: Uint32Array;
  times: Uint16Array;
}

/**
 * Finds issues that have terms in common with a given issue. The index cannot be changed. Callers
 * compare changed issues directly until they build a new index.
 */
export class TermIndex {
  #whole: Postings;
  #titles: Postings;

  /** Indexes the issues in the given slots. */
  constructor(slots: readonly number[], documentAt: (slot: number) => DocumentTerms | undefined) {
    let terms = 0;
    for (const slot of slots) terms = Math.max(terms, (documentAt(slot)?.terms.at(-1) ?? -1) + 1);
    this.#whole = collect(slots, documentAt, terms, (count) => count & 0xffff);
    this.#titles = collect(slots, documentAt, terms, inTitle);
  }

  /**
   * Adds up the contributions of each term of `document` to the similarity with every indexed
   * issue. They are not divided by the norms yet; see `compareTerms`. Skips terms of weight 0,
   * which are the most frequent ones.
   */
  gather(document: DocumentTerms, idf: Float64Array, sums: TermSums): void {
    for (let at = 0; at < document.terms.length; at += 1) {
      const term = document.terms[at] ?? 0;
      const weight = (idf[term] ?? 0) ** 2;
      if (weight === 0) continue;
      const count = document.counts[at] ?? 0;
      const titled = partWeight(inTitle(count));
      this.#gatherWhole(term, weight * wholeWeight(count), weight * titled * titled, sums);
      this.#gatherTitles(term, weight, sums);
    }
  }

  #gatherWhole(term: number, scale: number, said: number, sums: TermSums): void {
    const { starts, slots, times } = this.#whole;
    const end = starts[term + 1] ?? 0;
    for (let at = starts[term] ?? end; at < end; at += 1) {
      const slot = slots[at] ?? 0;
      const before = sums.allText[slot] ?? 0;
      if (before === 0) {
        sums.touched[sums.count] = slot;
        sums.count += 1;
      }
      sums.allText[slot] = before + scale * wholeWeight(times[at] ?? 0);
      if (said > 0) sums.titleCovered[slot] = (sums.titleCovered[slot] ?? 0) + said;
    }
  }

  #gatherTitles(term: number, weight: number, sums: TermSums): void {
    const { starts, slots, times } = this.#titles;
    const end = starts[term + 1] ?? 0;
    for (let at = starts[term] ?? end; at < end; at += 1) {
      const slot = slots[at] ?? 0;
      const damped = partWeight(times[at] ?? 0);
      sums.titleCovered[slot] = (sums.titleCovered[slot] ?? 0) + weight * damped * damped;
    }
  }
}

/** Collects all postings for which `timesOf` is not 0. Sorts them by term with a counting sort. */
function collect(
  slots: readonly number[],
  documentAt: (slot: number) => DocumentTerms | undefined,
  terms: number,
  timesOf: (count: number) => number,
): Postings {
  const starts = new Uint32Array(terms + 1);
  for (const slot of slots) {
    const document = documentAt(slot);
    if (document === undefined) continue;
    for (let at = 0; at < document.terms.length; at += 1) {
      if (timesOf(document.counts[at] ?? 0) === 0) continue;
      const next = (document.terms[at] ?? 0) + 1;
      starts[next] = (starts[next] ?? 0) + 1;
    }
  }
  for (let term = 0; term < terms; term += 1)
    starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
  const total = starts[terms] ?? 0;
  const postings = { starts, slots: new Uint32Array(total), times: new Uint16Array(total) };
  const next = starts.slice();
  for (const slot of slots) {
    const document = documentAt(slot);
    if (document === undefined) continue;
    for (let at = 0; at < document.terms.length; at += 1) {
      const times = timesOf(document.counts[at] ?? 0);
      if (times === 0) continue;
      const term = document.terms[at] ?? 0;
      const place = next[term] ?? 0;
      postings.slots[place] = slot;
      postings.times[place] = times;
      next[term] = place + 1;
    }
  }
  return postings;
}

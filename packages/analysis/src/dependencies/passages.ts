import { UNSEEN_TERM } from '../term-hash.ts';
import type { Holders } from './deliverable-index.ts';
import type { Passage } from './implying-texts.ts';

/** The issue that matches a passage, and the words that occur in both, most distinctive first. */
export interface PassageMatch {
  /** Id of the issue. */
  id: string;
  shared: string[];
}

/** Minimum weight of a distinctive term, as a share of the weight of a term in no issue. */
const MIN_DISTINCTIVE_WEIGHT = 0.4;
/** Minimum distinctive terms of a passage. A passage with fewer terms is too unspecific. */
const MIN_PASSAGE_TERMS = 5;
/** Minimum number of terms that a matching issue has in common with the passage. */
export const MIN_SHARED_TERMS = 4;
/** Minimum number of these terms that are missing from the issue that contains the passage. */
const MIN_OFF_TOPIC_TERMS = 3;
/**
 * Minimum score of a matching issue, as a share of the total weight of the passage's terms. It must
 * also exceed the second best score by this ratio.
 */
const MIN_COVERED_SHARE = 0.2;
const MIN_LEAD_RATIO = 1.6;
/** Weight of words in the description of an issue. Words in its title have weight 1. */
const BODY_WORD_WEIGHT = 0.5;
/** Minimum terms of the passage that occur in the title of the matching issue. */
const MIN_TITLE_WORDS_SHARED = 2;

/**
 * Returns the distinctive terms of a passage, each with its spelling in the text. Null if there are
 * too few. `idf` returns the weight of a term.
 */
export function distinctivePassageTerms(
  { terms }: Passage,
  idf: (term: string) => number,
): ReadonlyMap<string, string> | null {
  const minWeight = MIN_DISTINCTIVE_WEIGHT * idf(UNSEEN_TERM);
  const distinctive = terms.filter(([term]) => idf(term) >= minWeight);
  return distinctive.length < MIN_PASSAGE_TERMS ? null : new Map(distinctive);
}

/** Finds the issue that delivers what a passage requests. */
export class PassageMatcher {
  readonly #idf: (term: string) => number;
  readonly #holdersOf: (term: string) => Holders;
  readonly #makers: ReadonlySet<string>;

  /** @param options `makers` are the ids of the issues that create something new */
  constructor(options: {
    idf: (term: string) => number;
    holdersOf: (term: string) => Holders;
    makers: ReadonlySet<string>;
  }) {
    this.#idf = options.idf;
    this.#holdersOf = options.holdersOf;
    this.#makers = options.makers;
  }

  /**
   * Returns the issue that clearly matches best; null if no issue does. `asking` is the id of the
   * issue that contains the passage.
   */
  matchOf(terms: ReadonlyMap<string, string>, asking: string): PassageMatch | null {
    const said = new Map<string, number>();
    let all = 0;
    for (const term of terms.keys()) {
      const weight = this.#idf(term) ** 2;
      all += weight;
      for (const [id, isInTitle] of this.#holdersOf(term)) {
        if (id === asking || !this.#makers.has(id)) continue;
        said.set(id, (said.get(id) ?? 0) + (isInTitle ? 1 : BODY_WORD_WEIGHT) * weight);
      }
    }
    const best = mostOf(said);
    if (best === null || best.weight < MIN_COVERED_SHARE * all || best.weight < MIN_LEAD_RATIO * best.next)
      return null;
    const shared = [...terms.keys()]
      .filter((term) => this.#holdersOf(term).has(best.id))
      .sort((a, b) => this.#idf(b) - this.#idf(a));
    const outside = shared.filter((term) => this.#holdersOf(term).get(asking) !== true);
    const titled = shared.filter((term) => this.#holdersOf(term).get(best.id) === true);
    const isAnswer =
      shared.length >= MIN_SHARED_TERMS &&
      outside.length >= MIN_OFF_TOPIC_TERMS &&
      titled.length >= MIN_TITLE_WORDS_SHARED;
    return isAnswer ? { id: best.id, shared: shared.map((term) => terms.get(term) ?? term) } : null;
  }
}

/** Returns the issue with the highest weight. `next` is the weight of the second best. */
function mostOf(said: ReadonlyMap<string, number>): { id: string; weight: number; next: number } | null {
  let best: { id: string; weight: number } | null = null;
  let next = 0;
  for (const [id, weight] of said) {
    if (best === null || weight > best.weight) {
      next = best?.weight ?? 0;
      best = { id, weight };
    } else next = Math.max(next, weight);
  }
  return best && { ...best, next };
}

import { countTerms, type DocumentTerms } from '../document-terms.ts';
import { compareTerms, normsOf } from '../lexical.ts';
import { areSiblingTitles } from '../siblings.ts';

/** Minimum word similarity of two issues that are about the same thing. */
export const MIN_SAME_TOPIC_SIMILARITY = 0.45;

interface Text {
  key: string;
  title: string;
  body: string;
}

/**
 * Finds out whether two issues are about the same thing. Such issues do not depend on each other.
 */
export class SameTopic {
  readonly #idf: (term: string) => number;
  readonly #ids = new Map<string, number>();
  readonly #weights: number[] = [];
  readonly #counted = new Map<string, DocumentTerms>();

  /** @param idf returns the weight of a term */
  constructor(idf: (term: string) => number) {
    this.#idf = idf;
  }

  areOnSameTopic(first: Text, second: Text): boolean {
    if (areSiblingTitles(first.title, second.title)) return true;
    const [a, b] = [this.#count(first), this.#count(second)];
    const weights = Float64Array.from(this.#weights);
    const { lexical } = compareTerms(a, b, normsOf(a, weights), normsOf(b, weights), weights);
    return lexical >= MIN_SAME_TOPIC_SIMILARITY;
  }

  #count({ key, title, body }: Text): DocumentTerms {
    const known = this.#counted.get(key);
    if (known !== undefined) return known;
    const counted = countTerms(title, body, (term) => this.#idOf(term));
    this.#counted.set(key, counted);
    return counted;
  }

  #idOf(term: string): number {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    this.#ids.set(term, this.#weights.length);
    this.#weights.push(this.#idf(term));
    return this.#weights.length - 1;
  }
}

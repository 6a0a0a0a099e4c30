import type { Passage } from './implying-texts.ts';
import type { Holders } from './thing-index.ts';

/** Who says what a passage asks for, and the words of the passage that show it, the most telling first. */
export interface Answer {
  /** The id of the issue. */
  id: string;
  shared: string[];
}

/** A term tells something from this share of the weight of a term that nobody uses. */
const TELLING = 0.4;
/** No text has this term. */
const UNSEEN = '\u0000';
/** A passage with fewer telling terms asks for nothing in particular. */
const FEWEST_TERMS = 5;
/** An answer shares so many of them. */
export const FEWEST_SHARED = 4;
/** So many of them are not what the asking issue is about. */
const FEWEST_OUTSIDE = 3;
/** So much of a passage's weight the answer says, and so many times what the next best says. */
const LEAST_SHARE = 0.2;
const LEAST_LEAD = 1.6;
/** What a description says counts this much of what a title says. */
const OF_BODY = 0.5;
/** So many of the words that a passage shares with an issue are in the title of that issue. */
const FEWEST_IN_TITLE = 2;

/** The terms of a passage that tell something, each as it is written; null when they are too few. `idf` weighs a term. */
export function tellingPassage(
  { terms }: Passage,
  idf: (term: string) => number,
): ReadonlyMap<string, string> | null {
  const least = TELLING * idf(UNSEEN);
  const telling = terms.filter(([term]) => idf(term) >= least);
  return telling.length < FEWEST_TERMS ? null : new Map(telling);
}

/** Finds the one issue that says what a passage asks for. */
export class PassageAnswers {
  readonly #idf: (term: string) => number;
  readonly #holdersOf: (term: string) => Holders;
  readonly #makers: ReadonlySet<string>;

  /** `makers` are the ids of the issues that deliver something. */
  constructor(options: {
    idf: (term: string) => number;
    holdersOf: (term: string) => Holders;
    makers: ReadonlySet<string>;
  }) {
    this.#idf = options.idf;
    this.#holdersOf = options.holdersOf;
    this.#makers = options.makers;
  }

  /** The issue that says by far the most of what a passage of `asking` asks for; null when none does. */
  answerTo(terms: ReadonlyMap<string, string>, asking: string): Answer | null {
    const said = new Map<string, number>();
    let all = 0;
    for (const term of terms.keys()) {
      const weight = this.#idf(term) ** 2;
      all += weight;
      for (const [id, isInTitle] of this.#holdersOf(term)) {
        if (id === asking || !this.#makers.has(id)) continue;
        said.set(id, (said.get(id) ?? 0) + (isInTitle ? 1 : OF_BODY) * weight);
      }
    }
    const best = mostOf(said);
    if (best === null || best.weight < LEAST_SHARE * all || best.weight < LEAST_LEAD * best.next) return null;
    const shared = [...terms.keys()]
      .filter((term) => this.#holdersOf(term).has(best.id))
      .sort((a, b) => this.#idf(b) - this.#idf(a));
    const outside = shared.filter((term) => this.#holdersOf(term).get(asking) !== true);
    const titled = shared.filter((term) => this.#holdersOf(term).get(best.id) === true);
    const isAnswer =
      shared.length >= FEWEST_SHARED && outside.length >= FEWEST_OUTSIDE && titled.length >= FEWEST_IN_TITLE;
    return isAnswer ? { id: best.id, shared: shared.map((term) => terms.get(term) ?? term) } : null;
  }
}

/** The issue with the most weight, and what the one after it has. */
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

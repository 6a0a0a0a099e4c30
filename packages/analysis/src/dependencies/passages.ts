import { tokenize } from '../tokenize.ts';

/** Two sentences in which an issue asks for something, and their telling terms. */
export interface Passage {
  words: string;
  /** Each with the word as it is written. */
  terms: ReadonlyMap<string, string>;
}

/** An issue by its terms. */
export interface Described {
  /** Terms of its title and description. */
  terms: ReadonlySet<string>;
  titleTerms: ReadonlySet<string>;
}

/** Who says what a passage asks for, and the words of the passage that show it, the most telling first. */
export interface Answer<Issue> {
  issue: Issue;
  shared: string[];
}

/** A term tells something from this share of the weight of a term that nobody uses. */
const TELLING = 0.4;
/** No text has this term. */
const UNSEEN = '\u0000';
/** A passage with fewer telling terms asks for nothing in particular. */
const FEWEST_TERMS = 5;
const FEWEST_SHARED = 4;
/** So many of them are not what the asking issue is about. */
const FEWEST_OUTSIDE = 3;
/** So much of a passage's weight the answer says, and so many times what the next best says. */
const LEAST_SHARE = 0.2;
const LEAST_LEAD = 1.6;
/** What a description says counts this much of what a title says. */
const OF_BODY = 0.5;
/** So many of the words that a passage shares with an issue are in the title of that issue. */
const FEWEST_IN_TITLE = 2;

/** Finds the one issue that says what a passage asks for, by an index of the issues' terms. */
export class PassageIndex<Issue extends Described> {
  readonly #idf: (term: string) => number;
  readonly #telling: number;
  readonly #byTerm = new Map<string, Issue[]>();

  /** Over issues that deliver something; `idf` weighs a term. */
  constructor(issues: readonly Issue[], idf: (term: string) => number) {
    this.#idf = idf;
    this.#telling = TELLING * idf(UNSEEN);
    for (const issue of issues) {
      for (const term of issue.terms) {
        if (!this.isTelling(term)) continue;
        const known = this.#byTerm.get(term);
        if (known === undefined) this.#byTerm.set(term, [issue]);
        else known.push(issue);
      }
    }
  }

  isTelling(term: string): boolean {
    return this.#idf(term) >= this.#telling;
  }

  /** A passage, or null when its words tell too little. */
  passageOf(words: string): Passage | null {
    const terms = new Map<string, string>();
    for (const { start, end, terms: found } of tokenize(words)) {
      const [term = ''] = found;
      if (term.length > 1 && this.isTelling(term)) terms.set(term, words.slice(start, end));
    }
    return terms.size < FEWEST_TERMS ? null : { words, terms };
  }

  /** The issue that says by far the most of what a passage of `asking` asks for; null when none does. */
  answerTo({ terms }: Passage, asking: Issue): Answer<Issue> | null {
    const weightOf = (term: string): number => this.#idf(term) ** 2;
    const said = new Map<Issue, number>();
    let all = 0;
    for (const term of terms.keys()) {
      all += weightOf(term);
      for (const issue of this.#byTerm.get(term) ?? []) {
        if (issue === asking) continue;
        const part = issue.titleTerms.has(term) ? 1 : OF_BODY;
        said.set(issue, (said.get(issue) ?? 0) + part * weightOf(term));
      }
    }
    const [best, next] = [...said].sort((a, b) => b[1] - a[1]);
    if (best === undefined || best[1] < LEAST_SHARE * all || best[1] < LEAST_LEAD * (next?.[1] ?? 0))
      return null;
    const [issue] = best;
    const shared = [...terms.keys()]
      .filter((term) => issue.terms.has(term))
      .sort((a, b) => this.#idf(b) - this.#idf(a));
    const outside = shared.filter((term) => !asking.titleTerms.has(term));
    const titled = shared.filter((term) => issue.titleTerms.has(term));
    const isAnswer =
      shared.length >= FEWEST_SHARED && outside.length >= FEWEST_OUTSIDE && titled.length >= FEWEST_IN_TITLE;
    return isAnswer ? { issue, shared: shared.map((term) => terms.get(term) ?? term) } : null;
  }
}

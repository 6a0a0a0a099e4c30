import type { Thing } from './delivers.ts';

/** What is asked for is rare: this share of the issues has all its terms, at least and at most so many. */
const SHARE_WITH_TERMS = 0.03;
const FEWEST_WITH_TERMS = 4;
const MOST_WITH_TERMS = 8;
/** A thing of one term counts when at most so many issues have it. */
const MOST_WITH_ONE_TERM = 3;
/** A longer list of holders belongs to a word that tells nothing. */
const MOST_HOLDERS = 10;
/** Telling words that may stand between those of a thing. */
const MOST_BETWEEN = 1;

interface Delivering {
  /** Terms of its title and description. */
  terms: ReadonlySet<string>;
  delivers: readonly Thing[];
}

/** Finds who delivers a thing, by its rarest term. */
export class ThingIndex<Issue extends Delivering> {
  readonly #holders = new Map<string, Set<Issue>>();
  readonly #byRarest = new Map<string, { source: Issue; delivered: Issue['delivers'][number] }[]>();
  readonly #most: number;

  constructor(issues: readonly Issue[]) {
    this.#most = Math.min(MOST_WITH_TERMS, Math.max(FEWEST_WITH_TERMS, issues.length * SHARE_WITH_TERMS));
    for (const issue of issues) {
      for (const term of issue.terms) {
        const known = this.#holders.get(term);
        if (known === undefined) this.#holders.set(term, new Set([issue]));
        else known.add(issue);
      }
    }
    for (const source of issues) {
      for (const delivered of source.delivers) {
        const [rarest = ''] = this.#byRarity(delivered.terms);
        const known = this.#byRarest.get(rarest);
        if (known === undefined) this.#byRarest.set(rarest, [{ source, delivered }]);
        else known.push({ source, delivered });
      }
    }
  }

  /** What is delivered whose terms stand together among these, and are rare enough together. */
  *deliveredAmong(
    terms: readonly string[],
  ): Generator<{ source: Issue; delivered: Issue['delivers'][number] }> {
    for (const term of new Set(terms)) {
      for (const each of this.#byRarest.get(term) ?? []) {
        if (standTogether(each.delivered.terms, terms) && this.#isTelling(each.delivered.terms)) yield each;
      }
    }
  }

  #byRarity(terms: readonly string[]): string[] {
    return [...terms].sort((a, b) => (this.#holders.get(a)?.size ?? 0) - (this.#holders.get(b)?.size ?? 0));
  }

  #isTelling(terms: readonly string[]): boolean {
    const [rarest = '', ...others] = this.#byRarity(terms);
    const holders = this.#holders.get(rarest) ?? new Set();
    if (holders.size > MOST_HOLDERS * this.#most) return false;
    const withAll = [...holders].filter((issue) => others.every((term) => issue.terms.has(term)));
    return withAll.length <= (others.length === 0 ? MOST_WITH_ONE_TERM : this.#most);
  }
}

/** Whether the terms of a thing stand in a row among others, in their order. */
function standTogether(thing: readonly string[], among: readonly string[]): boolean {
  const [first = ''] = thing;
  for (let start = among.indexOf(first); start >= 0; start = among.indexOf(first, start + 1)) {
    let at = start;
    const isWhole = thing.slice(1).every((term) => {
      const next = among.indexOf(term, at + 1);
      const isNear = next >= 0 && next - at <= 1 + MOST_BETWEEN;
      at = next;
      return isNear;
    });
    if (isWhole) return true;
  }
  return false;
}

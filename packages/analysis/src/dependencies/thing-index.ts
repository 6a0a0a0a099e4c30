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

/** The issues that have a term, by id, each with whether its title has it. */
export type Holders = ReadonlyMap<string, boolean>;

interface Delivering {
  delivers: readonly { terms: readonly string[] }[];
}

/** What an issue delivers. */
export interface Delivery<Issue extends Delivering> {
  source: Issue;
  delivered: Issue['delivers'][number];
}

/** Finds who delivers a thing, by its first term. */
export class ThingIndex<Issue extends Delivering> {
  readonly #byFirst = new Map<string, Delivery<Issue>[]>();

  constructor(issues: readonly Issue[]) {
    for (const source of issues) {
      for (const delivered of source.delivers) {
        const [first = ''] = delivered.terms;
        const known = this.#byFirst.get(first);
        if (known === undefined) this.#byFirst.set(first, [{ source, delivered }]);
        else known.push({ source, delivered });
      }
    }
  }

  /** What is delivered whose terms stand together among these. */
  deliveredAmong(terms: readonly string[]): Delivery<Issue>[] {
    return [...new Set(terms)].flatMap((term) =>
      (this.#byFirst.get(term) ?? []).filter(({ delivered }) => standTogether(delivered.terms, terms)),
    );
  }
}

/** Whether the terms of a thing are rare enough together among so many issues. */
export function isRareThing(
  terms: readonly string[],
  holdersOf: (term: string) => Holders,
  issues: number,
): boolean {
  const most = Math.min(MOST_WITH_TERMS, Math.max(FEWEST_WITH_TERMS, issues * SHARE_WITH_TERMS));
  const [rarest, ...others] = terms.map(holdersOf).sort((a, b) => a.size - b.size);
  if (rarest === undefined || rarest.size > MOST_HOLDERS * most) return false;
  if (others.length === 0) return rarest.size <= MOST_WITH_ONE_TERM;
  let withAll = 0;
  for (const id of rarest.keys()) if (others.every((holders) => holders.has(id))) withAll += 1;
  return withAll <= most;
}

/** Whether the terms of a thing stand in a row among others, in their order. */
export function standTogether(thing: readonly string[], among: readonly string[]): boolean {
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

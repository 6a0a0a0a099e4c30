/**
 * A required thing must be rare. Limits of the number of issues with all its terms: a share of all
 * issues, at least and at most these numbers.
 */
const SHARE_WITH_TERMS = 0.03;
const FEWEST_WITH_TERMS = 4;
const MOST_WITH_TERMS = 8;
/** Maximum number of issues with the term of a one-term thing. */
const MOST_WITH_ONE_TERM = 3;
/** A term that more issues contain has no meaning, as a multiple of the limit. */
const MOST_HOLDERS = 10;
/** Maximum number of distinctive words between those of a thing. */
const MOST_BETWEEN = 1;

/** Issues that contain a term, by id. The value is true if the title contains it. */
export type Holders = ReadonlyMap<string, boolean>;

interface Delivering {
  delivers: readonly { terms: readonly string[] }[];
}

/** An issue and a thing that it delivers. */
export interface Delivery<Issue extends Delivering> {
  source: Issue;
  delivered: Issue['delivers'][number];
}

/** Finds the issues that deliver a thing, by its first term. */
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

  /** Returns the delivered things whose terms occur close together among the given ones. */
  deliveredAmong(terms: readonly string[]): Delivery<Issue>[] {
    return [...new Set(terms)].flatMap((term) =>
      (this.#byFirst.get(term) ?? []).filter(({ delivered }) => standTogether(delivered.terms, terms)),
    );
  }
}

/** True if few enough of `issues` issues contain all terms of a thing. */
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

/** True if the terms of a thing occur among others in order and close together. */
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

/**
 * Maximum share of all issues that mention a deliverable. More issues than that mention common
 * things, which are no reason for a dependency. At least `RARE_THING_MIN_ISSUES` and at most
 * `RARE_THING_MAX_ISSUES` may mention it.
 */
const RARE_THING_SHARE = 0.03;
const RARE_THING_MIN_ISSUES = 4;
const RARE_THING_MAX_ISSUES = 8;
/** For a deliverable named by a single term: maximum number of issues that contain this term. */
const MAX_ISSUES_WITH_TERM = 3;
/**
 * A deliverable is not rare if even its rarest term is this many times as common as the limit
 * allows.
 */
const COMMON_TERM_FACTOR = 10;
/** Maximum number of distinctive words between two consecutive terms of a deliverable. */
const MAX_WORDS_BETWEEN = 1;

/** Ids of the issues that contain a term. The value is true if the title contains it. */
export type Holders = ReadonlyMap<string, boolean>;

interface Delivering {
  delivers: readonly { terms: readonly string[] }[];
}

/** An issue and one of its deliverables, which exists once the issue is finished. */
export interface Delivery<Issue extends Delivering> {
  source: Issue;
  delivered: Issue['delivers'][number];
}

/** Finds issues by the first term of their deliverables. */
export class DeliverableIndex<Issue extends Delivering> {
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

  /** Returns the deliverables whose terms occur close together in the given terms. */
  deliveredAmong(terms: readonly string[]): Delivery<Issue>[] {
    return [...new Set(terms)].flatMap((term) =>
      (this.#byFirst.get(term) ?? []).filter(({ delivered }) => occurCloseTogether(delivered.terms, terms)),
    );
  }
}

/**
 * True if few issues contain all terms of a deliverable. `issues` is the total number of issues.
 */
export function isRareThing(
  terms: readonly string[],
  holdersOf: (term: string) => Holders,
  issues: number,
): boolean {
  const maxIssues = Math.min(
    RARE_THING_MAX_ISSUES,
    Math.max(RARE_THING_MIN_ISSUES, issues * RARE_THING_SHARE),
  );
  const [rarest, ...others] = terms.map(holdersOf).sort((a, b) => a.size - b.size);
  if (rarest === undefined || rarest.size > COMMON_TERM_FACTOR * maxIssues) return false;
  if (others.length === 0) return rarest.size <= MAX_ISSUES_WITH_TERM;
  let withAll = 0;
  for (const id of rarest.keys()) if (others.every((holders) => holders.has(id))) withAll += 1;
  return withAll <= maxIssues;
}

/** True if the terms of `thing` occur in `among` in the same order and close together. */
export function occurCloseTogether(thing: readonly string[], among: readonly string[]): boolean {
  const [first = ''] = thing;
  for (let start = among.indexOf(first); start >= 0; start = among.indexOf(first, start + 1)) {
    let at = start;
    const isWhole = thing.slice(1).every((term) => {
      const next = among.indexOf(term, at + 1);
      const isNear = next >= 0 && next - at <= 1 + MAX_WORDS_BETWEEN;
      at = next;
      return isNear;
    });
    if (isWhole) return true;
  }
  return false;
}

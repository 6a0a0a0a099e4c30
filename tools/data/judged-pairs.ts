import file from './judged-pairs.json' with { type: 'json' };
import type { LabelledIssue } from './labelled-set.ts';

/**
 * Ids of two issues, and a person's judgment whether they describe the same problem.
 * Each pair consists of an issue and its best candidate. The pairs are a random sample of each
 * score range, and all pairs of the highest range.
 */
export interface JudgedPair {
  set: string;
  newer: string;
  older: string;
  isSame: boolean;
}

/**
 * One known issue of each set that has judged pairs. It identifies the set.
 * The number alone is not enough, because every project has an issue 54. The creation time in
 * seconds makes the issue unique.
 */
const KNOWN_ISSUES = [
  { set: 'rust', id: '54', createdAt: Date.parse('2010-06-22T23:12:57Z') },
  { set: 'hadoop', id: '13474886', createdAt: Date.parse('2022-08-03T12:31:00Z') },
];

/**
 * Returns the name of the set with judged pairs that contains these issues. Null if no known set
 * does.
 */
export function judgedSetOf(issues: readonly Pick<LabelledIssue, 'id' | 'createdAt'>[]): string | null {
  const createdAt = new Map(issues.map((issue) => [issue.id, issue.createdAt]));
  return KNOWN_ISSUES.find((known) => createdAt.get(known.id) === known.createdAt)?.set ?? null;
}

/** Returns the judged pairs of the set that contains these issues. Empty for an unknown set. */
export function judgedPairsOf(issues: readonly Pick<LabelledIssue, 'id' | 'createdAt'>[]): JudgedPair[] {
  const set = judgedSetOf(issues);
  return readJudgedPairs().filter((pair) => pair.set === set);
}

/** Returns the manually judged pairs of all sets. */
export function readJudgedPairs(): JudgedPair[] {
  return Object.entries(file.sets).flatMap(([set, rows]) =>
    rows.map(([newer = 0, older = 0, same = 0]) => ({
      set,
      newer: String(newer),
      older: String(older),
      isSame: same === 1,
    })),
  );
}

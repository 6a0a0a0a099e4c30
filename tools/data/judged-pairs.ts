import file from './judged-pairs.json' with { type: 'json' };

/**
 * Two issues that a person judged to be one issue or two, without their texts. They are best
 * candidates of issues: a random sample of each score range, and all of the highest range.
 */
export interface JudgedPair {
  set: string;
  newer: string;
  older: string;
  isSame: boolean;
}

/** Returns the manually judged pairs. */
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

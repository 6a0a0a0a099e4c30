import file from './judged-pairs.json' with { type: 'json' };

/**
 * Two issues that were read and called one issue or two; no text of theirs is kept. They are best candidates of
 * issues: a random sample of each range of the score, and all of the highest.
 */
export interface JudgedPair {
  set: string;
  newer: string;
  older: string;
  isSame: boolean;
}

/** Returns the pairs judged by eye. */
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

/** The fields of an issue that are evaluated. */
export interface EvaluatedIssue {
  title: string;
  /** Markdown. */
  body: string;
  /** Type in the tracker: `bug`, `feature`, `task`, `question`, or another word. */
  type: string;
  labels: readonly string[];
}

/** Ids of the checks of the built-in analyst. */
export type CheckId =
  | 'goal'
  | 'acceptance'
  | 'scope'
  | 'dependencies'
  | 'approach'
  | 'estimable'
  | 'independent'
  | 'negotiable'
  | 'valuable'
  | 'small'
  | 'blast_radius'
  | 'reversibility'
  | 'unknowns'
  | 'outside'
  | 'amount'
  | 'breadth'
  | 'depth';

/** A criterion of a prompt. `check` is null if only a language model can judge it. */
export interface Criterion {
  id: string;
  name: string;
  /** Share of this criterion in the score of the issue. */
  weight: number;
  check: CheckId | null;
}

/** A passage of the issue that a score is based on. Offsets are in UTF-16 code units. */
export interface Evidence {
  field: 'title' | 'body';
  start: number;
  end: number;
}

/** Result for one criterion. */
export interface Finding {
  id: string;
  /** From 0 to 1. Null if the criterion was not judged. It then has no effect on the total. */
  score: number | null;
  /** Explanation in one or two sentences. */
  note: string;
  /** At most three passages, each of at most 300 characters. */
  evidence: Evidence[];
  /** A question about what is missing. Null if the score is 1. */
  fix: string | null;
}

/** Estimated work in story points. The reason is one sentence. */
export interface Estimate {
  points: 1 | 2 | 3 | 5 | 8 | 13;
  reason: string;
}

/** Result of evaluating an issue by the criteria of a prompt. */
export interface Evaluation {
  /**
   * Weighted mean of the scores, from 0.01 to 1, rounded to hundredths. 0 if nothing was judged.
   */
  factor: number;
  /** Summary of the findings, in at most three sentences. */
  reason: string;
  /** The fix that raises the score most; null if there is none. */
  suggestion: string | null;
  criteria: Finding[];
  /** Estimated work; null if no criterion is about complexity. */
  estimate: Estimate | null;
}

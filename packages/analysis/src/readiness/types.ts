/** The parts of an issue that are judged. */
export interface EvaluatedIssue {
  title: string;
  /** Markdown. */
  body: string;
  /** Type in the tracker: `bug`, `feature`, `task`, `question`, or a custom word. */
  type: string;
  labels: readonly string[];
}

/** Checks of the built-in analyst. */
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

/** A criterion. `check` is null if only a language model can judge it. */
export interface Criterion {
  id: string;
  name: string;
  /** Share of the total. */
  weight: number;
  check: CheckId | null;
}

/** A passage that a score is based on: a UTF-16 range of the original text. */
export interface Evidence {
  field: 'title' | 'body';
  start: number;
  end: number;
}

/** Result of one criterion. */
export interface Finding {
  id: string;
  /** From 0 to 1; null if it was not judged and does not count. */
  score: number | null;
  /** Explanation in one or two sentences. */
  note: string;
  /** At most three passages of at most 300 characters. */
  evidence: Evidence[];
  /** Missing information, in one line; null at the maximum score. */
  fix: string | null;
}

/** Estimated work in story points, with the reason in one line. */
export interface Estimate {
  points: 1 | 2 | 3 | 5 | 8 | 13;
  reason: string;
}

/** Result of evaluating an issue by criteria. */
export interface Evaluation {
  /** Weighted mean in hundredths, from .01 to 1; 0 exactly if nothing could be evaluated. */
  factor: number;
  /** Most notable findings, in at most three sentences. */
  reason: string;
  /** The most valuable next step; null if there is none. */
  suggestion: string | null;
  criteria: Finding[];
  /** Estimate if a criterion asks for the complexity of the work, else null. */
  estimate: Estimate | null;
}

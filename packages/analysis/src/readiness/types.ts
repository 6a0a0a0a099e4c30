/** What of an issue is judged. */
export interface EvaluatedIssue {
  title: string;
  /** Markdown. */
  body: string;
  /** As its tracker calls it: `bug`, `feature`, `task`, `question`, or a word of the tracker's own. */
  type: string;
  labels: readonly string[];
}

/** What the built-in analyst can look for in an issue. */
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

/** One thing an issue is judged by; `check` is null where only a language model can judge it. */
export interface Criterion {
  id: string;
  name: string;
  /** Its share of the whole. */
  weight: number;
  check: CheckId | null;
}

/** A passage that a score rests on: a UTF-16 range of the text as it was given. */
export interface Evidence {
  field: 'title' | 'body';
  start: number;
  end: number;
}

/** What was found of one criterion. */
export interface Finding {
  id: string;
  /** From 0 to 1; null where it was not judged, and counts for nothing. */
  score: number | null;
  /** Why, in a sentence or two. */
  note: string;
  /** At most three passages of at most 300 characters. */
  evidence: Evidence[];
  /** What to add, in a line; null at full marks. */
  fix: string | null;
}

/** Work in story points, with the reason in a line. */
export interface Estimate {
  points: 1 | 2 | 3 | 5 | 8 | 13;
  reason: string;
}

/** How an issue stands by some criteria. */
export interface Evaluation {
  /** The weighted mean in hundredths, from .01 to 1; 0 exactly when there was nothing to evaluate. */
  factor: number;
  /** What stands out, in at most three sentences. */
  reason: string;
  /** The most valuable thing to do next; null when there is nothing. */
  suggestion: string | null;
  criteria: Finding[];
  /** Where a criterion asks how complex the work is, else null. */
  estimate: Estimate | null;
}

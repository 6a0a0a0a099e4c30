import type { PairJudgment, PairStanding, Resolution } from '@winnow/contract/duplicate';
import type { VerdictDecision, VerdictRelation } from '@winnow/contract/verdict';
import type { Generated, JSONColumnType } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

export interface PairTable {
  account_id: string;
  id: string;
  /** Id of one of the two issues: the smaller id, so that each pair is stored once. */
  issue_a: string;
  issue_b: string;
  project_a: string;
  project_b: string;
  same_project: boolean;
  both_open: boolean;
  similarity: number;
  /**
   * Log-odds that both issues describe the same problem, before the state of the older issue is
   * considered.
   */
  log_odds: Generated<number>;
  /**
   * Probability that both issues describe the same problem. Computed from `log_odds`, the state of
   * the older issue and the account's calibration.
   */
  probability: Generated<number>;
  /** True if each of the two issues is the most similar issue to the other. */
  is_mutual_best: Generated<boolean>;
  standing: Generated<PairStanding>;
  /** Id of the series that both issues belong to. Null if they belong to none in common. */
  series_id: string | null;
  snapshot_version: number;
  /** Start time of the analysis run that last found this pair. */
  scored_at: Instant;
  resolution: Resolution | null;
  /** Id of the change that resolved the pair. */
  change_id: string | null;
  dismissed: Generated<boolean>;
  /**
   * True if the resolution of the pair was undone. The pair is then still listed, but not suggested
   * again.
   */
  undone: Generated<boolean>;
  created_at: InstantByDefault;
}

/**
 * A series: issues whose titles differ in one word only. The words that they share are the frame of
 * the series.
 */
export interface IssueSeriesTable {
  account_id: string;
  id: string;
  /** Frame in lower case. A later analysis recognizes the series by it. */
  key: string;
  /** Title that the issues share, with `…` in place of the word that differs. */
  frame: string;
  /** Key of the issue that most issues of the series mention. */
  umbrella_key: string | null;
  /** Number of issues in the series. */
  issues: number;
  /**
   * True if a user dismissed the series. All its pairs are then dismissed, even those found later.
   */
  dismissed: Generated<boolean>;
  created_at: InstantByDefault;
}

/**
 * Judgment by a user or an API key whether two issues are duplicates. It is not written to the
 * tracker.
 */
export interface PairJudgmentTable {
  account_id: string;
  /** Id of one of the two issues: the smaller id, so that each pair is stored once. */
  issue_a: string;
  issue_b: string;
  judgment: PairJudgment;
  /** Name of the user or API key that made the judgment. */
  judged_by: string;
  /**
   * Type of the actor. Only judgments by users affect the calibration and the statistics of
   * agreement with models.
   */
  judged_by_type: 'user' | 'api_key' | 'flow';
  judged_at: Instant;
}

/** Calibration that adjusts an account's probabilities to the judgments of its users. */
export interface PairCalibrationTable {
  account_id: string;
  slope: number;
  offset: number;
  /** Number of judged pairs at the time of the fit. */
  judged: number;
  /**
   * `fitted` is the number of pairs used for the fit. `held_back` is the number of pairs used to
   * check it.
   */
  fitted: number;
  held_back: number;
  /**
   * Mean log loss on the held-back pairs: `loss_before` without the calibration, `loss_after` with
   * it.
   */
  loss_before: number;
  loss_after: number;
  fitted_at: Instant;
  /** True once the probabilities of all pairs were recomputed with this calibration. */
  is_applied: boolean;
}

/**
 * Verdict of a language model on whether two issues are duplicates. The row also marks that a
 * process is requesting a verdict.
 */
export interface VerdictTable {
  account_id: string;
  /** Id of one of the two issues: the smaller id, so that each pair is stored once. */
  issue_a: string;
  issue_b: string;
  /** SHA-256 of all inputs of the latest request: texts, prompt and model. */
  asked_as: Buffer;
  /**
   * Until this time, no other process sends the same request, because one is running or has just
   * failed.
   */
  asked_until: Instant;
  has_failed: boolean;
  /**
   * SHA-256 of the inputs of the latest verdict. This column and all that follow are null before
   * the first verdict.
   */
  decided_as: Buffer | null;
  decision: Exclude<VerdictDecision, 'checking'> | null;
  confidence: number | null;
  reason: string | null;
  ai_model_id: string | null;
  ai_model_name: string | null;
  /** Name of the model at its provider. Null for verdicts stored before this column existed. */
  model_identifier: string | null;
  /**
   * Decision of the built-in analyst about the same texts, for comparison. Null for verdicts stored
   * before this column existed.
   */
  built_in_decision: Exclude<VerdictDecision, 'checking'> | null;
  /**
   * Relation that the built-in analyst found, which is more detailed than its decision. Null for
   * verdicts stored before this column existed.
   */
  built_in_relation: VerdictRelation | null;
  /** Name and version of the prompt that led to the verdict. */
  prompt: string | null;
  decided_at: Instant | null;
}

/** Texts that a language model suggested for resolving a pair of issues. */
export interface SuggestionTable {
  account_id: string;
  /** First issue of the pair, in the order of the request. A merge writes to this issue. */
  issue_1: string;
  issue_2: string;
  /** Name of the prompt, without its version. */
  prompt: string;
  /** SHA-256 of all inputs of the request to the model. */
  asked_as: Buffer;
  answer: JSONColumnType<object>;
  ai_model_id: string;
  at: Instant;
}

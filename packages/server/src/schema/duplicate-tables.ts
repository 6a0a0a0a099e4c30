import type { PairJudgment, PairStanding, Resolution } from '@winnow/contract/duplicate';
import type { VerdictDecision, VerdictRelation } from '@winnow/contract/verdict';
import type { Generated, JSONColumnType } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

export interface PairTable {
  account_id: string;
  id: string;
  /** The issue of the pair with the smaller id, so that a pair is stored once. */
  issue_a: string;
  issue_b: string;
  project_a: string;
  project_b: string;
  same_project: boolean;
  both_open: boolean;
  similarity: number;
  /** Log-odds that the two are one issue, without the effect of the older one's state. */
  log_odds: Generated<number>;
  /**
   * Probability that the two are one issue, by `log_odds`, the older one's state and the account's
   * calibration.
   */
  probability: Generated<number>;
  /** True if each is the other's most similar issue. */
  is_mutual_best: Generated<boolean>;
  standing: Generated<PairStanding>;
  /** The series that both issues belong to. */
  series_id: string | null;
  snapshot_version: number;
  /** Start of the run that last found this pair. */
  scored_at: Instant;
  resolution: Resolution | null;
  /** The change that resolved it. */
  change_id: string | null;
  dismissed: Generated<boolean>;
  /** True if its resolution was undone: it is listed, but not suggested again. */
  undone: Generated<boolean>;
  created_at: InstantByDefault;
}

/** A series: issues whose titles share a frame and differ in one word. */
export interface IssueSeriesTable {
  account_id: string;
  id: string;
  /** The frame in lower case. Identifies the series in later runs. */
  key: string;
  /** The title with `…` for the words that differ. */
  frame: string;
  /** Key of the issue that most issues of the series mention. */
  umbrella_key: string | null;
  /** Number of issues in the series. */
  issues: number;
  /**
   * True if a person dismissed the series. All its pairs are then dismissed, including those found
   * later.
   */
  dismissed: Generated<boolean>;
  created_at: InstantByDefault;
}

/** Judgment of two issues by a person or an API key. Nothing is written to a tracker. */
export interface PairJudgmentTable {
  account_id: string;
  /** The issue of the pair with the smaller id. */
  issue_a: string;
  issue_b: string;
  judgment: PairJudgment;
  /** Name of the person, or of the API key. */
  judged_by: string;
  /** Only judgments by users count in the calibration and in the agreement with models. */
  judged_by_type: 'user' | 'api_key' | 'flow';
  judged_at: Instant;
}

/** Adjusts the probabilities of an account to the judgments of its users. */
export interface PairCalibrationTable {
  account_id: string;
  slope: number;
  offset: number;
  /** Number of judged pairs when the calibration was fitted. */
  judged: number;
  /** Number of pairs used for the fit, and of those held back to check it. */
  fitted: number;
  held_back: number;
  /** Mean log loss of the pairs held back, without and with the calibration. */
  loss_before: number;
  loss_after: number;
  fitted_at: Instant;
  /** False while the probabilities of all pairs are being computed with it. */
  is_applied: boolean;
}

/** Verdict of a language model on two issues, and the claim of a process that requests one. */
export interface VerdictTable {
  account_id: string;
  /** The issue of the pair with the smaller id. */
  issue_a: string;
  issue_b: string;
  /** SHA-256 of all inputs of the last request: texts, prompt and model. */
  asked_as: Buffer;
  /**
   * Time until which no other process sends the same request: a request is running or has just
   * failed.
   */
  asked_until: Instant;
  has_failed: boolean;
  /**
   * SHA-256 of the inputs of the last verdict. Null before the first verdict, like all following
   * columns.
   */
  decided_as: Buffer | null;
  decision: Exclude<VerdictDecision, 'checking'> | null;
  confidence: number | null;
  reason: string | null;
  ai_model_id: string | null;
  ai_model_name: string | null;
  /** The model's name at the provider. Null for verdicts stored by earlier versions. */
  model_identifier: string | null;
  /**
   * The decision of the built-in analyst about the same texts. Null for verdicts stored by earlier
   * versions.
   */
  built_in_decision: Exclude<VerdictDecision, 'checking'> | null;
  /**
   * The relation that the built-in analyst gave, which is finer than its decision. Null for
   * verdicts stored by earlier versions.
   */
  built_in_relation: VerdictRelation | null;
  /** Name and version of the prompt. */
  prompt: string | null;
  decided_at: Instant | null;
}

/** Texts suggested by a language model for resolving a pair. */
export interface SuggestionTable {
  account_id: string;
  /** The first issue of the request. A merge writes into this one. */
  issue_1: string;
  issue_2: string;
  /** Name of the prompt, without version. */
  prompt: string;
  /** SHA-256 of all inputs of the request. */
  asked_as: Buffer;
  answer: JSONColumnType<object>;
  ai_model_id: string;
  at: Instant;
}

import type {
  ComplianceResult,
  ComplianceRunState,
  Criterion,
  CriterionResult,
} from '@winnow/contract/compliance';
import type { StatusFilter } from '@winnow/contract/issue';
import type { Generated, JSONColumnType } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

/** A version of a custom prompt. The highest version is in use. */
export interface CompliancePromptTable {
  account_id: string;
  id: string;
  version: number;
  name: string;
  short_name: string;
  description: string;
  criteria: JSONColumnType<Criterion[]>;
  created_at: InstantByDefault;
}

/** Scores of an issue by one prompt, and the texts of the issue at that time. */
export interface ComplianceResultTable {
  account_id: string;
  id: string;
  issue_id: string;
  /** Name of a built-in prompt, or id of a custom one. */
  prompt_id: string;
  /** SHA-256 of all inputs of the evaluation: texts, prompt and model. */
  asked_as: Buffer;
  /** SHA-256 of the prompt version and the model. */
  judged_as: Buffer;
  /**
   * Content hashes of the issue with these texts: one for the open state, one for the closed state.
   */
  contents: string[];
  /** Null for results older than this column. */
  prompt_version: number | null;
  /**
   * Time until which no other process evaluates the same issue: an evaluation is running or has
   * just failed.
   */
  asked_until: Instant;
  has_failed: boolean;
  /**
   * Score from .01 to 1; 0 if nothing could be judged. Null before the first result, like all
   * following columns.
   */
  factor: number | null;
  findings: JSONColumnType<ComplianceFindings> | null;
  /** Null for the built-in analyst. */
  ai_model_id: string | null;
  ai_model_name: string | null;
  evaluated_at: Instant | null;
}

/** Result of one criterion. Its name is in the prompt. */
export type StoredCriterion = Omit<CriterionResult, 'name' | 'weight'>;

/** Result without the scores. */
export type ComplianceFindings = Pick<ComplianceResult, 'reason' | 'suggestion' | 'estimate'> & {
  criteria: StoredCriterion[];
};

/** An improved text for an issue, written by a language model. */
export interface ComplianceSuggestionTable {
  account_id: string;
  issue_id: string;
  prompt_id: string;
  /** SHA-256 of all inputs of the request. */
  asked_as: Buffer;
  answer: JSONColumnType<object>;
  ai_model_id: string;
  at: Instant;
}

/** A run that scores all issues of a project. */
export interface ComplianceRunTable {
  account_id: string;
  id: string;
  project_id: string;
  prompt_id: string;
  /** Filter for the issues to score. */
  status: StatusFilter;
  /** Language model that judges. Null for the built-in analyst. */
  ai_model_id: string | null;
  /** Number of model calls left for this run. */
  calls_left: number;
  state: Generated<ComplianceRunState>;
  /** Number of issues at the start. */
  total: number;
  done: Generated<number>;
  /** Id of the last processed issue. Issues are processed in the order of their ids. */
  after_id: string | null;
  /** Reason of a failure, as a sentence. */
  reason: string | null;
  started_at: Instant;
  ended_at: Instant | null;
}

import type {
  ComplianceResult,
  ComplianceRunState,
  Criterion,
  CriterionResult,
} from '@winnow/contract/compliance';
import type { StatusFilter } from '@winnow/contract/issue';
import type { Generated, JSONColumnType } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

/** One version of a custom prompt. The highest version is the one in use. */
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

/** Scores that an issue got by one prompt. */
export interface ComplianceResultTable {
  account_id: string;
  id: string;
  issue_id: string;
  /** Name of a built-in prompt, or id of a custom one. */
  prompt_id: string;
  /** SHA-256 of all inputs of the evaluation: texts, prompt and model. */
  asked_as: Buffer;
  /** SHA-256 of the prompt version and the model, without the texts. */
  judged_as: Buffer;
  /**
   * Content hashes of the issue with the scored texts: one for the open state, one for the closed
   * state. Opening or closing an issue does not make its scores outdated.
   */
  contents: string[];
  /** Version of the prompt. Null for results stored before this column existed. */
  prompt_version: number | null;
  /**
   * Until this time, no other process evaluates the same issue, because an evaluation is running or
   * has just failed.
   */
  asked_until: Instant;
  has_failed: boolean;
  /**
   * Score from .01 to 1, or 0 if no criterion could be judged. This column and all that follow are
   * null before the first result.
   */
  factor: number | null;
  findings: JSONColumnType<ComplianceFindings> | null;
  /** Model that judged. Null for the built-in analyst. */
  ai_model_id: string | null;
  ai_model_name: string | null;
  evaluated_at: Instant | null;
}

/** Result of one criterion. Its name and weight are in the prompt. */
export type StoredCriterion = Omit<CriterionResult, 'name' | 'weight'>;

/** Result of an evaluation without its scores. */
export type ComplianceFindings = Pick<ComplianceResult, 'reason' | 'suggestion' | 'estimate'> & {
  criteria: StoredCriterion[];
};

/** Improved text for an issue, suggested by a language model. */
export interface ComplianceSuggestionTable {
  account_id: string;
  issue_id: string;
  prompt_id: string;
  /** SHA-256 of all inputs of the request to the model. */
  asked_as: Buffer;
  answer: JSONColumnType<object>;
  ai_model_id: string;
  at: Instant;
}

/** A run that evaluates all issues of a project. */
export interface ComplianceRunTable {
  account_id: string;
  id: string;
  project_id: string;
  prompt_id: string;
  /** Filter: the run evaluates only issues with this status. */
  status: StatusFilter;
  /** Language model that evaluates. Null for the built-in analyst. */
  ai_model_id: string | null;
  /** Number of model calls that the run may still make. */
  calls_left: number;
  state: Generated<ComplianceRunState>;
  /** Number of issues to evaluate, counted at the start. */
  total: number;
  done: Generated<number>;
  /** Id of the last evaluated issue. The run processes issues in the order of their ids. */
  after_id: string | null;
  /** Reason why the run failed, as a sentence. */
  reason: string | null;
  started_at: Instant;
  ended_at: Instant | null;
}

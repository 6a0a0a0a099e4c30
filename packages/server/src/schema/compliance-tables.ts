import type {
  ComplianceResult,
  ComplianceRunState,
  Criterion,
  CriterionResult,
} from '@winnow/contract/compliance';
import type { StatusFilter } from '@winnow/contract/issue';
import type { Generated, JSONColumnType } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

/** A prompt of an account, in one version; the highest is the one in use. */
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

/** How an issue, with the texts it had, stands by a prompt. */
export interface ComplianceResultTable {
  account_id: string;
  id: string;
  issue_id: string;
  /** Name of a built-in prompt, or id of an account's own. */
  prompt_id: string;
  /** SHA-256 of all that the answer depends on: texts, prompt, who judges. */
  asked_as: Buffer;
  /** SHA-256 of the prompt in its version and of who judges. */
  judged_as: Buffer;
  /** Content hashes that the issue has with these texts: opened, and closed. */
  contents: string[];
  /** Null for results from before versions were kept. */
  prompt_version: number | null;
  /** Until then nobody else judges the same: it is under way, or has just failed. */
  asked_until: Instant;
  has_failed: boolean;
  /** From .01 to 1, 0 when nothing could be judged; null before there was an answer, as is all that follows. */
  factor: number | null;
  findings: JSONColumnType<ComplianceFindings> | null;
  /** Null for the built-in analyst. */
  ai_model_id: string | null;
  ai_model_name: string | null;
  evaluated_at: Instant | null;
}

/** What was found of one criterion; how it is called stands in the prompt. */
export type StoredCriterion = Omit<CriterionResult, 'name' | 'weight'>;

/** What a result holds beside its score. */
export type ComplianceFindings = Pick<ComplianceResult, 'reason' | 'suggestion' | 'estimate'> & {
  criteria: StoredCriterion[];
};

/** Better texts for an issue, as a language model wrote them. */
export interface ComplianceSuggestionTable {
  account_id: string;
  issue_id: string;
  prompt_id: string;
  /** SHA-256 of all that the question depended on. */
  asked_as: Buffer;
  answer: JSONColumnType<object>;
  ai_model_id: string;
  at: Instant;
}

/** The scoring of all issues of a project. */
export interface ComplianceRunTable {
  account_id: string;
  id: string;
  project_id: string;
  prompt_id: string;
  /** Which of its issues. */
  status: StatusFilter;
  /** The language model that judges; null for the built-in analyst. */
  ai_model_id: string | null;
  /** So often it may still be asked. */
  calls_left: number;
  state: Generated<ComplianceRunState>;
  /** Issues there were at the start. */
  total: number;
  done: Generated<number>;
  /** The last issue, in the order of ids, that was looked at. */
  after_id: string | null;
  /** Why it failed, in a sentence. */
  reason: string | null;
  started_at: Instant;
  ended_at: Instant | null;
}

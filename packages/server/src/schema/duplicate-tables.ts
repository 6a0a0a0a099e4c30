import type { Resolution } from '@winnow/contract/duplicate';
import type { VerdictDecision } from '@winnow/contract/verdict';
import type { Generated, JSONColumnType } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

export interface PairTable {
  account_id: string;
  id: string;
  /** Of the two the one whose id comes first, so that a pair is stored once. */
  issue_a: string;
  issue_b: string;
  project_a: string;
  project_b: string;
  same_project: boolean;
  both_open: boolean;
  similarity: number;
  snapshot_version: number;
  /** When the run began that found this pair last. */
  scored_at: Instant;
  resolution: Resolution | null;
  /** The change that resolved it. */
  change_id: string | null;
  dismissed: Generated<boolean>;
  /** A decision about it was taken back: it is listed, and not suggested again. */
  undone: Generated<boolean>;
  created_at: InstantByDefault;
}

/** What a language model said of two issues, and who asks one about them just now. */
export interface VerdictTable {
  account_id: string;
  /** Of the two the one whose id comes first. */
  issue_a: string;
  issue_b: string;
  /** SHA-256 of all that the last question depended on: texts, prompt, model. */
  asked_as: Buffer;
  /** Until then nobody else asks the same: it is under way, or has just failed. */
  asked_until: Instant;
  has_failed: boolean;
  /** The same of the question that was answered last; null before there was an answer, as is all that follows. */
  decided_as: Buffer | null;
  decision: Exclude<VerdictDecision, 'checking'> | null;
  confidence: number | null;
  reason: string | null;
  ai_model_id: string | null;
  ai_model_name: string | null;
  /** Name and version of the prompt. */
  prompt: string | null;
  decided_at: Instant | null;
}

/** What a language model wrote to resolve a pair. */
export interface SuggestionTable {
  account_id: string;
  /** In the order asked for: a merge is into the first. */
  issue_1: string;
  issue_2: string;
  /** Which prompt, in any version. */
  prompt: string;
  /** SHA-256 of all that the question depended on. */
  asked_as: Buffer;
  answer: JSONColumnType<object>;
  ai_model_id: string;
  at: Instant;
}

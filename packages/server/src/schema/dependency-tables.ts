import type { ImplyingTexts } from '@winnow/analysis/dependencies';
import type { Generated, JSONColumnType } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

/** One issue has to be finished before another can be. */
export interface DependencyTable {
  account_id: string;
  /** What has to be finished first. */
  source_issue: string;
  dependent_issue: string;
  /** Why, as it was found in the texts; null for one that only its tracker told. */
  reason: string | null;
  confidence: number | null;
  /** Who found it: the built-in analyst, or a model by its name. */
  found_by: string | null;
  /** The tracker had it when it was last asked, or has just taken it from us. */
  in_tracker: Generated<boolean>;
  /** The change that committed it, while that stands. */
  change_id: string | null;
  /** Somebody said that there is no such dependency. */
  dismissed: Generated<boolean>;
  /** Committing it was taken back: it is listed, and not proposed again. */
  undone: Generated<boolean>;
  created_at: InstantByDefault;
}

/** When a tracker was last asked for the links of an issue. */
export interface IssueLinksReadTable {
  account_id: string;
  issue_id: string;
  read_at: Instant;
}

/** An issue whose texts are to be read for dependencies. Triggers note it; with each change of its texts anew. */
export interface DependencyStaleTable {
  account_id: string;
  issue_id: string;
  noted: Generated<number>;
}

/** What was read in the texts of an issue, so that they need not be read again. */
export interface DependencyReadingTable {
  account_id: string;
  issue_id: string;
  /** Tells one reading from the next. */
  noted: number;
  /** The key that the issue had. */
  key: string;
  /** Keys that its texts name and no issue had. */
  missing: string[];
  texts: JSONColumnType<ImplyingTexts>;
  /** The snapshot by whose weights implied dependencies were looked for; 0 when they were not yet. */
  linked_with: number;
}

/** A dependency as the texts of one issue show it. */
export interface DependencyFindingTable {
  account_id: string;
  /** Whose text states it; the dependent of an implied one. */
  told_by: string;
  source_issue: string;
  dependent_issue: string;
  /** Not stated by a text, but concluded from two. */
  is_implied: boolean;
  reason: string;
  confidence: number;
}

/** A question to a language model about dependencies among some issues. */
export interface DependencyQuestionTable {
  account_id: string;
  /** SHA-256 of the texts, the prompt and the model. */
  asked_as: Buffer;
  /** Until then nobody else asks the same: it is under way, or has just failed. */
  asked_until: Instant;
  has_failed: boolean;
  answered_at: Instant | null;
  /** What it answered; null before that. */
  found: JSONColumnType<FoundByModel[]> | null;
  /** The issues that it is about. */
  issue_ids: Generated<string[]>;
}

/** A dependency as a model answered it. */
export interface FoundByModel {
  source_issue: string;
  dependent_issue: string;
  reason: string;
  confidence: number;
  found_by: string;
}

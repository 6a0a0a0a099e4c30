import type { ImplyingTexts } from '@winnow/analysis/dependencies';
import type { Generated, JSONColumnType } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

/**
 * A dependency between two issues: the source issue must be finished before the dependent issue.
 */
export interface DependencyTable {
  account_id: string;
  /** The blocking issue. */
  source_issue: string;
  dependent_issue: string;
  /**
   * Reason for the dependency, found in the texts. Null if only the tracker reports the dependency.
   */
  reason: string | null;
  confidence: number | null;
  /** Name of the model that found the dependency, or of the built-in analyst. */
  found_by: string | null;
  /**
   * True if the tracker listed the dependency at the last read, or if Winnow has written it to the
   * tracker since.
   */
  in_tracker: Generated<boolean>;
  /**
   * Id of the change that wrote the dependency to the tracker. Null if none did, or if it was
   * undone.
   */
  change_id: string | null;
  /** True if a user rejected the dependency. */
  dismissed: Generated<boolean>;
  /**
   * True if writing the dependency to the tracker was undone. It is then still listed, but not
   * suggested again.
   */
  undone: Generated<boolean>;
  created_at: InstantByDefault;
}

/** Time when the links of an issue were last read from its tracker. */
export interface IssueLinksReadTable {
  account_id: string;
  issue_id: string;
  read_at: Instant;
}

/**
 * An issue whose texts must be searched for dependencies. Database triggers add a row when the
 * texts change.
 */
export interface DependencyStaleTable {
  account_id: string;
  issue_id: string;
  noted: Generated<number>;
}

/**
 * Result of the last search of an issue's texts for dependencies, so that unchanged texts are not
 * searched again.
 */
export interface DependencyReadingTable {
  account_id: string;
  issue_id: string;
  /**
   * Sequence number of the request for this search. A later request for the same issue has a higher
   * number.
   */
  noted: number;
  /** Key of the issue at the time of the search. */
  key: string;
  /** Issue keys that the texts mention, but that matched no stored issue. */
  missing: string[];
  texts: JSONColumnType<ImplyingTexts>;
  /**
   * Version of the account's snapshot that weighted words in the search for implied dependencies. 0
   * before the first such search.
   */
  linked_with: number;
}

/** A dependency found in the texts of one issue. */
export interface DependencyFindingTable {
  account_id: string;
  /**
   * Id of the issue whose text states the dependency. For an implied dependency, the id of the
   * dependent issue.
   */
  told_by: string;
  source_issue: string;
  dependent_issue: string;
  /**
   * True if the dependency was inferred from the texts of two issues. False if one text states it.
   */
  is_implied: boolean;
  reason: string;
  confidence: number;
}

/** A request to a language model to find dependencies among some issues. */
export interface DependencyQuestionTable {
  account_id: string;
  /** SHA-256 of all inputs of the request: texts, prompt and model. */
  asked_as: Buffer;
  /**
   * Until this time, no other process sends the same request, because one is running or has just
   * failed.
   */
  asked_until: Instant;
  has_failed: boolean;
  answered_at: Instant | null;
  /** Dependencies that the model found. Null until it has responded. */
  found: JSONColumnType<FoundByModel[]> | null;
  /** Ids of the issues that the request contains. */
  issue_ids: Generated<string[]>;
}

/** A dependency that a language model found. */
interface FoundByModel {
  source_issue: string;
  dependent_issue: string;
  reason: string;
  confidence: number;
  found_by: string;
}

import type { ImplyingTexts } from '@winnow/analysis/dependencies';
import type { Generated, JSONColumnType } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

/** A dependency: the source issue must be finished before the dependent one. */
export interface DependencyTable {
  account_id: string;
  /** The blocking issue. */
  source_issue: string;
  dependent_issue: string;
  /** Reason found in the texts. Null if only the tracker reported the dependency. */
  reason: string | null;
  confidence: number | null;
  /** The built-in analyst, or the name of a model. */
  found_by: string | null;
  /** True if the tracker listed it at the last read, or has just received it from us. */
  in_tracker: Generated<boolean>;
  /** The change that wrote it to the tracker. Null if there is none or it was undone. */
  change_id: string | null;
  /** True if a user rejected the dependency. */
  dismissed: Generated<boolean>;
  /** True if writing it to the tracker was undone: it is listed, but not suggested again. */
  undone: Generated<boolean>;
  created_at: InstantByDefault;
}

/** Time at which a tracker was last asked for the links of an issue. */
export interface IssueLinksReadTable {
  account_id: string;
  issue_id: string;
  read_at: Instant;
}

/**
 * An issue whose texts must be searched for dependencies. Database triggers add a row at each
 * change of its texts.
 */
export interface DependencyStaleTable {
  account_id: string;
  issue_id: string;
  noted: Generated<number>;
}

/** Result of searching an issue's texts, so that unchanged texts are not searched again. */
export interface DependencyReadingTable {
  account_id: string;
  issue_id: string;
  /** Sequence number of the reading. */
  noted: number;
  /** Key of the issue at that time. */
  key: string;
  /** Keys in its texts that did not match an issue. */
  missing: string[];
  texts: JSONColumnType<ImplyingTexts>;
  /**
   * Version of the snapshot used to find implied dependencies, which weights their words. 0 before
   * the first search.
   */
  linked_with: number;
}

/** A dependency found in the texts of one issue. */
export interface DependencyFindingTable {
  account_id: string;
  /**
   * Id of the issue whose text states it. For an implied dependency, the id of the dependent issue.
   */
  told_by: string;
  source_issue: string;
  dependent_issue: string;
  /** True if it was inferred from two texts instead of stated in one. */
  is_implied: boolean;
  reason: string;
  confidence: number;
}

/** A request to a language model for the dependencies among some issues. */
export interface DependencyQuestionTable {
  account_id: string;
  /** SHA-256 of the texts, the prompt and the model. */
  asked_as: Buffer;
  /**
   * Time until which no other process sends the same request: a request is running or has just
   * failed.
   */
  asked_until: Instant;
  has_failed: boolean;
  answered_at: Instant | null;
  /** Dependencies that the model returned. Null before its response. */
  found: JSONColumnType<FoundByModel[]> | null;
  /** Issues of the request. */
  issue_ids: Generated<string[]>;
}

/** A dependency returned by a model. */
interface FoundByModel {
  source_issue: string;
  dependent_issue: string;
  reason: string;
  confidence: number;
  found_by: string;
}

import type { IssueState } from '@winnow/contract/issue';
import type { SearchItemType } from '@winnow/contract/search';
import type { Generated } from 'kysely';
import type { Instant } from './column-kinds.ts';

export interface IssueTable {
  account_id: string;
  id: string;
  tracker_id: string;
  project_id: string;
  external_id: string;
  key: string;
  title: string;
  description: string;
  status: string;
  state: IssueState;
  issue_type: string;
  priority: string | null;
  labels: string[];
  assignees: string[];
  author: string | null;
  url: string;
  parent_key: string | null;
  /**
   * True if the issue was closed as a duplicate, even if the tracker does not report the original.
   */
  is_duplicate: boolean;
  /** Key of the original, as the tracker reports it or as Winnow set it when closing. */
  duplicate_of: string | null;
  comments_count: number;
  /** Number of positive reactions or votes. */
  reactions: number;
  milestone: string | null;
  is_locked: boolean;
  /** True if the tracker records that the issue was closed as completed. */
  is_completed: boolean;
  created_at: Instant;
  updated_at: Instant;
  /**
   * Time when the issue was last closed. Null if it is open, or the tracker does not report the
   * time.
   */
  closed_at: Instant | null;
  content_hash: string;
  /** Content hash of the issue when its pairs were last computed. */
  analyzed_hash: string | null;
  /** Revision of the account's data at which the issue's content last changed. */
  revision: number;
  /** Time since when the issue has been missing in its tracker. Null if it is not missing. */
  missing_since: Instant | null;
  /**
   * Time when the issue was last read from the tracker. Null if that was before this column
   * existed.
   */
  synced_at: Instant | null;
}

/**
 * Item that the tracker has already returned in a listing of all items of a project. Rows exist
 * only until the listing is processed.
 */
export interface PresentItemTable {
  account_id: string;
  project_id: string;
  external_id: string;
}

export interface CommentTable {
  account_id: string;
  id: string;
  issue_id: string;
  external_id: string;
  author: string | null;
  body: string;
  created_at: Instant;
  updated_at: Instant;
}

export interface IssueVectorTable {
  account_id: string;
  issue_id: string;
  /** Identifies the embedding model. Vectors of different embedding models cannot be compared. */
  fingerprint: string;
  /** SHA-256 of the embedded text. */
  text_hash: Buffer;
  /** The vector: a little-endian int16 per dimension, in units of 1/32767. */
  vector: Buffer;
}

/** Search terms of an issue, change request or comment. */
export interface SearchDocumentTable {
  account_id: string;
  /** Id of the issue, change request or comment. */
  id: string;
  issue_id: string;
  comment_id: string | null;
  project_id: string;
  item_type: SearchItemType;
  state: IssueState;
  created_at: Instant;
  /** Search terms of the title and the beginning of the text. Matches with them rank higher. */
  lead: string;
  /** All search terms, including those in `lead`. */
  words: string;
}

/** Issues and comments whose search terms are outdated. Database triggers add rows. */
export interface SearchStaleTable {
  account_id: string;
  id: string;
}

export interface AnalysisStateTable {
  account_id: string;
  /**
   * Increases when issues of the account are added, changed or deleted, in the same transaction.
   */
  revision: Generated<number>;
  snapshot_version: Generated<number>;
  /**
   * Statistics of the account's texts: mean vector and inverse document frequencies. Encoded by the
   * analysis package.
   */
  snapshot: Buffer | null;
  /** Identifies the embedding model of the snapshot. Null if the analysis compared only words. */
  fingerprint: string | null;
  state: Generated<'idle' | 'analyzing'>;
  done: Generated<number>;
  total: Generated<number>;
  /** Sentence that explains why the last analysis was incomplete. */
  notice: string | null;
}

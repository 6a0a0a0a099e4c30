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
  /** True if closed as a duplicate, even if the tracker does not report the original. */
  is_duplicate: boolean;
  /** Key of the original, from the tracker or from our own close. */
  duplicate_of: string | null;
  comments_count: number;
  /** Number of reactions or votes, without those against the issue. */
  reactions: number;
  milestone: string | null;
  is_locked: boolean;
  /** True if closed as completed, where the tracker records that. */
  is_completed: boolean;
  created_at: Instant;
  updated_at: Instant;
  /** Null while open, or if the tracker does not report it. */
  closed_at: Instant | null;
  content_hash: string;
  /** Content hash at which the pairs of this issue were last computed. */
  analyzed_hash: string | null;
  /** Revision of the account at the last change of the issue's content. */
  revision: number;
  /** Time since when the tracker does not return the issue. Null if it does. */
  missing_since: Instant | null;
  /** Time of the last read from the tracker; null if it was read before this column existed. */
  synced_at: Instant | null;
}

/** Id of an item that an unfinished listing of all items of a project has returned so far. */
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
  /** Fingerprint of the embedding model. Vectors of different fingerprints are not comparable. */
  fingerprint: string;
  /** SHA-256 of the embedded text. */
  text_hash: Buffer;
  /** Little-endian int16 per dimension, in units of 1/32767. */
  vector: Buffer;
}

/** Search terms of an issue, a change request or a comment. */
export interface SearchDocumentTable {
  account_id: string;
  /** Id of the issue or the comment. */
  id: string;
  issue_id: string;
  comment_id: string | null;
  project_id: string;
  item_type: SearchItemType;
  state: IssueState;
  created_at: Instant;
  /** Terms of the title and the beginning of the text. Matches in them rank higher. */
  lead: string;
  /** All search terms of the text. */
  words: string;
}

/** Issues and comments whose search terms must be recomputed. Database triggers add rows. */
export interface SearchStaleTable {
  account_id: string;
  id: string;
}

export interface AnalysisStateTable {
  account_id: string;
  /** Increases in the same transaction when issues of the account are added, changed or deleted. */
  revision: Generated<number>;
  snapshot_version: Generated<number>;
  /** Mean vector and inverse document frequencies, encoded by the analysis package. */
  snapshot: Buffer | null;
  /** Fingerprint of the snapshot's vectors. Null if only words were compared. */
  fingerprint: string | null;
  state: Generated<'idle' | 'analyzing'>;
  done: Generated<number>;
  total: Generated<number>;
  /** Reason why the last analysis was incomplete, as a sentence. */
  notice: string | null;
}

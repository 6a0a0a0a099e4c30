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
  /** Closed as a duplicate, also where the tracker does not tell of what. */
  is_duplicate: boolean;
  /** Key of the issue this one was closed as a duplicate of, as far as the tracker or our own closing tells. */
  duplicate_of: string | null;
  comments_count: number;
  created_at: Instant;
  updated_at: Instant;
  content_hash: string;
  /** The content hash the pairs of this issue were last computed for. */
  analyzed_hash: string | null;
  /** The account's revision with which the issue's content last changed. */
  revision: number;
  /** Since when its tracker says that it is gone; null while it is there. */
  missing_since: Instant | null;
}

/** What an unfinished walk through all that a project has in its tracker has found so far. */
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
  /** What made the vector; vectors of different fingerprints are never compared. */
  fingerprint: string;
  /** SHA-256 of the text that was embedded. */
  text_hash: Buffer;
  /** Little-endian int16, one per dimension, in units of 1/32767. */
  vector: Buffer;
}

/** What an issue, a change request or a comment is found by. */
export interface SearchDocumentTable {
  account_id: string;
  /** Of the issue or of the comment. */
  id: string;
  issue_id: string;
  comment_id: string | null;
  project_id: string;
  item_type: SearchItemType;
  state: IssueState;
  created_at: Instant;
  /** The terms of the title and of the first words, which decide the order. */
  lead: string;
  /** All terms. */
  words: string;
}

/** Issues and comments whose text has changed since it was indexed for search. Triggers fill it. */
export interface SearchStaleTable {
  account_id: string;
  id: string;
}

export interface AnalysisStateTable {
  account_id: string;
  /** Goes up, in the same transaction, whenever issues of the account come, change or go. */
  revision: Generated<number>;
  snapshot_version: Generated<number>;
  /** Mean vector and IDF table, encoded by the analysis package. */
  snapshot: Buffer | null;
  /** Of the vectors the snapshot was taken of; null when words alone were compared. */
  fingerprint: string | null;
  state: Generated<'idle' | 'analyzing'>;
  done: Generated<number>;
  total: Generated<number>;
  /** Why the last analysis had to do without something, in a sentence. */
  notice: string | null;
}

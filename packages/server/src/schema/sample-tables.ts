import type { Instant } from './column-kinds.ts';

/**
 * Tables of the sample tracker. They hold the data that a real tracker would store on its own
 * server.
 */
export interface SampleIssueTable {
  account_id: string;
  tracker_id: string;
  project_identifier: string;
  number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  state_reason: string | null;
  duplicate_of: string | null;
  closed_at: Instant | null;
  issue_type: string;
  priority: string | null;
  labels: string[];
  author: string;
  assignees: string[];
  created_at: Instant;
  updated_at: Instant;
}

/** A dependency between two issues of a sample backlog. */
export interface SampleLinkTable {
  account_id: string;
  tracker_id: string;
  blocker_project: string;
  blocker_number: number;
  blocked_project: string;
  blocked_number: number;
}

export interface SampleCommentTable {
  account_id: string;
  tracker_id: string;
  id: string;
  project_identifier: string;
  number: number;
  author: string;
  body: string;
  created_at: Instant;
  updated_at: Instant;
}

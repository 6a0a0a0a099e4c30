import type { ClusterDecision, clusterEvent } from '@winnow/contract/cluster';
import type { Generated, JSONColumnType } from 'kysely';
import type { z } from 'zod';
import type { Instant, InstantByDefault } from './column-kinds.ts';

/** A group of issues that probably describe the same problem. */
export interface ClusterTable {
  account_id: string;
  id: string;
  /** Increases when members or decisions change. A decision about an older revision is refused. */
  revision: Generated<number>;
  /** Name generated from the titles of its issues. */
  name: string;
  /** Name given by a person. */
  given_name: string | null;
  /** Proposed canonical issue; null if no member qualifies. */
  proposed_canonical: string | null;
  canonical_reasons: string[];
  /** Canonical issue chosen by a person. Ignored while it is not a member. */
  chosen_canonical: string | null;
  status: Generated<ClusterDecision>;
  decided_by: string | null;
  decided_at: Instant | null;
  /** Average probability over all pairs of members. */
  probability: number;
  /** Probability of the weakest link that holds the cluster together. */
  weakest_probability: number | null;
  /** Id of the review session that has the cluster open. */
  claimed_by: string | null;
  claimed_name: string | null;
  claimed_until: Instant | null;
  /** Time when the cluster lost all its members. Null while it has members. */
  ended_at: Instant | null;
  /**
   * The last members of a cluster without members. If they are clustered again, the cluster returns
   * with its decisions.
   */
  last_members: Generated<string[]>;
  created_at: InstantByDefault;
}

export interface ClusterMemberTable {
  account_id: string;
  issue_id: string;
  cluster_id: string;
}

/** A person's decision that two issues belong together, or do not. */
export interface ClusterOverrideTable {
  account_id: string;
  /** The issue with the smaller id. */
  issue_a: string;
  issue_b: string;
  type: 'must' | 'cannot';
  decided_by: string;
  decided_at: Instant;
}

/** An override as an action keeps it. */
export interface StoredOverride {
  a: string;
  b: string;
  type: 'must' | 'cannot';
  by: string;
  /** Time as PostgreSQL writes it. */
  at: string;
}

/** A person's change of the members of clusters. It can be undone for a day. */
export interface ClusterActionTable {
  account_id: string;
  id: string;
  text: string;
  at: Instant;
  /** The clusters before, each with its issues. */
  members: JSONColumnType<[cluster: string, issues: string[]][]>;
  added: JSONColumnType<StoredOverride[]>;
  /** Overrides that were deleted or replaced. */
  removed: JSONColumnType<StoredOverride[]>;
}

/** An entry in the history of a cluster. */
export interface ClusterEventTable {
  account_id: string;
  id: Generated<string>;
  cluster_id: string;
  type: z.infer<typeof clusterEvent>['type'];
  /** Description of the event, as a sentence. */
  text: string;
  /** Name of the person who caused it; null for the analysis. */
  by: string | null;
  at: Instant;
}

/**
 * Issues whose cluster must be recomputed. Database triggers add rows. An issue may have several
 * rows.
 */
export interface ClusterStaleTable {
  account_id: string;
  id: Generated<string>;
  issue_id: string;
}

/** Statement of a comment about the original of its issue. */
export interface StatedDuplicateTable {
  account_id: string;
  issue_id: string;
  /** Order of the comments of an issue. */
  position: number;
  /** Null if the comment denies that the issue is a duplicate. */
  original_id: string | null;
  stated_by: string;
  quote: string;
}

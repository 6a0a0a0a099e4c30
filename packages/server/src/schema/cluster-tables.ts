import type { ClusterDecision, clusterEvent } from '@winnow/contract/cluster';
import type { Generated, JSONColumnType } from 'kysely';
import type { z } from 'zod';
import type { Instant, InstantByDefault } from './column-kinds.ts';

/** A group of issues that probably describe the same problem. */
export interface ClusterTable {
  account_id: string;
  id: string;
  /**
   * Increases when members or decisions change. A decision is refused if its caller has seen only
   * an older revision.
   */
  revision: Generated<number>;
  /** Name generated from the titles of the cluster's issues. */
  name: string;
  /** Name that a user has given the cluster. Null: the generated name applies. */
  given_name: string | null;
  /** Id of the issue proposed as canonical. Null if no member qualifies. */
  proposed_canonical: string | null;
  canonical_reasons: string[];
  /** Id of the issue that a user chose as canonical. Ignored while the issue is not a member. */
  chosen_canonical: string | null;
  status: Generated<ClusterDecision>;
  decided_by: string | null;
  decided_at: Instant | null;
  /** Average probability over all pairs of members. */
  probability: number;
  /** Lowest probability among the pairs that connect the members with each other. */
  weakest_probability: number | null;
  /** Id of the review session in which a user is reviewing the cluster. */
  claimed_by: string | null;
  claimed_name: string | null;
  claimed_until: Instant | null;
  /** Time when the cluster lost its last member. Null while it has members. */
  ended_at: Instant | null;
  /**
   * Last members of a cluster that has lost all its members. If these issues form a cluster again,
   * this cluster is restored with its decisions.
   */
  last_members: Generated<string[]>;
  created_at: InstantByDefault;
}

export interface ClusterMemberTable {
  account_id: string;
  issue_id: string;
  cluster_id: string;
}

/** A user's decision that two issues must be in one cluster, or must not be. */
export interface ClusterOverrideTable {
  account_id: string;
  /** Id of one of the two issues: the smaller id, so that each pair is stored once. */
  issue_a: string;
  issue_b: string;
  type: 'must' | 'cannot';
  decided_by: string;
  decided_at: Instant;
}

/** A user's decision about two issues, in the form that a cluster action stores for its undo. */
export interface StoredOverride {
  a: string;
  b: string;
  type: 'must' | 'cannot';
  by: string;
  /** Time of the decision, in PostgreSQL's text format. */
  at: string;
}

/** An action by which a user changed the members of clusters. The user can undo it for a day. */
export interface ClusterActionTable {
  account_id: string;
  id: string;
  text: string;
  at: Instant;
  /** Clusters before the action, each with the ids of its issues. */
  members: JSONColumnType<[cluster: string, issues: string[]][]>;
  added: JSONColumnType<StoredOverride[]>;
  /** Decisions about two issues that the action deleted or replaced. */
  removed: JSONColumnType<StoredOverride[]>;
}

/** An entry in the history of a cluster. */
export interface ClusterEventTable {
  account_id: string;
  id: Generated<string>;
  cluster_id: string;
  type: z.infer<typeof clusterEvent>['type'];
  /** Sentence that describes the event. */
  text: string;
  /** Name of the user who caused the event. Null if the analysis caused it. */
  by: string | null;
  at: Instant;
}

/**
 * Issues whose cluster must be recomputed. Database triggers add rows, possibly several for one
 * issue.
 */
export interface ClusterStaleTable {
  account_id: string;
  id: Generated<string>;
  issue_id: string;
}

/** A comment's statement that its issue is, or is not, a duplicate. */
export interface StatedDuplicateTable {
  account_id: string;
  issue_id: string;
  /** Position of the comment among the comments of the issue. */
  position: number;
  /**
   * Id of the original that the comment names. Null if the comment denies that the issue is a
   * duplicate.
   */
  original_id: string | null;
  stated_by: string;
  quote: string;
}

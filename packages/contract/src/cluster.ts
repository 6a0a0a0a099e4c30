import { z } from 'zod';
import { baseHashes, change, commentText, issueDescription, issueTitle, leftOut } from './change.ts';
import { issueSummary, namedTracker, projectIdsQuery } from './issue.ts';
import { givenName, id, instant, memberOf, pageQuery } from './primitives.ts';

/**
 * Minimum probability of clusters in lists (docs/decisions/0060). Issues of less probable clusters
 * rarely describe one problem.
 */
export const CLUSTER_PROBABILITY = 0.3;

/** Statuses of a cluster, with labels. */
export const CLUSTER_STATUSES = {
  to_decide: { label: 'To decide', description: 'Two or more of its issues are open.' },
  decided: { label: 'Decided', description: 'A person decided it, and it has not grown since.' },
  dismissed: { label: 'Dismissed', description: 'A person dismissed it. It stays dismissed.' },
  settled: { label: 'Settled', description: 'At most one of its issues is open.' },
} as const satisfies Record<string, { label: string; description: string }>;
export const clusterStatus = memberOf(CLUSTER_STATUSES);
export type ClusterStatus = z.infer<typeof clusterStatus>;
/** Statuses that a person can set. Setting `to_decide` reopens a decided or dismissed cluster. */
export const clusterDecision = z.enum(['to_decide', 'decided', 'dismissed']);
export type ClusterDecision = z.infer<typeof clusterDecision>;

/**
 * Sort orders of cluster lists. `value` is open issues × probability × (1 + engagement). Engagement
 * is the number of comments and reactions. Reviews of clusters use the order `value`.
 */
export const clusterOrder = z.enum(['value', 'probability', 'size', 'engagement', 'newest', 'oldest']);
export type ClusterOrder = z.infer<typeof clusterOrder>;

/** The canonical issue of a cluster, proposed by the analysis or chosen by a person. */
export const canonicalIssue = z.object({
  issue: issueSummary,
  /** True if a person chose the canonical issue. */
  chosen: z.boolean(),
  /** Reasons for choosing this issue, each as a short sentence. */
  reasons: z.array(z.string()),
});

/**
 * A group of issues that probably describe one problem. Its id stays the same when issues are added
 * or removed. The live event `pairs_changed` with the state `idle` means that clusters may have
 * changed.
 */
export const cluster = z.object({
  id,
  /**
   * Revision of the cluster. Every request to change the cluster must include it. A request with an
   * outdated revision is refused with 409.
   */
  revision: z.int(),
  name: z.string(),
  /** True if a person chose the name of the cluster. */
  named: z.boolean(),
  status: clusterStatus,
  size: z.int(),
  open_issues: z.int(),
  /** Average probability over all pairs of issues in the cluster. */
  probability: z.number().min(0).max(1),
  /**
   * Probability of the weakest link without which the cluster would fall apart. Null if decisions
   * of people alone connect the cluster.
   */
  weakest_probability: z.number().min(0).max(1).nullable(),
  /** Number of comments and reactions on the issues of the cluster. */
  engagement: z.int(),
  projects: z.array(z.object({ id, name: z.string(), identifier: z.string(), tracker_id: id })),
  trackers: z.array(namedTracker.extend({ id })),
  /** Null if no issue of the cluster can be canonical, for example if all are closed. */
  canonical: canonicalIssue.nullable(),
  /** Creation times of the oldest and the newest issue of the cluster. */
  first_created_at: instant,
  last_created_at: instant,
  /** Reviewer who has the cluster open, and the end of the claim. Null if no one has it open. */
  claim: z.object({ by: z.string(), until: instant }).nullable(),
  decided_by: z.string().nullable(),
  decided_at: instant.nullable(),
});
export type Cluster = z.infer<typeof cluster>;

/** Kinds of facts, with labels. */
export const FACT_KINDS = {
  version: { label: 'Version' },
  platform: { label: 'Platform' },
  error: { label: 'Error' },
  steps: { label: 'Steps to reproduce' },
  sample: { label: 'Code sample' },
  log: { label: 'Log' },
  screenshot: { label: 'Screenshot' },
  workaround: { label: 'Workaround' },
  customer: { label: 'Customer' },
} as const satisfies Record<string, { label: string }>;

/** A quoted passage with a fact that the canonical issue lacks. Untrusted text. */
export const addedFact = z.object({
  kind: memberOf(FACT_KINDS),
  field: z.enum(['title', 'description']),
  /** Start and end of the passage in the title or description, in UTF-16 code units. */
  start: z.int(),
  end: z.int(),
  quote: z.string(),
});

export const clusterMember = z.object({
  issue: issueSummary,
  is_canonical: z.boolean(),
  /**
   * Reason why the issue cannot be canonical, as a sentence. Null if the issue can be canonical.
   */
  not_canonical: z.string().nullable(),
  /**
   * Facts of this issue that the canonical issue lacks. Empty for the canonical issue itself, and
   * for all members after the first 100.
   */
  adds: z.array(addedFact),
});

/** Sources of constraints between two issues, the strongest first. */
export const CONSTRAINT_SOURCES = {
  decision: { label: 'Decision of a person' },
  tracker: { label: 'Relation in the tracker' },
  rule: { label: 'Rule' },
  statement: { label: 'Statement in a text' },
} as const satisfies Record<string, { label: string }>;

/** Two members of a cluster and the link between them. */
export const clusterEdge = z.object({
  issue1_id: id,
  issue2_id: id,
  /**
   * Id of the stored pair. `GET /issue-duplicates/{pair_id}` returns its evidence. Null if the pair
   * is not stored.
   */
  pair_id: id.nullable(),
  similarity: z.number().min(0).max(1).nullable(),
  /**
   * Probability that the two issues describe one problem. 1 if a constraint forces both into one
   * cluster.
   */
  probability: z.number().min(0).max(1),
  /**
   * Constraint that forces the two issues into one cluster, whatever their probability. Null if
   * there is none.
   */
  constraint: z.object({ source: memberOf(CONSTRAINT_SOURCES), reason: z.string() }).nullable(),
});

/**
 * Maximum edges returned for a cluster. If more edges are needed to connect all its issues, exactly
 * these edges are returned.
 */
export const MAX_CLUSTER_EDGES = 500;
/**
 * Maximum members shown in the graph of a cluster. Both ends of the weakest edge are always shown.
 */
export const MAX_DRAWN_MEMBERS = 16;

/** An entry in the history of a cluster. */
export const clusterEvent = z.object({
  type: z.enum([
    'created',
    'changed',
    'split',
    'joined',
    'included',
    'excluded',
    'merged',
    'named',
    'canonical_chosen',
    'decided',
    'dismissed',
    'reopened',
  ]),
  /** Description of the event, as a sentence. */
  text: z.string(),
  /** Name of the person who caused the event. Null if the analysis caused it. */
  by: z.string().nullable(),
  at: instant,
});

export const clusterDetail = cluster.extend({
  /** Issues of the cluster: the canonical issue first, then the other issues, oldest first. */
  members: z.array(clusterMember),
  /**
   * Edges between the members, the most probable first.
   * If a cluster has more than 500 edges, only some are returned: the edges that connect all
   * members, the edges between the first 16 members, and the most probable of the remaining edges.
   */
  edges: z.array(clusterEdge),
  /** Number of all edges, including those that `edges` omits. */
  edges_total: z.int(),
  /**
   * The weakest edge without which the cluster would fall apart. Null if decisions of people alone
   * connect the cluster.
   */
  weakest: clusterEdge.nullable(),
  /** The best way to split the cluster into two. Null if it cannot be split. */
  split: z
    .object({
      /** Ids of the issues of the larger part, then those of the smaller part. */
      parts: z.tuple([z.array(id), z.array(id)]),
      /** Average probability of the pairs that the split separates. */
      probability: z.number().min(0).max(1),
    })
    .nullable(),
  /** Entries of the cluster's history, newest first, at most 50. */
  history: z.array(clusterEvent),
});
export type ClusterDetail = z.infer<typeof clusterDetail>;

const clusterFilter = {
  /** Filters for clusters with at least one issue in these projects. */
  project_ids: projectIdsQuery,
  /** Filters for clusters with at least one issue in this tracker. */
  tracker_id: id.optional(),
  probability_threshold: z.coerce.number().min(0).max(1).default(CLUSTER_PROBABILITY),
};

/** Query of `GET /clusters`. Requires the scope `read`. */
export const clustersQuery = z.object({
  ...pageQuery(20),
  ...clusterFilter,
  status: z.enum([...clusterStatus.options, 'all']).default('to_decide'),
  /**
   * Filters for the cluster that contains this issue. To find clusters of any status and
   * probability, also pass `status=all` and `probability_threshold=0`.
   */
  issue_id: id.optional(),
  order_by: clusterOrder.default('value'),
});
export type ClustersQuery = z.infer<typeof clustersQuery>;
export const clusterList = z.object({
  clusters: z.array(cluster),
  total: z.int(),
  limit: z.int(),
  skip: z.int(),
});
export type ClusterList = z.infer<typeof clusterList>;

export const MAX_CLUSTER_NAME_CHARS = 120;
const revision = z.int();

/**
 * Body of `PATCH /clusters/{cluster_id}`. Requires the scope `write`. The response is the changed
 * cluster, or 409 `cluster_changed` if the revision is outdated.
 */
export const clusterPatch = z
  .object({
    revision,
    /** New name of the cluster. Null restores the generated name. */
    name: givenName(MAX_CLUSTER_NAME_CHARS).nullable().optional(),
    /** Id of the issue to make canonical. Null restores the proposed canonical issue. */
    canonical_id: id.nullable().optional(),
    status: clusterDecision.optional(),
  })
  .refine(
    ({ name, canonical_id, status }) =>
      name !== undefined || canonical_id !== undefined || status !== undefined,
    { message: 'Name at least one change.' },
  );
export type ClusterPatch = z.infer<typeof clusterPatch>;

/** Body of `POST /clusters/{cluster_id}/include`. Requires the scope `write`. */
export const includeIssue = z.object({ revision, issue_id: id });
/** Body of `POST /clusters/{cluster_id}/exclude`. Requires the scope `write`. */
export const excludeIssue = z.object({ revision, issue_id: id });
/**
 * Body of `POST /clusters/{cluster_id}/split`. Requires the scope `write`. Separates the issues in
 * `issue_ids` from all other issues of the cluster. The separated issues form a new cluster if they
 * are similar enough.
 */
export const splitCluster = z.object({ revision, issue_ids: z.array(id).min(1).max(500) });
/**
 * Body of `POST /clusters/{cluster_id}/merge`. Requires the scope `write`. The cluster `other_id`
 * ceases to exist.
 */
export const mergeClusters = z.object({ revision, other_id: id, other_revision: revision });

/** Result of the operations include, exclude, split, merge and undo. */
export const clusterChanged = z.object({
  /** The cluster after the change. Null if fewer than two issues remain in it. */
  cluster: cluster.nullable(),
  /** Other clusters that the operation created or changed. */
  others: z.array(cluster),
  /**
   * Id to pass to `POST /clusters/undo`, valid for a day. Null for the result of an undo, which
   * cannot be undone.
   */
  action_id: id.nullable(),
});
export type ClusterChanged = z.infer<typeof clusterChanged>;

/**
 * Body of `POST /clusters/undo`. Requires the scope `write`. Undoes one include, exclude, split or
 * merge, by restoring the earlier decisions about the affected issues.
 */
export const undoClusterAction = z.object({ action_id: id });

/** Maximum issues that one change of a cluster closes. */
export const MAX_CLUSTER_MEMBERS_CLOSED = 500;

/** Places on the canonical issue where missing facts from the closed issues can be quoted. */
export const factsPlace = z.enum(['nowhere', 'comment', 'description']);

/**
 * Body of `POST /clusters/{cluster_id}/resolve`. Requires the scope `write`. Closes issues of a
 * cluster as duplicates of its canonical issue, in one change.
 * The response status is 200 if the change is complete, and 202 while it is being applied. `POST
 * /changes/preview` with the kind `cluster` previews the change.
 */
export const clusterResolution = z.object({
  revision,
  /**
   * Id of an open issue of the cluster that the others become duplicates of. Default: the canonical
   * issue of the cluster.
   */
  canonical_id: id.optional(),
  /** Issues to close. Default: all open issues of the cluster except the canonical one. */
  member_ids: z.array(id).min(1).max(MAX_CLUSTER_MEMBERS_CLOSED).optional(),
  /**
   * Comments that replace the comments of the preview. The key is the id of the issue on which the
   * comment is posted.
   */
  comments: z.record(id, commentText).optional(),
  /** Place on the canonical issue where facts of the closed issues are quoted. */
  facts: factsPlace.default('nowhere'),
  /**
   * New texts of the canonical issue. A description given here replaces the one that `facts:
   * 'description'` would create.
   */
  canonical_title: issueTitle.optional(),
  canonical_description: issueDescription.optional(),
  /**
   * Content hashes from the preview. Members whose content has changed since the preview are left
   * out.
   */
  base_hashes: baseHashes.optional(),
});
export type ClusterResolution = z.infer<typeof clusterResolution>;
/**
 * Body of `POST /clusters/{cluster_id}/propose-resolution`. Requires the scope `propose`. The
 * response is the saved proposal.
 */
export const clusterProposal = clusterResolution.extend({ reason: z.string().trim().max(2_000).optional() });
export type ClusterProposal = z.infer<typeof clusterProposal>;

export const clusterResolved = z.object({
  change,
  /**
   * Issues that were left out before the change was saved. Issues that are left out later have
   * steps with the status `skipped`.
   */
  left_out: z.array(leftOut),
});
export type ClusterResolved = z.infer<typeof clusterResolved>;

/** Maximum clusters per call of `POST /clusters/resolve`. */
export const MAX_CLUSTERS_RESOLVED = 25;

/**
 * Body of `POST /clusters/resolve`. Requires the scope `write`. Resolves clusters at the given
 * revisions, each in its own change. The server responds as soon as the changes have started.
 */
export const clustersResolution = z.object({
  clusters: z
    .array(
      clusterResolution
        .pick({ revision: true, canonical_id: true, member_ids: true, base_hashes: true })
        .required({ canonical_id: true, member_ids: true })
        .extend({ cluster_id: id }),
    )
    .min(1)
    .max(MAX_CLUSTERS_RESOLVED)
    .refine((clusters) => new Set(clusters.map(({ cluster_id }) => cluster_id)).size === clusters.length, {
      message: 'Name each cluster once.',
    }),
});
export type ClustersResolution = z.infer<typeof clustersResolution>;
export const clustersResolved = z.object({
  /** Changes that have started. The live channel reports when they are complete. */
  changes: z.array(z.object({ cluster_id: id, change_id: id })),
  /**
   * Clusters that were left out, each with the reason.
   * `code` is an error code of `POST /clusters/{cluster_id}/resolve`, `out_of_time` if the cluster
   * was not reached in time, or `internal`.
   */
  left_out: z.array(z.object({ cluster_id: id, code: z.string(), detail: z.string() })),
});
export type ClustersResolved = z.infer<typeof clustersResolved>;

/** Duration of a claim, in minutes. Requesting the current or the next cluster renews the claim. */
export const CLAIM_MINUTES = 10;

/** Maximum clusters that a reviewer can skip in one review. */
export const MAX_SKIPPED_CLUSTERS = 500;

/**
 * Body of `POST /clusters/review/next`. Requires the scope `write`. Claims the undecided cluster
 * with the highest value.
 */
export const reviewRequest = z.object({
  /**
   * Id of this review, chosen by the client. Two reviews never claim the same cluster at the same
   * time.
   */
  reviewer: id,
  project_ids: z.array(id).max(500).default([]),
  probability_threshold: z.number().min(0).max(1).default(CLUSTER_PROBABILITY),
  /** Ids of clusters that the reviewer skipped. */
  skipped: z.array(id).max(MAX_SKIPPED_CLUSTERS).default([]),
  /**
   * Id of the cluster on the reviewer's screen. If that cluster is undecided and no other review
   * has claimed it, the response contains it again with a renewed claim.
   */
  current: id.optional(),
});
export type ReviewRequest = z.infer<typeof reviewRequest>;
export const reviewNext = z.object({
  /**
   * Null if no undecided cluster is left, or if other reviewers have claimed all undecided
   * clusters.
   */
  cluster: clusterDetail.nullable(),
  /** Number of undecided clusters, including this cluster and those claimed by other reviewers. */
  left: z.int(),
});
export type ReviewNext = z.infer<typeof reviewNext>;
/**
 * Body of `POST /clusters/review/release`. Requires the scope `write`. Releases the claim of a
 * review. The response status is 204.
 */
export const reviewRelease = z.object({ reviewer: id });

/** Query of `GET /clusters/review/summary`. Requires the scope `read`. */
export const reviewSummaryQuery = z.object({
  ...clusterFilter,
  /** Time at which the review started. */
  since: z.iso.datetime(),
});
/**
 * Query of `GET /clusters/review/summary/export`. Requires the scope `read`. The response is a file
 * with the summary.
 */
export const reviewExportQuery = reviewSummaryQuery.extend({
  format: z.enum(['markdown', 'csv']).default('markdown'),
});
export const reviewSummary = z.object({
  decided: z.int(),
  dismissed: z.int(),
  /** Number of clusters that are still undecided. */
  left: z.int(),
  /**
   * Number of issues closed as duplicates by decisions about clusters since the start of the
   * review.
   */
  issues_removed: z.int(),
  /** Minutes of work. A pause between two decisions counts as at most 10 minutes. */
  minutes: z.number(),
  /** The decided and dismissed clusters, the latest first, at most 1000. */
  clusters: z.array(
    z.object({
      id,
      name: z.string(),
      status: z.enum(['decided', 'dismissed']),
      size: z.int(),
      canonical_key: z.string().nullable(),
      issues_removed: z.int(),
      decided_by: z.string(),
      decided_at: instant,
    }),
  ),
});
export type ReviewSummary = z.infer<typeof reviewSummary>;

import { z } from 'zod';
import { baseHashes, change, commentText, issueDescription, issueTitle, leftOut } from './change.ts';
import { issueSummary, namedTracker, projectIdsQuery } from './issue.ts';
import { givenName, id, instant, memberOf, pageQuery } from './primitives.ts';

/**
 * Minimum probability of clusters in lists (docs/decisions/0060). The issues of a less probable
 * cluster rarely describe one problem.
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
/** Status that a person can set. `to_decide` opens a decided or dismissed cluster again. */
export const clusterDecision = z.enum(['to_decide', 'decided', 'dismissed']);
export type ClusterDecision = z.infer<typeof clusterDecision>;

/** Orders of the list. `value` is size × probability × engagement; reviews use it, too. */
export const clusterOrder = z.enum(['value', 'probability', 'size', 'engagement', 'newest', 'oldest']);
export type ClusterOrder = z.infer<typeof clusterOrder>;

/** The canonical issue of a cluster, proposed or chosen. */
export const canonicalIssue = z.object({
  issue: issueSummary,
  /** True if a person chose it. */
  chosen: z.boolean(),
  /** Reasons for the choice, each as a short sentence. */
  reasons: z.array(z.string()),
});

/**
 * A group of issues that probably describe one problem. Its id remains the same when issues are
 * added or removed. The live event `pairs_changed` with the state `idle` reports changed clusters.
 */
export const cluster = z.object({
  id,
  /** Must be sent with every change. A change with an outdated revision is refused with 409. */
  revision: z.int(),
  name: z.string(),
  /** True if a person gave it the name. */
  named: z.boolean(),
  status: clusterStatus,
  size: z.int(),
  open_issues: z.int(),
  /** Average probability over all pairs of members. */
  probability: z.number().min(0).max(1),
  /**
   * Probability of the weakest link that keeps the cluster connected. Null if only decisions
   * connect it.
   */
  weakest_probability: z.number().min(0).max(1).nullable(),
  /** Number of comments and reactions on its issues. */
  engagement: z.int(),
  projects: z.array(z.object({ id, name: z.string(), identifier: z.string(), tracker_id: id })),
  trackers: z.array(namedTracker.extend({ id })),
  /** Null if no member can be canonical, for example if all are closed. */
  canonical: canonicalIssue.nullable(),
  /** Creation times of its oldest and its newest issue. */
  first_created_at: instant,
  last_created_at: instant,
  /** Name of the reviewer who has it open, and the end of the claim. Null if no one has. */
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
  /** Start and end of the passage in the field, in UTF-16 code units. */
  start: z.int(),
  end: z.int(),
  quote: z.string(),
});

export const clusterMember = z.object({
  issue: issueSummary,
  is_canonical: z.boolean(),
  /** Reason why the issue cannot be canonical, as a sentence. Null if it can. */
  not_canonical: z.string().nullable(),
  /**
   * Facts that the canonical issue lacks. Empty for the canonical issue itself, and for all members
   * after the first 100.
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

/** Two members and the link between them. */
export const clusterEdge = z.object({
  issue1_id: id,
  issue2_id: id,
  /**
   * Id of the stored pair, whose evidence `GET /issue-duplicates/{pair_id}` returns. Null if the
   * pair is not stored.
   */
  pair_id: id.nullable(),
  similarity: z.number().min(0).max(1).nullable(),
  /** Probability that the two describe one problem. 1 if a constraint puts them together. */
  probability: z.number().min(0).max(1),
  /** Set if a constraint puts the two together, whatever their probability. */
  constraint: z.object({ source: memberOf(CONSTRAINT_SOURCES), reason: z.string() }).nullable(),
});

/**
 * Maximum edges in the details of a cluster. A cluster of more issues has as many edges as connect
 * them: one fewer than issues.
 */
export const MAX_CLUSTER_EDGES = 500;
/** Maximum members in the drawing of a cluster: the ends of the weakest edge, then the first. */
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
  /** Sentence about the event. */
  text: z.string(),
  /** Name of the person; null for the analysis. */
  by: z.string().nullable(),
  at: instant,
});

export const clusterDetail = cluster.extend({
  /** Issues of the cluster: the canonical issue first, then the others, oldest first. */
  members: z.array(clusterMember),
  /**
   * Edges between the members, the most probable first. If there are more than 500, only those that
   * connect all members, those between the first 16 members, and the most probable others.
   */
  edges: z.array(clusterEdge),
  /** Number of all edges, including those that `edges` omits. */
  edges_total: z.int(),
  /**
   * The weakest edge without which the cluster would not be connected. Null if only decisions
   * connect it.
   */
  weakest: clusterEdge.nullable(),
  /** The best way to split the cluster into two. Null if it cannot be split. */
  split: z
    .object({
      /** Ids of the issues of the larger part, then those of the smaller part. */
      parts: z.tuple([z.array(id), z.array(id)]),
      /** Average probability of the pairs between the parts. */
      probability: z.number().min(0).max(1),
    })
    .nullable(),
  /** Newest entries of the history first, at most 50. */
  history: z.array(clusterEvent),
});
export type ClusterDetail = z.infer<typeof clusterDetail>;

const clusterFilter = {
  /** Clusters with at least one issue in these projects. */
  project_ids: projectIdsQuery,
  /** Clusters with at least one issue in this tracker. */
  tracker_id: id.optional(),
  probability_threshold: z.coerce.number().min(0).max(1).default(CLUSTER_PROBABILITY),
};

/** `GET /clusters`; scope `read`. */
export const clustersQuery = z.object({
  ...pageQuery(20),
  ...clusterFilter,
  status: z.enum([...clusterStatus.options, 'all']).default('to_decide'),
  /**
   * Only the cluster that contains this issue. Combine it with `status=all` and
   * `probability_threshold=0`.
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
 * `PATCH /clusters/{cluster_id}`; scope `write`; returns the cluster. 409 `cluster_changed` if the
 * revision is outdated.
 */
export const clusterPatch = z
  .object({
    revision,
    /** Null restores the generated name. */
    name: givenName(MAX_CLUSTER_NAME_CHARS).nullable().optional(),
    /** Id of a member. Null restores the proposed canonical issue. */
    canonical_id: id.nullable().optional(),
    status: clusterDecision.optional(),
  })
  .refine(
    ({ name, canonical_id, status }) =>
      name !== undefined || canonical_id !== undefined || status !== undefined,
    { message: 'Name at least one change.' },
  );
export type ClusterPatch = z.infer<typeof clusterPatch>;

/** `POST /clusters/{cluster_id}/include`; scope `write`. */
export const includeIssue = z.object({ revision, issue_id: id });
/** `POST /clusters/{cluster_id}/exclude`; scope `write`. */
export const excludeIssue = z.object({ revision, issue_id: id });
/** `POST /clusters/{cluster_id}/split`; scope `write`. Separates these issues from all others. */
export const splitCluster = z.object({ revision, issue_ids: z.array(id).min(1).max(500) });
/** `POST /clusters/{cluster_id}/merge`; scope `write`. The other cluster ends. */
export const mergeClusters = z.object({ revision, other_id: id, other_revision: revision });

/** Result of include, exclude, split, merge and undo. */
export const clusterChanged = z.object({
  /** The cluster after the change; null if fewer than two issues are left in it. */
  cluster: cluster.nullable(),
  /** Other clusters that the change created or changed. */
  others: z.array(cluster),
  /** Id for `POST /clusters/undo`, valid for a day. Null for an undo, which cannot be undone. */
  action_id: id.nullable(),
});
export type ClusterChanged = z.infer<typeof clusterChanged>;

/**
 * `POST /clusters/undo`; scope `write`. Undoes one include, exclude, split or merge: restores the
 * decisions about its issues as they were.
 */
export const undoClusterAction = z.object({ action_id: id });

/** Maximum issues that one change of a cluster closes. */
export const MAX_CLUSTER_MEMBERS_CLOSED = 500;

/** Places at which the facts that the canonical issue lacks can be quoted. */
export const factsPlace = z.enum(['nowhere', 'comment', 'description']);

/**
 * `POST /clusters/{cluster_id}/resolve`; scope `write`. Closes issues of a cluster as duplicates of
 * its canonical issue, in one change. 200 if it is settled, 202 if it is being applied. The kind
 * `cluster` of `POST /changes/preview` shows it first.
 */
export const clusterResolution = z.object({
  revision,
  /** An open issue of the cluster. Default: its canonical issue. */
  canonical_id: id.optional(),
  /** Issues to close. Default: all other open ones. */
  member_ids: z.array(id).min(1).max(MAX_CLUSTER_MEMBERS_CLOSED).optional(),
  /** Comments that replace those of the preview, by id of the issue on which each is posted. */
  comments: z.record(id, commentText).optional(),
  /** Place on the canonical issue at which facts of the closed issues are quoted. */
  facts: factsPlace.default('nowhere'),
  /** New texts of the canonical issue. A description given here replaces that of `facts`. */
  canonical_title: issueTitle.optional(),
  canonical_description: issueDescription.optional(),
  /** Content hashes from the preview. Members that have changed since then are left out. */
  base_hashes: baseHashes.optional(),
});
export type ClusterResolution = z.infer<typeof clusterResolution>;
/** `POST /clusters/{cluster_id}/propose-resolution`; scope `propose`. Returns the proposal. */
export const clusterProposal = clusterResolution.extend({ reason: z.string().trim().max(2_000).optional() });
export type ClusterProposal = z.infer<typeof clusterProposal>;

export const clusterResolved = z.object({
  change,
  /**
   * Issues left out before the change was saved. Issues that are left out later have `skipped`
   * steps.
   */
  left_out: z.array(leftOut),
});
export type ClusterResolved = z.infer<typeof clusterResolved>;

/** Maximum clusters per call of `POST /clusters/resolve`. */
export const MAX_CLUSTERS_RESOLVED = 25;

/**
 * `POST /clusters/resolve`; scope `write`. Resolves clusters at the given revisions, each in its
 * own change. Responds as soon as the changes have started.
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
   * Clusters that were left out, with the reason. `code` is that of `POST
   * /clusters/{cluster_id}/resolve`, `out_of_time` if it was not started in time, or `internal`.
   */
  left_out: z.array(z.object({ cluster_id: id, code: z.string(), detail: z.string() })),
});
export type ClustersResolved = z.infer<typeof clustersResolved>;

/** Duration of a claim, in minutes. Requesting the next or the current cluster renews the claim. */
export const CLAIM_MINUTES = 10;

/** Maximum clusters that a review can skip. */
export const MAX_SKIPPED_CLUSTERS = 500;

/** `POST /clusters/review/next`; scope `write`. Claims the most valuable cluster that is left. */
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
   * Id of the cluster on the reviewer's screen. If it is still undecided and no other review has
   * claimed it, it is returned again with a renewed claim.
   */
  current: id.optional(),
});
export type ReviewRequest = z.infer<typeof reviewRequest>;
export const reviewNext = z.object({
  /** Null if no cluster is left, or if other reviewers have claimed all that are left. */
  cluster: clusterDetail.nullable(),
  /** Number of clusters left to decide, including this one and those claimed by other reviewers. */
  left: z.int(),
});
export type ReviewNext = z.infer<typeof reviewNext>;
/** `POST /clusters/review/release`; scope `write`; 204. Releases the claim of a review. */
export const reviewRelease = z.object({ reviewer: id });

/** `GET /clusters/review/summary`; scope `read`. */
export const reviewSummaryQuery = z.object({
  ...clusterFilter,
  /** Start of the review. */
  since: z.iso.datetime(),
});
/** `GET /clusters/review/summary/export`; scope `read`. A file with the summary. */
export const reviewExportQuery = reviewSummaryQuery.extend({
  format: z.enum(['markdown', 'csv']).default('markdown'),
});
export const reviewSummary = z.object({
  decided: z.int(),
  dismissed: z.int(),
  /** Number of clusters left to decide. */
  left: z.int(),
  /**
   * Number of issues that decisions about clusters closed as duplicates since the start of the
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

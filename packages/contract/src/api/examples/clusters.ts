import * as cluster from '../../cluster.ts';
import { issueSummary } from '../../issue.ts';
import { EXAMPLE_TIME, example, IDS, LATER_EXAMPLE_TIME } from '../example.ts';
import { closed } from './changes.ts';
import { EXAMPLE_ISSUE, TRACKER } from './issues.ts';

const member = issueSummary.parse(EXAMPLE_ISSUE);
const original = {
  ...member,
  id: IDS.original,
  key: 'acme/web#7',
  title: 'Export button is dead',
};
const pile = {
  id: IDS.other,
  revision: 1,
  name: 'Export button',
  named: false,
  status: 'to_decide' as const,
  size: 2,
  open_issues: 2,
  probability: 0.91,
  weakest_probability: 0.91,
  engagement: 2,
  projects: [{ id: IDS.project, name: 'web', identifier: 'acme/web', tracker_id: IDS.tracker }],
  trackers: [{ id: IDS.tracker, ...TRACKER }],
  canonical: { issue: original, chosen: false, reasons: ['It is the oldest open issue.'] },
  first_created_at: EXAMPLE_TIME,
  last_created_at: EXAMPLE_TIME,
  claim: null,
  decided_by: null,
  decided_at: null,
};
const edge = {
  issue1_id: IDS.original,
  issue2_id: IDS.issue,
  pair_id: IDS.pair,
  similarity: 0.86,
  probability: 0.91,
  constraint: null,
};
const fact = {
  kind: 'platform' as const,
  field: 'description' as const,
  start: 8,
  end: 15,
  quote: 'Firefox',
};
const detail = {
  ...pile,
  members: [
    { issue: original, is_canonical: true, not_canonical: null, adds: [] },
    { issue: member, is_canonical: false, not_canonical: null, adds: [fact] },
  ],
  edges: [edge],
  edges_total: 1,
  weakest: edge,
  split: { parts: [[IDS.original], [IDS.issue]] as [string[], string[]], probability: 0.91 },
  history: [{ type: 'created' as const, text: 'Found.', by: null, at: EXAMPLE_TIME }],
};
const resolution = {
  revision: 1,
  canonical_id: IDS.original,
  member_ids: [IDS.issue],
  facts: 'comment' as const,
};
const decided = {
  id: IDS.other,
  name: 'Export button',
  status: 'decided' as const,
  size: 2,
  canonical_key: 'acme/web#7',
  issues_removed: 1,
  decided_by: 'Ada',
  decided_at: LATER_EXAMPLE_TIME,
};

/** Examples of the schemas of clusters, decisions about them, and reviews. */
export const CLUSTER_EXAMPLES = [
  example(cluster.cluster, pile),
  example(cluster.clusterList, { clusters: [pile], total: 1, limit: 20, skip: 0 }),
  example(cluster.clusterDetail, detail),
  example(cluster.clusterPatch, { revision: 1, canonical_id: IDS.issue, status: 'decided' }),
  example(cluster.includeIssue, { revision: 1, issue_id: IDS.issue }),
  example(cluster.excludeIssue, { revision: 1, issue_id: IDS.issue }),
  example(cluster.splitCluster, { revision: 1, issue_ids: [IDS.issue] }),
  example(cluster.mergeClusters, { revision: 1, other_id: IDS.pair, other_revision: 1 }),
  example(cluster.clusterResolution, resolution),
  example(cluster.clusterProposal, { ...resolution, reason: 'Same steps, same error.' }),
  example(cluster.clusterResolved, {
    change: {
      ...closed,
      kind: 'cluster',
      steps: closed.steps.map((step) => ({ ...step, group: 1 })),
    },
    left_out: [],
  }),
  example(cluster.clustersResolution, {
    clusters: [{ cluster_id: IDS.other, revision: 1, canonical_id: IDS.original, member_ids: [IDS.issue] }],
  }),
  example(cluster.clustersResolved, {
    changes: [{ cluster_id: IDS.other, change_id: closed.id }],
    left_out: [],
  }),
  example(cluster.clusterChanged, { cluster: pile, others: [], action_id: IDS.other }),
  example(cluster.undoClusterAction, { action_id: IDS.other }),
  example(cluster.reviewRequest, { reviewer: IDS.other, skipped: [] }),
  example(cluster.reviewNext, { cluster: detail, left: 12 }),
  example(cluster.reviewRelease, { reviewer: IDS.other }),
  example(cluster.reviewSummary, {
    decided: 1,
    dismissed: 0,
    left: 12,
    issues_removed: 1,
    minutes: 1.5,
    clusters: [decided],
  }),
];

import { type Operations, WRITE_ERRORS } from '../operation.ts';

const CHANGE_ERRORS = ['cluster_changed', 'not_found'] as const;

const RESOLUTION_ERRORS = [
  ...WRITE_ERRORS,
  'canonical_closed',
  'cluster_changed',
  'cluster_not_open',
  'decision_undone',
  'no_canonical',
  'nothing_to_close',
] as const;

export const clusterOperations: Operations = {
  'GET /api/v1/clusters': {
    id: 'listClusters',
    summary: 'List clusters',
    description:
      'Returns groups of issues that probably describe one problem, the most valuable first. The value is size times probability times engagement. A cluster may contain issues of several projects and trackers. By default only clusters with two or more open issues and no decision are listed.',
    errors: ['ambiguous_project', 'not_found'],
  },
  'GET /api/v1/clusters/:cluster_id': {
    id: 'getCluster',
    summary: 'Get a cluster',
    description:
      'Returns a cluster with its issues, the links between them, the weakest link, the best split, the facts that each issue adds to the canonical one, and its history. Facts are read from the first 100 issues.',
    errors: ['not_found'],
  },
  'PATCH /api/v1/clusters/:cluster_id': {
    id: 'changeCluster',
    summary: 'Change a cluster',
    description:
      'Sets the name, the canonical issue or the status of a cluster. Nothing is written to a tracker. Refused if the cluster has changed since the given revision.',
    errors: CHANGE_ERRORS,
  },
  'POST /api/v1/clusters/:cluster_id/include': {
    id: 'includeIssue',
    summary: 'Include an issue',
    description:
      'Puts an issue into a cluster and confirms its other issues. The decision stays when issues change. Nothing is written to a tracker.',
    errors: [...CHANGE_ERRORS, 'kept_apart'],
  },
  'POST /api/v1/clusters/:cluster_id/exclude': {
    id: 'excludeIssue',
    summary: 'Exclude an issue',
    description:
      'Separates an issue from all others of the cluster. The decision stays when issues change. Nothing is written to a tracker.',
    errors: CHANGE_ERRORS,
  },
  'POST /api/v1/clusters/:cluster_id/split': {
    id: 'splitCluster',
    summary: 'Split a cluster',
    description:
      'Separates issues from all others of the cluster. They form their own cluster if they are similar enough. Nothing is written to a tracker.',
    errors: CHANGE_ERRORS,
  },
  'POST /api/v1/clusters/:cluster_id/merge': {
    id: 'mergeClusters',
    summary: 'Merge two clusters',
    description:
      'Puts the issues of two clusters into one. The decision stays when issues change. Nothing is written to a tracker.',
    errors: [...CHANGE_ERRORS, 'kept_apart'],
  },
  'POST /api/v1/clusters/undo': {
    id: 'undoClusterAction',
    summary: 'Undo a change of members',
    description:
      'Undoes one include, exclude, split or merge of the last day, by restoring the earlier decisions about its issues. Refused if these decisions were changed since. Nothing is written to a tracker.',
    errors: CHANGE_ERRORS,
  },
  'POST /api/v1/clusters/:cluster_id/resolve': {
    id: 'resolveCluster',
    summary: 'Resolve a cluster',
    description:
      'Closes issues of a cluster as duplicates of its canonical issue, in one change. Each closed issue gets a comment, and the canonical issue gets one comment that lists them. Issues that changed meanwhile are left out; issues that fail do not stop the others. Responds 202 if the change is still being applied. `POST /changes/preview` shows it first, and `POST /changes/{change_id}/undo` undoes it.',
    errors: RESOLUTION_ERRORS,
  },
  'POST /api/v1/clusters/:cluster_id/propose-resolution': {
    id: 'proposeClusterResolution',
    summary: 'Propose to resolve a cluster',
    description: 'Proposes to close issues of a cluster as duplicates. A person applies or rejects it.',
    errors: [...RESOLUTION_ERRORS, 'already_proposed'],
  },
  'POST /api/v1/clusters/resolve': {
    id: 'resolveClusters',
    summary: 'Resolve several clusters',
    description:
      'Closes the given issues of each cluster as duplicates of its canonical issue. Each cluster gets a separate change with its undo. Clusters that have changed since the given revision, or that cannot be resolved, are left out with the reason. Issues that change after the start are skipped. Responds when the changes have started. `POST /changes/preview` shows each first.',
    errors: ['not_found'],
  },
  'POST /api/v1/clusters/review/next': {
    id: 'nextCluster',
    summary: 'Claim the next cluster of a review',
    description:
      'Claims the most valuable undecided cluster and returns it. Other reviews do not get it for ten minutes. A second call returns the same cluster until it is decided or skipped.',
    errors: ['not_found'],
  },
  'POST /api/v1/clusters/review/release': {
    id: 'releaseCluster',
    summary: 'End a review',
    description: 'Releases the cluster that a review has claimed.',
  },
  'GET /api/v1/clusters/review/summary': {
    id: 'getReviewSummary',
    summary: 'Get the summary of a review',
    description: 'Returns the decisions since the start of a review, and the number of clusters left.',
    errors: ['ambiguous_project', 'not_found'],
  },
  'GET /api/v1/clusters/review/summary/export': {
    id: 'exportReviewSummary',
    summary: 'Export the summary of a review',
    description: 'Returns the summary of a review as a Markdown or CSV file.',
    produces: ['text/markdown', 'text/csv'],
    errors: ['ambiguous_project', 'not_found'],
  },
};

import type {
  Cluster,
  ClusterChanged,
  ClusterDetail,
  ClusterResolved,
  ClustersResolved,
  ReviewSummary,
} from '@winnow/contract/cluster';
import { type ChangeRecord, presentChange } from '../changes/index.ts';
import { presentIssueSummary } from '../issues/index.ts';
import { presentEdges } from './edges.ts';
import { clusterMemory } from './plan-resolution.ts';
import type { StartedResolutions } from './resolutions.ts';
import type { ClusterChange, ClusterDetails, ClusterView, ReviewState } from './service.ts';

/**
 * Maximum minutes between two decisions that count as working time. A longer pause counts as this
 * many minutes.
 */
const MAX_PAUSE_MINUTES = 10;
const MS_PER_MINUTE = 60_000;
/** Maximum number of decisions that a summary lists. */
const MAX_LISTED = 1_000;

/** Converts a cluster to its API form for lists. `now` determines whether a claim has expired. */
export function presentCluster({ row, canonical }: ClusterView, now: Date): Cluster {
  const { claimed_name: claimant, claimed_until: until } = row;
  return {
    id: row.id,
    revision: row.revision,
    name: row.given_name ?? row.name,
    named: row.given_name !== null,
    status: row.status,
    size: row.size,
    open_issues: row.open_issues,
    probability: row.probability,
    weakest_probability: row.weakest_probability,
    engagement: row.engagement,
    projects: row.projects.map(({ id, name, identifier, tracker_id }) => ({
      id,
      name,
      identifier,
      tracker_id,
    })),
    trackers: row.trackers.map(({ id, name, type }) => ({ id, name, type })),
    canonical: canonical && {
      issue: presentIssueSummary(canonical.issue),
      chosen: canonical.chosen,
      reasons: canonical.reasons,
    },
    first_created_at: row.first_created_at.toISOString(),
    last_created_at: row.last_created_at.toISOString(),
    claim:
      claimant !== null && until !== null && until > now
        ? { by: claimant, until: until.toISOString() }
        : null,
    decided_by: row.decided_by,
    decided_at: row.decided_at?.toISOString() ?? null,
  };
}

/** Converts the change that resolves a cluster to its API form. */
export function presentResolved(record: ChangeRecord): ClusterResolved {
  const { left_out } = clusterMemory.parse(record.change.payload);
  return { change: presentChange(record), left_out };
}

/** Converts a cluster to its API form, with its issues and edges. */
export function presentClusterDetail(details: ClusterDetails, now: Date): ClusterDetail {
  const { view, members, pairs, together, cohesion, history } = details;
  const { split } = cohesion;
  const { edges, total, weakest } = presentEdges(
    members.map(({ issue }) => issue.id),
    pairs,
    { together, weakest: cohesion.weakest },
  );
  const created = view.row.created_at;
  return {
    ...presentCluster(view, now),
    members: members.map(({ issue, notCanonical, adds }) => ({
      issue: presentIssueSummary(issue),
      is_canonical: issue.id === view.canonical?.issue.id,
      not_canonical: notCanonical,
      adds: adds.map(({ kind, field, start, end, quote }) => ({
        kind,
        field: field === 'body' ? 'description' : 'title',
        start,
        end,
        quote,
      })),
    })),
    edges,
    edges_total: total,
    weakest,
    split: split && { parts: split.parts, probability: split.average },
    history: [
      ...history.map(({ type, text, by, at }) => ({ type, text, by, at: at.toISOString() })),
      { type: 'created', text: 'Found.', by: null, at: created.toISOString() },
    ],
  };
}

/** Converts a change of cluster members to its API form. */
export function presentChanged({ cluster, others, actionId }: ClusterChange, now: Date): ClusterChanged {
  return {
    cluster: cluster && presentCluster(cluster, now),
    others: others.map((other) => presentCluster(other, now)),
    action_id: actionId,
  };
}

/**
 * Converts the result of starting resolutions to its API form: started changes and skipped
 * clusters.
 */
export function presentResolutionsStarted({ started, leftOut }: StartedResolutions): ClustersResolved {
  return {
    changes: started.map(({ clusterId, changeId }) => ({ cluster_id: clusterId, change_id: changeId })),
    left_out: leftOut.map(({ clusterId, code, detail }) => ({ cluster_id: clusterId, code, detail })),
  };
}

/** Converts the summary of a review to its API form. */
export function presentReview({ decisions, left }: ReviewState, since: Date): ReviewSummary {
  const count = (status: string) => decisions.filter((decision) => decision.status === status).length;
  return {
    decided: count('decided'),
    dismissed: count('dismissed'),
    left,
    issues_removed: decisions.reduce((sum, { issues_removed }) => sum + issues_removed, 0),
    minutes: minutesOf(decisions, since),
    clusters: decisions.slice(0, MAX_LISTED).map((decision) => ({
      id: decision.id,
      name: decision.name,
      status: decision.status,
      size: decision.size,
      canonical_key: decision.canonical_key,
      issues_removed: decision.issues_removed,
      decided_by: decision.decided_by,
      decided_at: decision.decided_at.toISOString(),
    })),
  };
}

function minutesOf(decisions: ReviewState['decisions'], since: Date): number {
  let minutes = 0;
  let before = since.getTime();
  for (const { decided_at } of decisions.toReversed()) {
    minutes += Math.min(MAX_PAUSE_MINUTES, (decided_at.getTime() - before) / MS_PER_MINUTE);
    before = decided_at.getTime();
  }
  return Math.round(10 * minutes) / 10;
}

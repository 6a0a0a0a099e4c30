import {
  type Cluster,
  type ClusterChanged,
  type ClusterPatch,
  clusterChanged,
  cluster as clusterSchema,
} from '@winnow/contract/cluster';
import { queryClient } from '../../api/query/query-client.ts';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/**
 * The revision of a cluster that the user sees. The server refuses to change a cluster that has a
 * newer revision.
 */
export type ClusterRevision = Pick<Cluster, 'id' | 'revision'>;

/**
 * New revision of a cluster after each change made on this page. The key contains the cluster id
 * and the previous revision.
 */
const successors = new Map<string, number>();

/**
 * Returns the revision to send to the server, which includes all changes made on this page. If
 * another user has changed the cluster, the server refuses the request.
 */
function currentRevision({ id, revision }: ClusterRevision): number {
  const next = successors.get(`${id} ${revision}`);
  return next === undefined ? revision : currentRevision({ id, revision: next });
}

/**
 * The last request. The next request waits for it, because it needs the revision that the last
 * request returns.
 */
let lastRequest: Promise<unknown> = Promise.resolve();

/** Resolves when the server has responded to all requests that change clusters. */
export async function whenChangesSettle(): Promise<void> {
  await lastRequest;
}

function runInTurn<Result>(send: () => Promise<Result>): Promise<Result> {
  const request = lastRequest.then(send);
  lastRequest = request.catch(() => undefined);
  return request.finally(() => void queryClient.invalidateQueries({ queryKey: queryKeys.clusters.all }));
}

function keepRevision({ id, revision }: ClusterRevision, sent: number): void {
  if (revision !== sent) successors.set(`${id} ${sent}`, revision);
}

/** Changes the name, the canonical issue or the status of a cluster. */
export function patchCluster(
  changed: ClusterRevision,
  patch: Omit<ClusterPatch, 'revision'>,
): Promise<Cluster> {
  return runInTurn(async () => {
    const revision = currentRevision(changed);
    const body = { revision, ...patch };
    const result = await api('PATCH', `/clusters/${changed.id}`, { body, schema: clusterSchema });
    keepRevision(result, revision);
    return result;
  });
}

function changeMembers(
  changed: ClusterRevision,
  action: 'include' | 'exclude' | 'split' | 'merge',
  fields: () => object,
): Promise<ClusterChanged> {
  return runInTurn(async () => {
    const revision = currentRevision(changed);
    const body = { revision, ...fields() };
    const path = `/clusters/${changed.id}/${action}` as const;
    const result = await api('POST', path, { body, schema: clusterChanged });
    if (result.cluster !== null) keepRevision(result.cluster, revision);
    return result;
  });
}

/**
 * Adds an issue to a cluster. If the issue belongs to another cluster, removes it from that
 * cluster.
 */
export function includeIssue(changed: ClusterRevision, issueId: string): Promise<ClusterChanged> {
  return changeMembers(changed, 'include', () => ({ issue_id: issueId }));
}

/** Removes an issue from a cluster. The issue will not be suggested for this cluster again. */
export function excludeIssue(changed: ClusterRevision, issueId: string): Promise<ClusterChanged> {
  return changeMembers(changed, 'exclude', () => ({ issue_id: issueId }));
}

/** Splits a cluster: separates the given issues from its other issues. */
export function splitCluster(changed: ClusterRevision, issueIds: readonly string[]): Promise<ClusterChanged> {
  return changeMembers(changed, 'split', () => ({ issue_ids: issueIds }));
}

/** Undoes the inclusion or exclusion of an issue, or the split or merge of clusters. */
export function undoMembers(actionId: string): Promise<ClusterChanged> {
  return runInTurn(() =>
    api('POST', '/clusters/undo', { body: { action_id: actionId }, schema: clusterChanged }),
  );
}

/** Moves all issues of `other` into the cluster `changed`. The cluster `other` is then removed. */
export function mergeClusters(changed: ClusterRevision, other: ClusterRevision): Promise<ClusterChanged> {
  return changeMembers(changed, 'merge', () => ({
    other_id: other.id,
    other_revision: currentRevision(other),
  }));
}

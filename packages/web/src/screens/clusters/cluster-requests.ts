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

/** A cluster as displayed. The server refuses a change of an older revision. */
export type ClusterRevision = Pick<Cluster, 'id' | 'revision'>;

/** Revisions created by changes of this page, by cluster and the revision that each replaced. */
const successors = new Map<string, number>();

/**
 * Returns the revision to send. Changes that this page has made since do not make a revision
 * outdated; changes of others do.
 */
function currentRevision({ id, revision }: ClusterRevision): number {
  const next = successors.get(`${id} ${revision}`);
  return next === undefined ? revision : currentRevision({ id, revision: next });
}

/** Requests are sent one after the other, so that each knows the revision of the one before. */
let lastRequest: Promise<unknown> = Promise.resolve();

/** Resolves when the server has answered all changes. */
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

/** Adds an issue to a cluster, and removes it from the one that it is in. */
export function includeIssue(changed: ClusterRevision, issueId: string): Promise<ClusterChanged> {
  return changeMembers(changed, 'include', () => ({ issue_id: issueId }));
}

/** Removes an issue from a cluster. It is not suggested for it again. */
export function excludeIssue(changed: ClusterRevision, issueId: string): Promise<ClusterChanged> {
  return changeMembers(changed, 'exclude', () => ({ issue_id: issueId }));
}

/** Separates issues from the rest of their cluster. */
export function splitCluster(changed: ClusterRevision, issueIds: readonly string[]): Promise<ClusterChanged> {
  return changeMembers(changed, 'split', () => ({ issue_ids: issueIds }));
}

/**
 * Undoes an include, exclude, split or merge. The revisions that follow are known to this page.
 */
export function undoMembers(actionId: string): Promise<ClusterChanged> {
  return runInTurn(() =>
    api('POST', '/clusters/undo', { body: { action_id: actionId }, schema: clusterChanged }),
  );
}

/** Moves the issues of another cluster into a cluster. The other cluster ends. */
export function mergeClusters(changed: ClusterRevision, other: ClusterRevision): Promise<ClusterChanged> {
  return changeMembers(changed, 'merge', () => ({
    other_id: other.id,
    other_revision: currentRevision(other),
  }));
}

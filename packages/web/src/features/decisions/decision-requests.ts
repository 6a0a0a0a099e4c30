import { QueryObserver } from '@tanstack/react-query';
import {
  CHANGE_STATUSES,
  type Change,
  type ChangeStatus,
  change,
  type ProposalPayload,
  type ResolutionPayload,
  resolutionResult,
} from '@winnow/contract/change';
import {
  type ClusterResolution,
  type ClustersResolution,
  type ClustersResolved,
  clusterResolved,
  clustersResolved,
} from '@winnow/contract/cluster';
import { type ComplianceUpdate, complianceUpdated } from '@winnow/contract/compliance';
import { type CommitRequest, type CommitResult, commitResult } from '@winnow/contract/dependency';
import type { Pair, PairList } from '@winnow/contract/duplicate';
import { queryClient } from '../../api/query/query-client.ts';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';
import { withoutPair } from '../pairs/list-cache.ts';
import { pairKeyOf } from '../pairs/pair-key.ts';
import { recordDecidedAt } from './local-decisions.ts';
import { changeOptions } from './queries.ts';

/** Decision requests that await a response of the server. */
const pendingRequests = new Set<Promise<unknown>>();

/** Adds a request to those that `whenRequestsSettle` waits for. */
export function trackRequest<T>(call: Promise<T>): Promise<T> {
  pendingRequests.add(call);
  const arrived = () => pendingRequests.delete(call);
  call.then(arrived, arrived);
  return call;
}

/**
 * Resolves when the server has responded to all pending decisions. Wait for this before a request
 * that must not overtake them.
 */
export async function whenRequestsSettle(): Promise<void> {
  await Promise.allSettled(pendingRequests);
}

/** Invalidates the queries that a decision affects. */
function refreshDecided(): void {
  const { pairs, clusters, changes, issues, compliance, dependencies } = queryKeys;
  for (const { all } of [pairs, clusters, changes, issues, compliance, dependencies]) {
    void queryClient.invalidateQueries({ queryKey: all });
  }
}

/**
 * Waits until a change is settled, that is, until its writes have ended. Live events trigger the
 * refetches. Rejects if the change cannot be read.
 */
function whenSettled(changeId: string): Promise<Change> {
  const observer = new QueryObserver(queryClient, { ...changeOptions(changeId), staleTime: 0 });
  return new Promise((resolve, reject) => {
    const leave = observer.subscribe(({ data, error, isFetching }) => {
      if (data !== undefined && CHANGE_STATUSES[data.status].settled) finish(() => resolve(data));
      else if (error !== null && !isFetching) finish(() => reject(error));
    });
    function finish(complete: () => void) {
      leave();
      complete();
    }
  });
}

/** Stores a change in the query cache and waits until the change is settled. */
async function settled(known: Change): Promise<Change> {
  queryClient.setQueryData(changeOptions(known.id).queryKey, known);
  return CHANGE_STATUSES[known.status].settled ? known : whenSettled(known.id);
}

/** Sends a request that writes to trackers, and waits until the resulting change is settled. */
async function carriedOut(
  call: () => Promise<{ change_id: string; status: ChangeStatus }>,
  onUnderWay: (changeId: string) => void,
): Promise<Change> {
  const at = Date.now();
  try {
    const result = await trackRequest(call());
    recordDecidedAt(result.change_id, at);
    if (result.status !== 'applied') onUnderWay(result.change_id);
    return await whenSettled(result.change_id);
  } catch (error) {
    // The server refuses a request if an issue has changed, so invalidate the previews.
    void queryClient.invalidateQueries({ queryKey: queryKeys.previews.all });
    throw error;
  } finally {
    refreshDecided();
  }
}

/**
 * Resolves a pair and waits until the change is settled. Calls `onUnderWay` with the change id if
 * writing takes time. The returned change may be applied, partly applied or failed. Throws
 * `ApiError` if nothing was started.
 */
export function resolvePair(
  payload: ResolutionPayload,
  onUnderWay: (changeId: string) => void = () => undefined,
): Promise<Change> {
  return carriedOut(
    () => api('PATCH', '/issue-duplicates/execute-resolution', { body: payload, schema: resolutionResult }),
    onUnderWay,
  );
}

/**
 * Closes the issues of a cluster as duplicates. Parameters and result are like those of
 * `resolvePair`.
 */
export function resolveCluster(
  clusterId: string,
  payload: ClusterResolution,
  onUnderWay: (changeId: string) => void,
): Promise<Change> {
  const send = async () => {
    const path = `/clusters/${clusterId}/resolve` as const;
    const { change: started } = await api('POST', path, { body: payload, schema: clusterResolved });
    return { change_id: started.id, status: started.status };
  };
  return carriedOut(send, onUnderWay);
}

/**
 * Starts to resolve clusters, each in a separate change. Returns the changes and the skipped
 * clusters.
 */
export async function resolveClusters(body: ClustersResolution): Promise<ClustersResolved> {
  const at = Date.now();
  try {
    const result = await trackRequest(api('POST', '/clusters/resolve', { body, schema: clustersResolved }));
    for (const { change_id } of result.changes) recordDecidedAt(change_id, at);
    return result;
  } finally {
    refreshDecided();
  }
}

/**
 * Updates the title and description of an issue. `onUnderWay` and the result are like those of
 * `resolvePair`.
 */
export function updateIssue(
  issueId: string,
  update: ComplianceUpdate,
  onUnderWay: (changeId: string) => void,
): Promise<Change> {
  return carriedOut(
    () => api('PATCH', `/issue_compliance_update/${issueId}`, { body: update, schema: complianceUpdated }),
    onUnderWay,
  );
}

/**
 * Commits dependencies to their trackers, each as a separate change. Returns the results after at
 * most ten seconds; some changes may still be pending. Throws `ApiError` if nothing was started.
 */
export async function commitDependencies(dependencies: CommitRequest['dependencies']): Promise<CommitResult> {
  const at = Date.now();
  try {
    const result = await trackRequest(
      api('POST', '/issue-dependencies/commit', { body: { dependencies }, schema: commitResult }),
    );
    for (const { change_id } of [...result.dependencies, ...result.failed, ...result.pending]) {
      if (change_id !== null) recordDecidedAt(change_id, at);
    }
    return result;
  } finally {
    refreshDecided();
  }
}

/** Retries the failed steps of a change and waits until it is settled. */
export async function retryChange(changeId: string): Promise<Change> {
  try {
    return await settled(await api('POST', `/changes/${changeId}/retry`, { schema: change }));
  } finally {
    refreshDecided();
  }
}

/**
 * Saves a resolution as a proposal, without writing to trackers. Throws `ApiError` if the server
 * refuses the proposal.
 */
export async function proposeResolution(payload: ProposalPayload): Promise<Change> {
  try {
    return await trackRequest(
      api('PATCH', '/issue-duplicates/propose-resolution', { body: payload, schema: change }),
    );
  } catch (error) {
    void queryClient.invalidateQueries({ queryKey: queryKeys.previews.all });
    throw error;
  } finally {
    refreshDecided();
  }
}

/**
 * Approves a proposal and waits until the change is settled. Throws `ApiError` if nothing was
 * started.
 */
export async function approveChange(changeId: string): Promise<Change> {
  try {
    return await settled(await trackRequest(api('POST', `/changes/${changeId}/apply`, { schema: change })));
  } finally {
    refreshDecided();
  }
}

/** Rejects a proposal. */
export async function rejectChange(changeId: string): Promise<Change> {
  try {
    return await settled(await trackRequest(api('POST', `/changes/${changeId}/reject`, { schema: change })));
  } finally {
    refreshDecided();
  }
}

/**
 * Undoes a change, waits until the undo is settled, and returns it. Calls `onAccepted` once the
 * server has recorded the undo.
 */
export async function undoChange(
  changeId: string,
  onAccepted: () => void = () => undefined,
): Promise<Change> {
  try {
    const undo = await trackRequest(api('POST', `/changes/${changeId}/undo`, { schema: change }));
    onAccepted();
    return await settled(undo);
  } finally {
    refreshDecided();
  }
}

/**
 * Sends the request to dismiss or restore a pair. If the pair belongs to a series, the request
 * applies to the whole series.
 */
function requestDismissal(pair: Pair, action: 'dismiss' | 'restore'): Promise<unknown> {
  return pair.series === null
    ? api('POST', `/issue-duplicates/${action}`, { body: pairKeyOf(pair) })
    : api('POST', `/issue-duplicates/series/${pair.series.id}/${action}`);
}

/**
 * Dismisses or restores a pair. If the pair belongs to a series, all pairs of the series are
 * affected. Removes the pair from cached lists immediately, and rolls back if the request fails.
 */
export async function setDismissed(pair: Pair, dismissed: boolean): Promise<void> {
  const call = trackRequest(requestDismissal(pair, dismissed ? 'dismiss' : 'restore'));
  await queryClient.cancelQueries({ queryKey: queryKeys.pairs.allLists });
  const before = queryClient.getQueriesData<PairList>({ queryKey: queryKeys.pairs.allLists });
  queryClient.setQueriesData<PairList>(
    { queryKey: queryKeys.pairs.allLists },
    (list) => list && withoutPair(list, pair.id),
  );
  try {
    await call;
  } catch (error) {
    for (const [key, list] of before) queryClient.setQueryData(key, list);
    throw error;
  } finally {
    refreshDecided();
  }
}

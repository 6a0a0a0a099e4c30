import { queryOptions, useQuery } from '@tanstack/react-query';
import { dependencyGraph, dependencyList, dismissedList, extendedScan } from '@winnow/contract/dependency';
import { issueDetail } from '@winnow/contract/issue-detail';
import { queryClient } from '../../api/query/query-client.ts';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/**
 * Polling interval while a model or tracker is still responding, in case live events are
 * interrupted.
 */
const POLL_INTERVAL_MS = 4_000;

/**
 * Scans issues for dependencies. If `refresh` is true, the server reads links from the trackers
 * again.
 */
export async function scanIssues(issueIds: readonly string[], refresh: boolean, signal?: AbortSignal) {
  const body = { issue_ids: issueIds, refresh };
  const scan = await api('POST', '/issue-dependencies/detect', {
    body,
    schema: dependencyList,
    ...(signal === undefined ? {} : { signal }),
  });
  // The server stores the result of a scan, so graphs may have changed.
  void queryClient.invalidateQueries({ queryKey: queryKeys.dependencies.graphs() });
  return scan;
}

/**
 * Scans up to `extendBy` more issues of the project, starting with the issues most similar to
 * `issueId`.
 */
export async function scanFurther(scanned: readonly string[], issueId: string, extendBy: number) {
  // Move `issueId` to the end: the server searches for issues similar to the last ids.
  const issueIds = [...scanned.filter((other) => other !== issueId), issueId];
  const found = await api('POST', '/issue-dependencies/extend', {
    body: { issue_ids: issueIds, extend_by: extendBy },
    schema: extendedScan,
  });
  void queryClient.invalidateQueries({ queryKey: queryKeys.dependencies.graphs() });
  return found;
}

/** Returns a query that scans issues for dependencies. The order of the ids does not matter. */
export function scanOptions(issueIds: readonly string[]) {
  const ids = issueIds.toSorted();
  return queryOptions({
    queryKey: queryKeys.dependencies.scan(ids),
    queryFn: ({ signal }) => scanIssues(ids, false, signal),
    refetchInterval: ({ state }) => (state.data?.checking === true ? POLL_INTERVAL_MS : false),
  });
}

/** Returns a query for an issue, with its texts and all its known dependencies. */
export function issueDetailOptions(issueId: string) {
  return queryOptions({
    queryKey: queryKeys.dependencies.ofIssue(issueId),
    queryFn: ({ signal }) => api('GET', `/issues/${issueId}`, { schema: issueDetail, signal }),
  });
}

/** Loads the dependency graph of a project. Sends no request while `projectId` is null. */
export function useGraph(projectId: string | null) {
  return useQuery({
    queryKey: queryKeys.dependencies.graph(projectId ?? ''),
    queryFn: ({ signal }) =>
      api('GET', '/issue-dependencies', {
        query: { project_id: projectId ?? undefined },
        schema: dependencyGraph,
        signal,
      }),
    enabled: projectId !== null,
  });
}

/** Loads the dismissed dependencies of a project. */
export function useDismissed(projectId: string) {
  return useQuery({
    queryKey: queryKeys.dependencies.dismissed(projectId),
    queryFn: ({ signal }) =>
      api('GET', '/issue-dependencies/dismissed', {
        query: { project_id: projectId },
        schema: dismissedList,
        signal,
      }),
  });
}

/** Refetches all data about dependencies. */
export function refreshDependencies(): void {
  void queryClient.invalidateQueries({ queryKey: queryKeys.dependencies.all });
}

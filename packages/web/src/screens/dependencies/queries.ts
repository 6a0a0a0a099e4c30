import { queryOptions, useQuery } from '@tanstack/react-query';
import { dependencyGraph, dependencyList, dismissedList, extendedScan } from '@winnow/contract/dependency';
import { issueDetail } from '@winnow/contract/issue-detail';
import { queryClient } from '../../api/query/query-client.ts';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/**
 * Poll interval while a model or tracker is still responding. A fallback in case the live channel
 * is down.
 */
const POLL_INTERVAL_MS = 4_000;

/** Scans issues for dependencies. With `refresh`, links are read from the trackers again. */
export async function scanIssues(issueIds: readonly string[], refresh: boolean, signal?: AbortSignal) {
  const body = { issue_ids: issueIds, refresh };
  const scan = await api('POST', '/issue-dependencies/detect', {
    body,
    schema: dependencyList,
    ...(signal === undefined ? {} : { signal }),
  });
  // The server stores scan results, so graphs may have changed.
  void queryClient.invalidateQueries({ queryKey: queryKeys.dependencies.graphs() });
  return scan;
}

/**
 * Scans up to `extendBy` more issues of the project, starting with those most similar to `issueId`.
 */
export async function scanFurther(scanned: readonly string[], issueId: string, extendBy: number) {
  // The server searches for issues similar to the last ids.
  const issueIds = [...scanned.filter((other) => other !== issueId), issueId];
  const found = await api('POST', '/issue-dependencies/extend', {
    body: { issue_ids: issueIds, extend_by: extendBy },
    schema: extendedScan,
  });
  void queryClient.invalidateQueries({ queryKey: queryKeys.dependencies.graphs() });
  return found;
}

/** Returns a query for the dependencies of these issues. The order of the ids does not matter. */
export function scanOptions(issueIds: readonly string[]) {
  const ids = issueIds.toSorted();
  return queryOptions({
    queryKey: queryKeys.dependencies.scan(ids),
    queryFn: ({ signal }) => scanIssues(ids, false, signal),
    refetchInterval: ({ state }) => (state.data?.checking === true ? POLL_INTERVAL_MS : false),
  });
}

/** Returns a query for an issue with its text and all known dependencies. */
export function issueDetailOptions(issueId: string) {
  return queryOptions({
    queryKey: queryKeys.dependencies.ofIssue(issueId),
    queryFn: ({ signal }) => api('GET', `/issues/${issueId}`, { schema: issueDetail, signal }),
  });
}

/** Loads the dependency graph of a project. Idle while `projectId` is null. */
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

/** Reloads all dependency data. */
export function refreshDependencies(): void {
  void queryClient.invalidateQueries({ queryKey: queryKeys.dependencies.all });
}

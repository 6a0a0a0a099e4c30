import { queryOptions, useQuery } from '@tanstack/react-query';
import { dependencyGraph, dependencyList, dismissedList, extendedScan } from '@winnow/contract/dependency';
import { issueDetail } from '@winnow/contract/issue-detail';
import { queryClient } from '../../api/query/query-client.ts';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/**
 * The live channel tells when a model has read; this often it is asked for anyway, in case the line
 * is down.
 */
const CHECK_AGAIN_MS = 4_000;

/**
 * Scans issues for dependencies among them; with `refresh` the trackers are asked for their links
 * again.
 */
export async function scanIssues(issueIds: readonly string[], refresh: boolean, signal?: AbortSignal) {
  const body = { issue_ids: issueIds, refresh };
  const scan = await api('POST', '/issue-dependencies/detect', {
    body,
    schema: dependencyList,
    ...(signal === undefined ? {} : { signal }),
  });
  // What a scan finds is kept, and graphs are made of that.
  void queryClient.invalidateQueries({ queryKey: queryKeys.dependencies.graphs() });
  return scan;
}

/**
 * Scans up to `extendBy` further issues of the project, those nearest in meaning to `issueId`
 * first.
 */
export async function scanFurther(scanned: readonly string[], issueId: string, extendBy: number) {
  // The last ones are what the server looks for the nearest of.
  const issueIds = [...scanned.filter((other) => other !== issueId), issueId];
  const found = await api('POST', '/issue-dependencies/extend', {
    body: { issue_ids: issueIds, extend_by: extendBy },
    schema: extendedScan,
  });
  void queryClient.invalidateQueries({ queryKey: queryKeys.dependencies.graphs() });
  return found;
}

/** The dependencies among these issues, whatever their order. */
export function scanOptions(issueIds: readonly string[]) {
  const ids = issueIds.toSorted();
  return queryOptions({
    queryKey: queryKeys.dependencies.scan(ids),
    queryFn: ({ signal }) => scanIssues(ids, false, signal),
    refetchInterval: ({ state }) => (state.data?.checking === true ? CHECK_AGAIN_MS : false),
  });
}

/** An issue with its text and every dependency that is known of it. */
export function issueDetailOptions(issueId: string) {
  return queryOptions({
    queryKey: queryKeys.dependencies.ofIssue(issueId),
    queryFn: ({ signal }) => api('GET', `/issues/${issueId}`, { schema: issueDetail, signal }),
  });
}

/** Loads the dependencies of a project. Waits while the project is null. */
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

/** Asks again for all that is known of dependencies. */
export function refreshDependencies(): void {
  void queryClient.invalidateQueries({ queryKey: queryKeys.dependencies.all });
}

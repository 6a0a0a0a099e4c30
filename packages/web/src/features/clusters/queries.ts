import { queryOptions, useQuery } from '@tanstack/react-query';
import { clusterDetail, clusterList } from '@winnow/contract/cluster';
import { type KeyFilters, queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/** Returns the query for a page of clusters. */
export function clusterListOptions(filters: KeyFilters) {
  return queryOptions({
    queryKey: queryKeys.clusters.list(filters),
    queryFn: ({ signal }) => api('GET', '/clusters', { query: filters, schema: clusterList, signal }),
  });
}

/** Returns the query for a cluster with its issues and links. */
export function clusterOptions(clusterId: string) {
  return queryOptions({
    queryKey: queryKeys.clusters.detail(clusterId),
    queryFn: ({ signal }) => api('GET', `/clusters/${clusterId}`, { schema: clusterDetail, signal }),
  });
}

/**
 * Finds the cluster that contains an issue. Includes clusters of every status. Null if no cluster
 * contains the issue.
 */
export function useClusterOfIssue(issueId: string | null) {
  return useQuery({
    ...clusterListOptions({
      issue_id: issueId ?? undefined,
      status: 'all',
      probability_threshold: 0,
      limit: 1,
    }),
    enabled: issueId !== null,
    select: ({ clusters }) => clusters[0] ?? null,
  });
}

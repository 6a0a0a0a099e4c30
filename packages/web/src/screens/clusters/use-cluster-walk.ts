import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Cluster, ClusterDetail, ClusterList } from '@winnow/contract/cluster';
import { useEffect, useEffectEvent, useRef } from 'react';
import { clusterListOptions, clusterOptions } from '../../features/clusters/queries.ts';
import type { ScreenNavigation } from '../../ui/address/use-screen-search.ts';
import { type ListWalk, useListWalk } from '../../ui/data-list/use-list-walk.ts';
import { followClusterUndos } from './cluster-actions.ts';
import { whenChangesSettle } from './cluster-requests.ts';
import { type ClustersSearch, listFilters, PAGE_SIZE, serializeSearch } from './search-params.ts';

/**
 * Time after a decision during which a cluster counts as decided, even if the list still contains
 * it. After this time, the decision has probably failed.
 */
const DECIDED_MS = 10_000;

/** Keyboard navigation between the clusters of the list. */
export type ClusterWalk = ListWalk & {
  /**
   * Returns the current cluster, from the list or from the open panel. Null if the cluster is not
   * displayed.
   */
  shownCluster: () => Cluster | null;
  /** The cluster in the open panel; undefined while it loads. */
  detail: ClusterDetail | undefined;
};

/** Navigates within a page, across pages, and to the next undecided cluster after a decision. */
export function useClusterWalk(
  list: ClusterList | undefined,
  { search, go }: ScreenNavigation<ClustersSearch>,
): ClusterWalk {
  const cache = useQueryClient();
  const clusters = list?.clusters ?? [];
  const { page, selectedCluster } = search;
  // Time of the latest decision on each cluster. A list loaded shortly afterwards may still contain
  // the cluster.
  const decidedAt = useRef(new Map<string, number>());
  const isPending = ({ id, status }: Cluster) => {
    const at = decidedAt.current.get(id);
    const isListed = search.status === 'all' ? status === 'to_decide' : status === search.status;
    return isListed && (at === undefined || performance.now() - at >= DECIDED_MS);
  };
  const pageOptions = (target: number) => clusterListOptions(listFilters({ ...search, page: target }));
  const walk = useListWalk({
    ids: clusters.map(({ id }) => id),
    page,
    pageSize: PAGE_SIZE,
    total: list?.total ?? 0,
    selectedId: selectedCluster,
    listName: String(serializeSearch({ ...search, selectedCluster: null })),
    isPending: (id) => clusters.some((cluster) => cluster.id === id && isPending(cluster)),
    go: (place, options) => go({ ...search, page: place.page, selectedCluster: place.selectedId }, options),
    edgeOf: async (target, step) => {
      const { clusters: listed } = await cache.fetchQuery(pageOptions(target));
      return listed.at(step === 1 ? 0 : -1)?.id;
    },
    nextPending: async () => {
      await whenChangesSettle();
      // Most lists omit decided clusters, so clusters of the next page may have moved to this page.
      // This page may also be empty.
      for (const target of [page, page + 1, page - 1]) {
        if (target < 1) continue;
        const { clusters: listed } = await cache.fetchQuery({ ...pageOptions(target), staleTime: 0 });
        const pending = listed.find(isPending);
        if (pending !== undefined) return { id: pending.id, page: target };
      }
      return undefined;
    },
  });
  const { data: detail } = useQuery({
    ...clusterOptions(selectedCluster ?? ''),
    enabled: selectedCluster !== null,
  });

  // After an undo, display the cluster again.
  const arrive = useEffectEvent((clusterId: string) => {
    if (decidedAt.current.delete(clusterId)) walk.show(clusterId);
  });
  useEffect(() => followClusterUndos((clusterId) => arrive(clusterId)), []);

  const listed = clusters.find(({ id }) => id === walk.currentId);
  return {
    ...walk,
    leave: (id) => {
      decidedAt.current.set(id, performance.now());
      walk.leave(id);
    },
    show: (id) => {
      decidedAt.current.delete(id);
      walk.show(id);
    },
    shownCluster: () => {
      if (selectedCluster === null) return listed ?? null;
      return detail === undefined || detail.id !== walk.currentId ? null : detail;
    },
    detail: detail?.id === selectedCluster ? detail : undefined,
  };
}

import { queryOptions, useQuery } from '@tanstack/react-query';
import {
  duplicateStats,
  LIKELIHOOD,
  type PairScope,
  pairDetail,
  pairList,
  SIMILARITY,
  type StandingFilter,
} from '@winnow/contract/duplicate';
import { type KeyFilters, queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';
import { PAGE_SIZE, type PairStatus, SEARCH_DEFAULTS, type SimilaritySearch } from './pair-search.ts';

/**
 * Converts a status filter to API parameters. The filter selects pairs by whether each issue is
 * open or closed.
 */
export function standingFilters(status: PairStatus): {
  status?: 'closed' | 'all';
  standing?: StandingFilter;
} {
  return status === 'closed' || status === 'all' ? { status } : { standing: status };
}

/** Converts a search to API parameters for one page of pairs. */
export function listFilters(search: SimilaritySearch): KeyFilters {
  return {
    limit: PAGE_SIZE,
    skip: (search.page - 1) * PAGE_SIZE,
    project_ids: search.projects,
    ...standingFilters(search.status),
    resolution: search.resolution,
    ...(search.probability === null ? { above_mark: true } : { probability_threshold: search.probability }),
    order_by: 'probability',
    // Without a search text, list one pair per series. With a search text, list every matching
    // pair.
    one_per_series: search.query === SEARCH_DEFAULTS.query,
    scope: search.scope,
    query: search.query === SEARCH_DEFAULTS.query ? undefined : search.query,
    dismissed: search.dismissed,
  };
}

/** Returns a query for one page of pairs. */
export function pairListOptions(search: SimilaritySearch) {
  const filters = listFilters(search);
  return queryOptions({
    queryKey: queryKeys.pairs.list(filters),
    queryFn: ({ signal }) => api('GET', '/issue-duplicates', { query: filters, schema: pairList, signal }),
  });
}

/**
 * Returns the query for a pair, with the texts of both issues and the evidence of their similarity.
 */
export function pairOptions(pairId: string) {
  return queryOptions({
    queryKey: [...queryKeys.pairs.all, 'pair', pairId],
    queryFn: ({ signal }) => api('GET', `/issue-duplicates/${pairId}`, { schema: pairDetail, signal }),
  });
}

/**
 * Returns the number of pairs in the queue. Uses the same query as the list, so that both numbers
 * agree.
 */
export function usePairsCount() {
  return useQuery({ ...pairListOptions(SEARCH_DEFAULTS), select: ({ total }) => total });
}

/**
 * Returns the account's threshold for the queue: the minimum probability of its pairs. Returns the
 * built-in default while loading.
 */
export function useMark(): number {
  const { data } = useQuery({ ...pairListOptions(SEARCH_DEFAULTS), select: ({ mark }) => mark });
  return data ?? LIKELIHOOD.queue;
}

/**
 * Returns a query for the number of issues with unresolved pairs, by project. The status and scope
 * filters of the list apply.
 */
export function pairStatsOptions(status: PairStatus, scope: PairScope) {
  const filters = {
    ...standingFilters(status),
    scope,
    similarity_threshold: SIMILARITY.stored,
    above_mark: true,
    // Count a series once, since the list shows a series as one row.
    one_per_series: true,
  };
  return queryOptions({
    queryKey: queryKeys.pairs.stats(filters),
    queryFn: ({ signal }) =>
      api('GET', '/project-duplicate-stats', { query: filters, schema: duplicateStats, signal }),
  });
}

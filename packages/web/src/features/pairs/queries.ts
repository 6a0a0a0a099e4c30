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

/** Returns the API's filters for the state of both issues. */
export function standingFilters(status: PairStatus): {
  status?: 'closed' | 'all';
  standing?: StandingFilter;
} {
  return status === 'closed' || status === 'all' ? { status } : { standing: status };
}

/** Returns the API's filters for a page of pairs. */
export function listFilters(search: SimilaritySearch): KeyFilters {
  return {
    limit: PAGE_SIZE,
    skip: (search.page - 1) * PAGE_SIZE,
    project_ids: search.projects,
    ...standingFilters(search.status),
    resolution: search.resolution,
    ...(search.probability === null ? { above_mark: true } : { probability_threshold: search.probability }),
    order_by: 'probability',
    // A search lists every pair that it finds.
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

/** Returns the query for a pair with both texts and the evidence of their similarity. */
export function pairOptions(pairId: string) {
  return queryOptions({
    queryKey: [...queryKeys.pairs.all, 'pair', pairId],
    queryFn: ({ signal }) => api('GET', `/issue-duplicates/${pairId}`, { schema: pairDetail, signal }),
  });
}

/**
 * Returns the number of pairs in the queue. Shares its query with the list, so that both always
 * agree.
 */
export function usePairsCount() {
  return useQuery({ ...pairListOptions(SEARCH_DEFAULTS), select: ({ total }) => total });
}

/**
 * Returns the account's mark: the minimum probability of pairs in the queue. While it loads,
 * returns the shipped default.
 */
export function useMark(): number {
  const { data } = useQuery({ ...pairListOptions(SEARCH_DEFAULTS), select: ({ mark }) => mark });
  return data ?? LIKELIHOOD.queue;
}

/**
 * Returns a query for the statistics per project: issues in at least one unresolved pair, for the
 * status and scope of a list.
 */
export function pairStatsOptions(status: PairStatus, scope: PairScope) {
  const filters = {
    ...standingFilters(status),
    scope,
    similarity_threshold: SIMILARITY.stored,
    above_mark: true,
    // The list shows a series as one row.
    one_per_series: true,
  };
  return queryOptions({
    queryKey: queryKeys.pairs.stats(filters),
    queryFn: ({ signal }) =>
      api('GET', '/project-duplicate-stats', { query: filters, schema: duplicateStats, signal }),
  });
}

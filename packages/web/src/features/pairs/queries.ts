import { queryOptions, useQuery } from '@tanstack/react-query';
import { pairList } from '@winnow/contract/duplicate';
import { type KeyFilters, queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';
import { PAGE_SIZE, SEARCH_DEFAULTS, type SimilaritySearch, TO_DECIDE } from './pair-search.ts';

function listFilters(search: SimilaritySearch): KeyFilters {
  return {
    limit: PAGE_SIZE,
    skip: (search.page - 1) * PAGE_SIZE,
    project_ids: search.projects,
    status: search.status,
    resolution: search.resolution,
    similarity_threshold: search.threshold,
    scope: search.scope,
    query: search.query === SEARCH_DEFAULTS.query ? undefined : search.query,
    dismissed: search.dismissed,
  };
}

/** Query for one page of pairs. */
export function pairListOptions(search: SimilaritySearch) {
  const filters = listFilters(search);
  return queryOptions({
    queryKey: queryKeys.pairs.list(filters),
    queryFn: ({ signal }) => api('GET', '/issue-duplicates', { query: filters, schema: pairList, signal }),
  });
}

/**
 * Number of pairs to decide. Shares its query with the list behind "To decide", so that both always
 * agree.
 */
export function usePairsCount() {
  return useQuery({ ...pairListOptions(TO_DECIDE), select: ({ total }) => total });
}

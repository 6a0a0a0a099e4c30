import { useQuery } from '@tanstack/react-query';
import { tracker } from '@winnow/contract/tracker';
import { changeListOptions } from '../../console/ledger/queries.ts';
import { pairListOptions } from '../../console/similarity/queries.ts';
import { SEARCH_DEFAULTS } from '../../console/similarity/search-params.ts';
import { queryKeys } from '../query-keys.ts';
import { api } from '../session/session.ts';

/** The connected trackers, kept up to date by the live channel. The Trackers screen shares this query. */
export function useTrackers() {
  return useQuery({
    queryKey: queryKeys.trackers.list(),
    queryFn: ({ signal }) => api('GET', '/trackers', { schema: tracker.array(), signal }),
  });
}

/** How many pairs Issue Similarity lists when it opens. Its list is this very query, so that the two never differ. */
export function usePairsCount() {
  return useQuery({ ...pairListOptions(SEARCH_DEFAULTS), select: ({ total }) => total });
}

/** How many proposals wait for somebody to approve or reject them. */
export function useProposalsCount() {
  return useQuery({
    ...changeListOptions({ status: 'proposed', limit: 1 }),
    select: ({ total }) => total,
  });
}

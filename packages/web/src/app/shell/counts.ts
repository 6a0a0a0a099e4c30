import { useQuery } from '@tanstack/react-query';
import { tracker } from '@winnow/contract/tracker';
import { changeListOptions } from '../../console/ledger/queries.ts';
import { pairListOptions } from '../../console/similarity/queries.ts';
import { TO_DECIDE } from '../../console/similarity/search-params.ts';
import { queryKeys } from '../query-keys.ts';
import { api } from '../session/session.ts';

/** The connected trackers, kept up to date by the live channel. The Trackers screen shares this query. */
export function useTrackers() {
  return useQuery({
    queryKey: queryKeys.trackers.list(),
    queryFn: ({ signal }) => api('GET', '/trackers', { schema: tracker.array(), signal }),
  });
}

/** Pairs to decide. The list behind "To decide" runs this very query, so that the number and the list never differ. */
export function usePairsCount() {
  return useQuery({ ...pairListOptions(TO_DECIDE), select: ({ total }) => total });
}

/** How many proposals wait for somebody to approve or reject them. */
export function useProposalsCount() {
  return useQuery({
    ...changeListOptions({ status: 'proposed', limit: 1 }),
    select: ({ total }) => total,
  });
}

import { useQuery } from '@tanstack/react-query';
import { pairList } from '@winnow/contract/duplicate';
import { tracker } from '@winnow/contract/tracker';
import { queryKeys } from '../query-keys.ts';
import { api } from '../session/session.ts';

/** The connected trackers, kept up to date by the live channel. The Trackers screen shares this query. */
export function useTrackers() {
  return useQuery({
    queryKey: queryKeys.trackers.list(),
    queryFn: ({ signal }) => api('GET', '/trackers', { schema: tracker.array(), signal }),
  });
}

/** How many pairs Issue Similarity lists when it opens: the list's own default filters. */
export function usePairsCount() {
  const filters = { limit: 1 };
  return useQuery({
    queryKey: queryKeys.pairs.list(filters),
    queryFn: ({ signal }) => api('GET', '/issue-duplicates', { query: filters, schema: pairList, signal }),
    select: (list) => list.total,
  });
}

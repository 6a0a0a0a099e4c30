import { useQuery } from '@tanstack/react-query';
import { tracker } from '@winnow/contract/tracker';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/** The connected trackers, kept up to date by the live channel. The Trackers screen shares this query. */
export function useTrackers() {
  return useQuery({
    queryKey: queryKeys.trackers.list(),
    queryFn: ({ signal }) => api('GET', '/trackers', { schema: tracker.array(), signal }),
  });
}

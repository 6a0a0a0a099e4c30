import { useQuery } from '@tanstack/react-query';
import { tracker } from '@winnow/contract/tracker';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/** Returns the connected trackers. Live events keep the list up to date. */
export function useTrackers() {
  return useQuery({
    queryKey: queryKeys.trackers.list(),
    queryFn: ({ signal }) => api('GET', '/trackers', { schema: tracker.array(), signal }),
  });
}

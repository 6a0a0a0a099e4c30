import { queryOptions, useQuery } from '@tanstack/react-query';
import { currentUser } from '@winnow/contract/account';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/** Query for the signed-in user. */
export const currentUserOptions = queryOptions({
  queryKey: queryKeys.account.me(),
  queryFn: ({ signal }) => api('GET', '/auth/users/me', { schema: currentUser, signal }),
  // Users open the emailed link in another tab. Refetch when they return to this tab.
  staleTime: ({ state }) => (state.data?.must_confirm_email ? 0 : 5 * 60_000),
});

export function useCurrentUser() {
  return useQuery(currentUserOptions);
}

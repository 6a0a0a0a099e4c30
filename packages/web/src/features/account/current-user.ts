import { queryOptions, useQuery } from '@tanstack/react-query';
import { currentUser } from '@winnow/contract/account';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/** The query of who is signed in. */
export const currentUserOptions = queryOptions({
  queryKey: queryKeys.account.me(),
  queryFn: ({ signal }) => api('GET', '/auth/users/me', { schema: currentUser, signal }),
  // The link of the email is opened in another tab: its effect is shown on the way back.
  staleTime: ({ state }) => (state.data?.must_confirm_email ? 0 : 5 * 60_000),
});

/** Who is signed in. */
export function useCurrentUser() {
  return useQuery(currentUserOptions);
}

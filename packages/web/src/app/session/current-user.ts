import { useQuery } from '@tanstack/react-query';
import { currentUser } from '@winnow/contract/account';
import { queryKeys } from '../query-keys.ts';
import { api } from './session.ts';

/** Who is signed in. */
export function useCurrentUser() {
  return useQuery({
    queryKey: queryKeys.account.me(),
    queryFn: ({ signal }) => api('GET', '/auth/users/me', { schema: currentUser, signal }),
    staleTime: 5 * 60_000,
  });
}

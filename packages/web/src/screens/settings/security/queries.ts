import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PasswordChange } from '@winnow/contract/account';
import { accountEventPage, type Session, sessionList } from '@winnow/contract/account-activity';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { unlessGone } from '../../../api/session/api-error.ts';
import { api } from '../../../api/session/session.ts';
import { factorOf } from './second-factor/queries.ts';

/** Events on one page. */
export const EVENTS_PER_PAGE = 10;

/** Loads the active sessions of the user. */
export function useSessions() {
  return useQuery({
    queryKey: queryKeys.account.sessions(),
    queryFn: ({ signal }) => api('GET', '/auth/sessions', { schema: sessionList, signal }),
  });
}

/** Loads the security events of the account, newest first. */
export function useActivity(skip: number) {
  return useQuery({
    queryKey: queryKeys.account.activity(skip),
    queryFn: ({ signal }) =>
      api('GET', '/auth/activity', {
        query: { limit: EVENTS_PER_PAGE, skip },
        schema: accountEventPage,
        signal,
      }),
    placeholderData: (shown) => shown,
  });
}

/** Returns a function that reloads sessions and events. */
function useRefetch() {
  const cache = useQueryClient();
  return () =>
    Promise.all([
      cache.invalidateQueries({ queryKey: queryKeys.account.sessions() }),
      cache.invalidateQueries({ queryKey: queryKeys.account.allActivity }),
    ]);
}

export function useEndSession() {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: ({ id }: Session) => api('DELETE', `/auth/sessions/${id}`).catch(unlessGone),
    onSuccess: refetch,
  });
}

export function useEndOtherSessions() {
  const refetch = useRefetch();
  return useMutation({ mutationFn: () => api('DELETE', '/auth/sessions'), onSuccess: refetch });
}

/**
 * A password change, with the typed code of a user with a second factor. An empty code means a
 * passkey.
 */
type TypedPasswordChange = Omit<PasswordChange, 'code' | 'passkey'> & { typedCode?: string };

export function useChangePassword() {
  const cache = useQueryClient();
  const refetch = useRefetch();
  return useMutation({
    mutationFn: async ({ typedCode, ...body }: TypedPasswordChange) =>
      api('PUT', '/auth/users/me/password', {
        body: { ...body, ...(typedCode === undefined ? {} : await factorOf(typedCode)) },
      }),
    onSuccess: async (_, { revoke_api_keys, switch_off_flows }) => {
      if (revoke_api_keys) await cache.invalidateQueries({ queryKey: queryKeys.apiKeys.list() });
      if (switch_off_flows) await cache.invalidateQueries({ queryKey: queryKeys.flows.all });
      // Each passkey then needs the new password once.
      await cache.invalidateQueries({ queryKey: queryKeys.account.secondFactors() });
      await refetch();
    },
  });
}

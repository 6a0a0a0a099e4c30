import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { authenticatorSetup, recoveryCodes, secondFactors } from '@winnow/contract/second-factor';
import { queryKeys } from '../../../../api/query/query-keys.ts';
import { api } from '../../../../api/session/session.ts';

const PATH = '/auth/second-factors';

/** Loads the second factors of the user. */
export function useSecondFactors() {
  return useQuery({
    queryKey: queryKeys.account.secondFactors(),
    queryFn: ({ signal }) => api('GET', PATH, { schema: secondFactors, signal }),
  });
}

/** Requests the secret for a new authenticator app. */
export function useStartAuthenticator() {
  return useMutation({
    mutationFn: (password: string) =>
      api('POST', `${PATH}/authenticator`, {
        body: { current_password: password },
        schema: authenticatorSetup,
      }),
  });
}

/** Returns a function that reloads factors, sessions and events. Codes appear without waiting. */
function useRefetch() {
  const cache = useQueryClient();
  return () => {
    void cache.invalidateQueries({ queryKey: queryKeys.account.secondFactors() });
    void cache.invalidateQueries({ queryKey: queryKeys.account.sessions() });
    void cache.invalidateQueries({ queryKey: queryKeys.account.allActivity });
  };
}

/** Adds the app by its first code. Returns the recovery codes. */
export function useConfirmAuthenticator() {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: (code: string) =>
      api('POST', `${PATH}/authenticator/confirm`, { body: { code }, schema: recoveryCodes }),
    onSuccess: refetch,
    onError: refetch,
  });
}

/** Replaces the recovery codes. Returns the new ones. */
export function useRenewCodes() {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: (code: string) =>
      api('POST', `${PATH}/recovery-codes`, { body: { code }, schema: recoveryCodes }),
    onSuccess: refetch,
    onError: refetch,
  });
}

export function useRemoveAuthenticator() {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: (code: string) => api('POST', `${PATH}/authenticator/remove`, { body: { code } }),
    onSuccess: refetch,
    onError: refetch,
  });
}

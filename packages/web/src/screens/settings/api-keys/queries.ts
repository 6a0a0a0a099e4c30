import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ApiKey, type ApiKeyCreate, apiKeyList, createdApiKey } from '@winnow/contract/api-key';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { unlessGone } from '../../../api/session/api-error.ts';
import { api } from '../../../api/session/session.ts';

/** Loads the account's API keys, newest first. */
export function useApiKeys() {
  return useQuery({
    queryKey: queryKeys.apiKeys.list(),
    queryFn: ({ signal }) => api('GET', '/auth/api-keys', { schema: apiKeyList, signal }),
  });
}

/**
 * Creates an API key. The response contains the secret, so it is removed from memory when the
 * dialog closes.
 */
export function useCreateApiKey() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: ApiKeyCreate) => api('POST', '/auth/api-keys', { body, schema: createdApiKey }),
    gcTime: 0,
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: queryKeys.apiKeys.list() });
    },
  });
}

/** Revokes an API key. */
export function useRevokeApiKey() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: ApiKey) => api('DELETE', `/auth/api-keys/${id}`).catch(unlessGone),
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKeys.apiKeys.list() }),
  });
}

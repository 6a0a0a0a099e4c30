import { useQuery } from '@tanstack/react-query';
import { apiUsage } from '@winnow/contract/usage';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/** Returns the API usage of the account. */
export function useApiUsage() {
  return useQuery({
    queryKey: queryKeys.usage.summary(),
    queryFn: ({ signal }) => api('GET', '/auth/api-usage', { schema: apiUsage, signal }),
  });
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiUsage, type UsageRange } from '@winnow/contract/usage';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/**
 * Interval at which usage is refetched. Live events report new requests, but not calls to language
 * models.
 */
const REFETCH_INTERVAL_MS = 30_000;

/**
 * Loads the daily usage of a range. Returns the data of the previous range until the new data is
 * loaded.
 */
export function useUsage(days: Partial<UsageRange>, { enabled }: { enabled: boolean }) {
  return useQuery({
    enabled,
    queryKey: queryKeys.usage.within(days),
    queryFn: ({ signal }) =>
      api('GET', '/auth/api-usage', { query: { ...days, timeseries: true }, schema: apiUsage, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiUsage, type UsageRange } from '@winnow/contract/usage';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/** Refetch interval. Requests arrive over the live channel, but model calls do not. */
const REFETCH_INTERVAL_MS = 30_000;

/** Loads daily usage in a range. Keeps the previous data while another range loads. */
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

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiUsage, type UsageRange } from '@winnow/contract/usage';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/** Requests are announced as they are counted; what models did is not. */
const REFETCHED_EVERY_MS = 30_000;

/** What the account used in a range, day by day; `enabled`: it makes sense. While another range is read the one before stays. */
export function useUsage(days: Partial<UsageRange>, { enabled }: { enabled: boolean }) {
  return useQuery({
    enabled,
    queryKey: queryKeys.usage.within(days),
    queryFn: ({ signal }) =>
      api('GET', '/auth/api-usage', { query: { ...days, timeseries: true }, schema: apiUsage, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCHED_EVERY_MS,
  });
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { changeList } from '@winnow/contract/change';
import { issueSummary } from '@winnow/contract/issue';
import type { z } from 'zod';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';
import { type ChangeListFilters, changeListOptions } from '../../features/decisions/queries.ts';

export type ChangeList = z.infer<typeof changeList>;

/**
 * Returns the current page of changes. The previous page stays visible while the next one loads.
 */
export function useChangeList(filters: ChangeListFilters, enabled: boolean) {
  return useQuery({ ...changeListOptions(filters), enabled, placeholderData: keepPreviousData });
}

/**
 * Loads the issue whose changes are listed. `name` is its key or id. Sends no request if `name` is
 * empty.
 */
export function useNamedIssue(name: string) {
  return useQuery({
    queryKey: [...queryKeys.issues.byKey(name), 'named'],
    queryFn: ({ signal }) =>
      api('GET', `/issues/${encodeURIComponent(name)}`, { schema: issueSummary, signal }),
    enabled: name !== '',
  });
}

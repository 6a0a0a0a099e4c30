import { queryOptions, useQuery } from '@tanstack/react-query';
import {
  CHANGE_STATUSES,
  type ChangeKind,
  type ChangeStatus,
  change,
  changeList,
} from '@winnow/contract/change';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/** Interval at which an unsettled change is refetched, in case live events are interrupted. */
const FOLLOW_MS = 4_000;
/** Number of changes per page of the change list. */
export const CHANGES_LISTED = 20;

/** Filters of the change list, as the API accepts them. */
export type ChangeListFilters = {
  status?: ChangeStatus | undefined;
  kind?: ChangeKind | undefined;
  issue_id?: string | undefined;
  limit?: number;
  skip?: number;
};

/** Returns a query for a page of the ledger, newest first. */
export function changeListOptions(filters: ChangeListFilters) {
  return queryOptions({
    queryKey: queryKeys.changes.list(filters),
    queryFn: ({ signal }) => api('GET', '/changes', { query: filters, schema: changeList, signal }),
  });
}

/** Returns the latest changes by any member. */
export function useLastChanges() {
  return useQuery({
    ...changeListOptions({ limit: CHANGES_LISTED }),
    select: ({ changes }) => changes,
  });
}

/** Returns a query for a change, polled until it is settled. */
export function changeOptions(changeId: string) {
  return queryOptions({
    queryKey: queryKeys.changes.detail(changeId),
    queryFn: ({ signal }) => api('GET', `/changes/${changeId}`, { schema: change, signal }),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && CHANGE_STATUSES[data.status].settled ? false : FOLLOW_MS,
  });
}

export function useChange(changeId: string) {
  return useQuery(changeOptions(changeId));
}

/** Returns the number of proposals awaiting a decision. */
export function useProposalsCount() {
  return useQuery({
    ...changeListOptions({ status: 'proposed', limit: 1 }),
    select: ({ total }) => total,
  });
}

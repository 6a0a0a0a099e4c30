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

/** The live channel tells when a change moves; this often it is asked for anyway, in case the line is down. */
const FOLLOW_MS = 4_000;
/** Changes asked for at once. */
export const CHANGES_LISTED = 20;

/** Which changes are meant, as the server takes it. */
export type ChangeListFilters = {
  status?: ChangeStatus | undefined;
  kind?: ChangeKind | undefined;
  issue_id?: string | undefined;
  limit?: number;
  skip?: number;
};

/** A part of the ledger, newest first. */
export function changeListOptions(filters: ChangeListFilters) {
  return queryOptions({
    queryKey: queryKeys.changes.list(filters),
    queryFn: ({ signal }) => api('GET', '/changes', { query: filters, schema: changeList, signal }),
  });
}

/** What was changed last, by anybody. */
export function useLastChanges() {
  return useQuery({
    ...changeListOptions({ limit: CHANGES_LISTED }),
    select: ({ changes }) => changes,
  });
}

/** A change of the ledger, followed until it is settled. */
export function changeOptions(changeId: string) {
  return queryOptions({
    queryKey: queryKeys.changes.detail(changeId),
    queryFn: ({ signal }) => api('GET', `/changes/${changeId}`, { schema: change, signal }),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && CHANGE_STATUSES[data.status].settled ? false : FOLLOW_MS,
  });
}

/** The change, followed until it is settled. */
export function useChange(changeId: string) {
  return useQuery(changeOptions(changeId));
}

/** How many proposals wait for somebody to approve or reject them. */
export function useProposalsCount() {
  return useQuery({
    ...changeListOptions({ status: 'proposed', limit: 1 }),
    select: ({ total }) => total,
  });
}

import { useQuery } from '@tanstack/react-query';
import { pairList, SUGGESTIONS_SHOWN } from '@winnow/contract/duplicate';
import { issuesCount } from '@winnow/contract/issue';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';
import { SEARCH_DEFAULTS } from '../../features/pairs/pair-search.ts';
import { listFilters, pairStatsOptions } from '../../features/pairs/queries.ts';
import { isBusy } from '../../features/trackers/sync-texts.ts';
import { useTrackers } from '../../features/trackers/tracker-list.ts';
import { pendingText, suggestionsCount, topProjects } from './numbers.ts';

/**
 * Loads the first pairs of the queue and the number of pairs in it. Omits pairs whose decision was
 * undone.
 */
export function useSuggestions() {
  const filters = { ...listFilters(SEARCH_DEFAULTS), limit: SUGGESTIONS_SHOWN, undone: false };
  return useQuery({
    queryKey: queryKeys.pairs.list(filters),
    queryFn: ({ signal }) => api('GET', '/issue-duplicates', { query: filters, schema: pairList, signal }),
    select: ({ duplicates, total }) => ({ top: duplicates, count: suggestionsCount(total) }),
  });
}

/** Loads the projects with the most issues in undecided pairs. */
export function useProjectShares() {
  const { status, scope } = SEARCH_DEFAULTS;
  return useQuery({ ...pairStatsOptions(status, scope), select: ({ projects }) => topProjects(projects) });
}

/** Loads the number of issues, and how many of them have been compared with others. */
export function useIssuesCount() {
  return useQuery({
    queryKey: queryKeys.issues.count(),
    queryFn: ({ signal }) => api('GET', '/issues-count', { schema: issuesCount, signal }),
  });
}

/**
 * Explains why an empty list of similar issues may be incomplete. Null if all issues have been
 * compared.
 */
export function usePendingText(): string | null {
  const { data: issues } = useIssuesCount();
  const { data: trackers = [] } = useTrackers();
  return issues === undefined ? null : pendingText(issues, trackers.some(isBusy));
}

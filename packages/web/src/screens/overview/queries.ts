import { useQuery } from '@tanstack/react-query';
import { duplicateStats, pairList, SUGGESTIONS_SHOWN } from '@winnow/contract/duplicate';
import { issuesCount } from '@winnow/contract/issue';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';
import { TO_DECIDE } from '../../features/pairs/pair-search.ts';
import { isBusy } from '../../features/trackers/sync-texts.ts';
import { useTrackers } from '../../features/trackers/tracker-list.ts';
import { pendingText, suggestionsCount, topProjects } from './numbers.ts';

/** Loads the most similar open pairs without a decision. */
export function useSuggestions() {
  const filters = {
    limit: SUGGESTIONS_SHOWN,
    status: 'opened',
    resolution: 'unresolved',
    undone: false,
  };
  return useQuery({
    queryKey: queryKeys.pairs.list(filters),
    queryFn: ({ signal }) => api('GET', '/issue-duplicates', { query: filters, schema: pairList, signal }),
    select: ({ duplicates, total }) => ({ top: duplicates, count: suggestionsCount(total) }),
  });
}

/** Loads the projects with the most similar issues, and the similarity threshold. */
export function useProjectShares() {
  const { status, scope, threshold } = TO_DECIDE;
  const filters = { status, scope, similarity_threshold: threshold };
  return useQuery({
    queryKey: queryKeys.pairs.stats(filters),
    queryFn: ({ signal }) =>
      api('GET', '/project-duplicate-stats', { query: filters, schema: duplicateStats, signal }),
    select: ({ projects, threshold_used }) => ({
      projects: topProjects(projects),
      threshold: threshold_used,
    }),
  });
}

/** Loads the number of issues, and how many of them have been compared. */
export function useIssuesCount() {
  return useQuery({
    queryKey: queryKeys.issues.count(),
    queryFn: ({ signal }) => api('GET', '/issues-count', { schema: issuesCount, signal }),
  });
}

/**
 * Explains why no similar issues may have been found yet; null if all issues have been compared.
 */
export function usePendingText(): string | null {
  const { data: issues } = useIssuesCount();
  const { data: trackers = [] } = useTrackers();
  return issues === undefined ? null : pendingText(issues, trackers.some(isBusy));
}

import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type Change, changePreview, type ResolutionPayload } from '@winnow/contract/change';
import {
  duplicateStats,
  type Pair,
  type PairScope,
  pairDetail,
  SIMILARITY,
} from '@winnow/contract/duplicate';
import type { StatusFilter } from '@winnow/contract/issue';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';
import { CHANGES_LISTED, changeListOptions } from '../../features/decisions/queries.ts';
import type { SimilaritySearch } from '../../features/pairs/pair-search.ts';
import { pairListOptions } from '../../features/pairs/queries.ts';

/** The page of pairs that is shown; the page before stays until the next one is there. */
export function usePairList(search: SimilaritySearch) {
  return useQuery({ ...pairListOptions(search), placeholderData: keepPreviousData });
}

/** A pair with both texts and why they look alike. */
export function pairOptions(pairId: string) {
  return queryOptions({
    queryKey: [...queryKeys.pairs.all, 'pair', pairId],
    queryFn: ({ signal }) => api('GET', `/issue-duplicates/${pairId}`, { schema: pairDetail, signal }),
  });
}

/** The pair in the panel. */
export function usePair(pairId: string) {
  return useQuery(pairOptions(pairId));
}

/** Statistics per project: issues with at least one similar issue, under the status filter and scope of the list. */
export function useProjectStatistics(status: StatusFilter, scope: PairScope) {
  const filters = { status, scope, similarity_threshold: SIMILARITY.similar };
  return useQuery({
    queryKey: queryKeys.pairs.stats(filters),
    queryFn: ({ signal }) =>
      api('GET', '/project-duplicate-stats', { query: filters, schema: duplicateStats, signal }),
    placeholderData: keepPreviousData,
  });
}

/** What a resolution would write. Asked again each time it comes into view, and never while it is looked at. */
export function previewOptions(payload: ResolutionPayload) {
  const request = { kind: 'resolution', payload } as const;
  return queryOptions({
    queryKey: queryKeys.previews.of(request),
    queryFn: ({ signal }) =>
      api('POST', '/changes/preview', { body: request, schema: changePreview, signal }),
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
}

/** What a resolution would write, as it is shown. */
export function usePreview(payload: ResolutionPayload) {
  return useQuery(previewOptions(payload));
}

function isAbout({ kind, issue_keys }: Change, { issue1, issue2 }: Pair): boolean {
  return kind === 'resolution' && issue_keys.includes(issue1.key) && issue_keys.includes(issue2.key);
}

function isUnfinished({ status }: Change): boolean {
  return status === 'applying' || status === 'partly_applied' || status === 'failed';
}

/** As many proposals as the server lists at once: of more, the newest are known. */
const PROPOSALS_LISTED = 100;

/** Finds the newest proposal about a pair that waits for somebody to decide about it; undefined without one. */
export function useProposals(): (pair: Pair) => Change | undefined {
  const filters = { status: 'proposed', kind: 'resolution', limit: PROPOSALS_LISTED } as const;
  const { data } = useQuery(changeListOptions(filters));
  return (pair) => data?.changes.find((candidate) => isAbout(candidate, pair));
}

/** The last decision about a pair, if it is still being written or a part of it could not be; null without one. */
export function useUnfinishedChange(pair: Pair) {
  return useQuery({
    ...changeListOptions({ issue_id: pair.issue2.id, kind: 'resolution', limit: CHANGES_LISTED }),
    enabled: pair.resolution === null,
    select: ({ changes }) => {
      const last = changes.find((candidate) => isAbout(candidate, pair));
      return last !== undefined && isUnfinished(last) ? last : null;
    },
  });
}

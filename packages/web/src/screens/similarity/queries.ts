import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Change, ResolutionPayload } from '@winnow/contract/change';
import type { Pair, PairScope } from '@winnow/contract/duplicate';
import { CHANGES_LISTED, changeListOptions } from '../../features/decisions/queries.ts';
import type { PairStatus, SimilaritySearch } from '../../features/pairs/pair-search.ts';
import { pairListOptions, pairOptions, pairStatsOptions } from '../../features/pairs/queries.ts';
import { previewOptions } from '../../features/write-dialog/preview-options.ts';

/** Loads a page of pairs. Returns the previous page until the new page is loaded. */
export function usePairList(search: SimilaritySearch) {
  return useQuery({ ...pairListOptions(search), placeholderData: keepPreviousData });
}

/** Loads the pair that is displayed in the panel. */
export function usePair(pairId: string) {
  return useQuery(pairOptions(pairId));
}

/**
 * Loads the number of issues in undecided pairs, by project. The status filter and the scope of the
 * list apply.
 */
export function useProjectStatistics(status: PairStatus, scope: PairScope) {
  return useQuery({ ...pairStatsOptions(status, scope), placeholderData: keepPreviousData });
}

/** Loads the preview of the writes of a resolution. */
export function usePreview(payload: ResolutionPayload) {
  return useQuery(previewOptions({ kind: 'resolution', payload }));
}

function isAbout({ kind, issue_keys }: Change, { issue1, issue2 }: Pair): boolean {
  return kind === 'resolution' && issue_keys.includes(issue1.key) && issue_keys.includes(issue2.key);
}

function isUnfinished({ status }: Change): boolean {
  return status === 'applying' || status === 'partly_applied' || status === 'failed';
}

/** Number of proposals to load, newest first. This is the maximum page size of the server. */
const PROPOSALS_LISTED = 100;

/**
 * Returns a function that finds the newest open proposal for a pair. The function returns undefined
 * if no proposal is open.
 */
export function useProposals(): (pair: Pair) => Change | undefined {
  const filters = { status: 'proposed', kind: 'resolution', limit: PROPOSALS_LISTED } as const;
  const { data } = useQuery(changeListOptions(filters));
  return (pair) => data?.changes.find((candidate) => isAbout(candidate, pair));
}

/**
 * Returns the last decision on a pair if it is still being written or has stopped midway. Otherwise
 * returns null.
 */
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

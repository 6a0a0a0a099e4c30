import { useQuery, useQueryClient } from '@tanstack/react-query';
import { PAIRS_COUNTED, type Pair, type PairList } from '@winnow/contract/duplicate';
import { useEffect, useEffectEvent, useRef } from 'react';
import { whenRequestsSettle } from '../../features/decisions/decision-requests.ts';
import { followUndos } from '../../features/decisions/undo-progress.ts';
import { isUndecided } from '../../features/pairs/list-cache.ts';
import { PAGE_SIZE, type SimilaritySearch, serializeSearch } from '../../features/pairs/pair-search.ts';
import { pairsText } from '../../features/pairs/pair-texts.ts';
import { pairListOptions, pairOptions } from '../../features/pairs/queries.ts';
import type { ScreenNavigation } from '../../ui/address/use-screen-search.ts';
import { type ListWalk, useListWalk } from '../../ui/data-list/use-list-walk.ts';

/**
 * Time for which a pair counts as decided although a list contains it as undecided. After that, the
 * decision has failed.
 */
const DECIDED_MS = 10_000;

/** Navigation through the pairs. */
export type Review = ListWalk & {
  /**
   * The current pair if its row, or its texts in an open panel, are displayed. Decisions apply only
   * to it.
   */
  shownPair: () => Pair | null;
};

/**
 * Navigates within and across pages: on to undecided pairs, and back to pairs whose decision is
 * undone.
 */
export function useReview(
  list: PairList | undefined,
  { search, go }: ScreenNavigation<SimilaritySearch>,
): Review {
  const queryClient = useQueryClient();
  const pairs = list?.duplicates ?? [];
  const total = list?.total ?? 0;
  const { page, selectedPair } = search;
  // Times of the latest decisions. Lists loaded shortly after one may still contain the pair.
  const decidedAt = useRef(new Map<string, number>());
  const isPending = (pair: Pair) => {
    const at = decidedAt.current.get(pair.id);
    return isUndecided(pair) && (at === undefined || performance.now() - at >= DECIDED_MS);
  };
  const walk = useListWalk({
    ids: pairs.map(({ id }) => id),
    page,
    pageSize: PAGE_SIZE,
    total: Math.min(total, PAIRS_COUNTED),
    totalText: pairsText(total),
    selectedId: selectedPair,
    listName: String(serializeSearch({ ...search, selectedPair: null })),
    isPending: (id) => pairs.some((pair) => pair.id === id && isPending(pair)),
    go: (place, options) => go({ ...search, page: place.page, selectedPair: place.selectedId }, options),
    edgeOf: async (target, step) => {
      const { duplicates } = await queryClient.fetchQuery(pairListOptions({ ...search, page: target }));
      return duplicates.at(step === 1 ? 0 : -1)?.id;
    },
    nextPending: async () => {
      await whenRequestsSettle();
      // Decided pairs leave most lists, so later ones may have moved to this page, or it may be
      // empty.
      for (const target of [page, page + 1, page - 1]) {
        if (target < 1) continue;
        const options = pairListOptions({ ...search, page: target });
        const { duplicates } = await queryClient.fetchQuery({ ...options, staleTime: 0 });
        const pending = duplicates.find(isPending);
        if (pending !== undefined) return { id: pending.id, page: target };
      }
      return undefined;
    },
  });
  // The pair displayed in the panel.
  const { data: detail } = useQuery({ ...pairOptions(selectedPair ?? ''), enabled: selectedPair !== null });

  // Show a pair whose decision was undone, unless the user has moved on meanwhile.
  const arrive = useEffectEvent((from: string | null, pairId: string) => {
    if (from === walk.currentId) walk.show(pairId);
  });
  const follow = useEffectEvent(() => {
    const from = walk.currentId;
    return ({ id }: Pair) => {
      decidedAt.current.delete(id);
      arrive(from, id);
    };
  });
  useEffect(() => followUndos(() => follow()), []);

  const listed = pairs.find(({ id }) => id === walk.currentId);
  return {
    ...walk,
    leave: (id) => {
      decidedAt.current.set(id, performance.now());
      walk.leave(id);
    },
    shownPair: () => {
      if (selectedPair === null) return listed ?? null;
      return detail === undefined || detail.id !== walk.currentId ? null : (listed ?? detail);
    },
  };
}

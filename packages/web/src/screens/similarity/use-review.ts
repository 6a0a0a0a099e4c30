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
 * Time after a decision during which a pair counts as decided, even if the list still contains it.
 * After this time, the decision has probably failed.
 */
const DECIDED_MS = 10_000;

/** Keyboard navigation between the pairs of the list. */
export type Review = ListWalk & {
  /**
   * Returns the current pair, if its row or the open panel displays it. Decisions apply only to
   * this pair.
   */
  shownPair: () => Pair | null;
};

/**
 * Navigates within a page and across pages. After a decision, moves to the next undecided pair.
 * After an undo, returns to the restored pair.
 */
export function useReview(
  list: PairList | undefined,
  { search, go }: ScreenNavigation<SimilaritySearch>,
): Review {
  const queryClient = useQueryClient();
  const pairs = list?.duplicates ?? [];
  const total = list?.total ?? 0;
  const { page, selectedPair } = search;
  // Time of the latest decision on each pair. A list loaded shortly afterwards may still contain
  // the pair.
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
      // Most lists omit decided pairs, so pairs of the next page may have moved to this page. This
      // page may also be empty.
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
  // The pair that is displayed in the panel.
  const { data: detail } = useQuery({ ...pairOptions(selectedPair ?? ''), enabled: selectedPair !== null });

  // After an undo, display the pair again, unless the user has moved to another pair meanwhile.
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

import { useQueryClient } from '@tanstack/react-query';
import { PAIRS_COUNTED, type Pair, type PairList } from '@winnow/contract/duplicate';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { followUndos } from '../../features/decisions/undo-progress.ts';
import { isUndecided, pairAfter, undecidedNear } from '../../features/pairs/list-cache.ts';
import { PAGE_SIZE, type SimilaritySearch, serializeSearch } from '../../features/pairs/pair-search.ts';
import { pairsText } from '../../features/pairs/pair-texts.ts';
import { pairListOptions } from '../../features/pairs/queries.ts';
import type { ScreenNavigation } from '../../ui/address/use-screen-search.ts';
import { mayMoveFocus, releaseFocus } from '../../ui/data-list/list-focus.ts';
import { isUnderDialog } from '../../ui/keyboard/screen-keys.ts';
import { countText } from '../../ui/texts/count-text.ts';
import { rowId } from './list/pair-row.tsx';
import { pairOptions } from './queries.ts';

/** Going through the list: which pair is meant, and how to get to the next one. */
export type Review = {
  /** The pair in the panel, else the one the keyboard is on; null while neither is. */
  currentId: string | null;
  /** That pair, when it is drawn: its row, and its texts where the panel is open. Nobody decides about another. */
  shownPair: () => Pair | null;
  /** `2 of 218`, for the pair in the panel. */
  position: string | undefined;
  open: (pair: Pair) => void;
  close: () => void;
  /** The keyboard went to a row. */
  focus: (pair: Pair) => void;
  /** To the next pair (1) or the previous one (-1), over the page's end too. Undefined where the list ends. */
  next: (() => void) | undefined;
  previous: (() => void) | undefined;
  /** Leaves a pair that was just decided for the one after it. */
  leave: (pairId: string) => void;
  /** Moves the focus where it was to go while a dialog kept it, and to the current row when nothing has it. */
  refocus: () => void;
};

/** Whether a pair can be seen: what React drew last, which is what somebody looks at who presses a key. */
function isDrawn(pairId: string, inPanel: boolean): boolean {
  if (inPanel) return document.querySelector(`[data-pair-panel="${pairId}"]`) !== null;
  return document.getElementById(rowId(pairId)) !== null;
}

/** Moves through a page of pairs and from page to page. The panel's pair is in the address, the keyboard's is not. */
export function useReview(
  list: PairList | undefined,
  { search, go }: ScreenNavigation<SimilaritySearch>,
): Review {
  const queryClient = useQueryClient();
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const toFocus = useRef<string | null>(null);
  const awaited = useRef<string | null>(null);
  const pairs = list?.duplicates ?? [];
  const { page, selectedPair } = search;
  const currentId = selectedPair ?? focusedId;
  const at = pairs.findIndex(({ id }) => id === currentId);
  const total = list?.total ?? 0;
  const lastPage = Math.ceil(Math.min(total, PAIRS_COUNTED) / PAGE_SIZE);

  // The row may only be there after the next page is.
  useEffect(() => {
    if (toFocus.current === null || toFocus.current !== currentId || list === undefined) return;
    const row = document.getElementById(rowId(toFocus.current));
    if (row === null || !mayMoveFocus()) return;
    toFocus.current = null;
    row.focus();
  }, [currentId, selectedPair, list]);

  // A pair may leave the list without `leave`: decided with others, or by somebody else. The one in its place follows it.
  const listed = String(serializeSearch({ ...search, selectedPair: null }));
  const stood = useRef<{ pairId: string; at: number; listed: string } | null>(null);
  const heir = (): Pair | undefined => {
    const last = stood.current;
    if (at !== -1 || last === null || last.pairId !== currentId || last.listed !== listed) return undefined;
    return undecidedNear(pairs, last.at);
  };
  const keepPlace = useEffectEvent(() => {
    if (at !== -1 && currentId !== null) stood.current = { pairId: currentId, at, listed };
    const next = selectedPair === null ? heir() : undefined;
    if (next !== undefined) show(next.id);
  });
  useEffect(() => {
    if (list !== undefined) keepPlace();
  }, [list, currentId, selectedPair]);

  // A pair whose decision was taken back is shown, unless somebody moved on in the meantime.
  const arrive = useEffectEvent((from: string | null, pairId: string) => {
    if (from !== currentId) return;
    if (selectedPair !== null || pairs.some(({ id }) => id === pairId)) show(pairId);
    else awaited.current = pairId;
  });
  const follow = useEffectEvent(() => {
    const from = currentId;
    return ({ id }: Pair) => arrive(from, id);
  });
  useEffect(() => followUndos(() => follow()), []);

  // It is only there when the list was asked again.
  const look = useEffectEvent(() => {
    const pairId = awaited.current;
    if (pairId !== null && pairs.some(({ id }) => id === pairId)) show(pairId);
  });
  useEffect(() => {
    if (list !== undefined) look();
  }, [list]);

  function show(pairId: string, onPage = page): void {
    setFocusedId(pairId);
    toFocus.current = pairId;
    awaited.current = null;
    if (selectedPair !== null) go({ ...search, page: onPage, selectedPair: pairId }, { replace: true });
    else if (onPage !== page) go({ ...search, page: onPage });
  }

  /** Shows the nearest pair of the page before or after: the nearest that is `wanted`, if there is one. */
  async function turnPage(step: 1 | -1, wanted: (pair: Pair) => boolean = () => true): Promise<void> {
    releaseFocus();
    const target = page + step;
    const { duplicates } = await queryClient.fetchQuery(pairListOptions({ ...search, page: target }));
    const inOrder = step === 1 ? duplicates : duplicates.toReversed();
    const edge = inOrder.find(wanted) ?? inOrder[0];
    if (edge !== undefined) show(edge.id, target);
  }

  function stepper(step: 1 | -1): (() => void) | undefined {
    if (pairs.length === 0 || (selectedPair !== null && at === -1)) return undefined;
    const neighbor =
      at === -1 ? pairs.at(step === 1 ? 0 : -1) : at + step >= 0 ? pairs[at + step] : undefined;
    if (neighbor !== undefined) {
      return () => {
        releaseFocus();
        show(neighbor.id);
      };
    }
    const target = page + step;
    // A page that cannot be loaded leaves everything as it is; the list's own error says why when it is opened.
    return target >= 1 && target <= lastPage ? () => void turnPage(step).catch(() => undefined) : undefined;
  }

  return {
    currentId,
    shownPair: () => {
      if (currentId === null || !isDrawn(currentId, selectedPair !== null)) return null;
      return pairs[at] ?? queryClient.getQueryData(pairOptions(currentId).queryKey) ?? null;
    },
    position: at === -1 ? undefined : `${countText((page - 1) * PAGE_SIZE + at + 1)} of ${pairsText(total)}`,
    open: (pair) => {
      awaited.current = null;
      setFocusedId(pair.id);
      if (pair.id !== selectedPair) {
        go({ ...search, selectedPair: pair.id }, { replace: selectedPair !== null });
      }
    },
    close: () => {
      if (selectedPair === null) return;
      setFocusedId(selectedPair);
      toFocus.current = selectedPair;
      go({ ...search, selectedPair: null }, { replace: true });
    },
    focus: (pair) => {
      // A dialog that closes gives the focus back to the row it came from, which may be decided by now and about to go.
      if (isUnderDialog()) {
        if (pair.id !== currentId) toFocus.current = currentId;
        return;
      }
      toFocus.current = null;
      awaited.current = null;
      setFocusedId(pair.id);
    },
    next: stepper(1),
    previous: stepper(-1),
    leave: (pairId) => {
      if (pairId !== currentId || list === undefined) return;
      const after = pairAfter(list, pairId) ?? heir();
      if (after !== undefined) show(after.id);
      else if (page < lastPage) void turnPage(1, isUndecided).catch(() => undefined);
      else {
        setFocusedId(null);
        if (selectedPair !== null) go({ ...search, selectedPair: null }, { replace: true });
      }
    },
    refocus: () => {
      const target = toFocus.current ?? (document.activeElement === document.body ? currentId : null);
      toFocus.current = null;
      if (target !== null && mayMoveFocus()) document.getElementById(rowId(target))?.focus();
    },
  };
}

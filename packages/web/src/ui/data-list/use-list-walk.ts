import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isUnderDialog } from '../keyboard/screen-keys.ts';
import { countText } from '../texts/count-text.ts';
import { pendingAfter, pendingNear } from './next-pending.ts';
import { RowRegistry } from './row-registry.ts';

/** Keyboard navigation through a list: the current item, and functions that move to other items. */
export type ListWalk = {
  /**
   * Id of the item that is open in the side panel. If none is open, id of the item that the
   * keyboard has reached. Null if there is neither.
   */
  currentId: string | null;
  /**
   * Position of the current item, such as `2 of 31`. Undefined if the current item is not on the
   * displayed page.
   */
  position: string | undefined;
  open: (id: string) => void;
  close: () => void;
  /** Records that a row has received the keyboard focus. */
  focus: (id: string) => void;
  /**
   * Moves to an item. If the list does not contain the item yet, moves as soon as the list contains
   * it.
   */
  show: (id: string) => void;
  /** Moves to the item after a decided item. */
  leave: (id: string) => void;
  /** Moves to the next item. Undefined at the end of the list. */
  next: (() => void) | undefined;
  previous: (() => void) | undefined;
  /** True while the next item is being loaded. */
  isTurning: () => boolean;
  /** Returns the focus to the current row, unless another element has the focus. */
  refocus: () => void;
  /** The mounted rows. Each row gets its ref from here. */
  rows: RowRegistry;
};

export type ListWalkOptions = {
  /** Ids of the items on the page, from top to bottom. */
  ids: readonly string[];
  /** Current page, counted from 1. */
  page: number;
  pageSize: number;
  /** Number of items on all pages. */
  total: number;
  /** Text that replaces the total if the total is not exact. */
  totalText?: string;
  /** Id of the row that is open in the side panel. Null if none is open. */
  selectedId: string | null;
  /** Navigates to another page or item of the list. `replace` adds no history entry. */
  go: (place: { page: number; selectedId: string | null }, options?: { replace: boolean }) => void;
  /**
   * Loads another page and returns the id of its first item (step 1) or its last item (step -1).
   * Without this function, navigation stops at the end of the page.
   */
  edgeOf?: (page: number, step: 1 | -1) => Promise<string | undefined>;
  /** Finds the next pending item and its page. Called after the last item of a page was decided. */
  nextPending?: () => Promise<{ id: string; page: number } | undefined>;
  /**
   * Identifies the list by its filters and page. The current position is discarded when the name
   * changes.
   */
  listName?: string;
  /**
   * True if an item on the page is pending. If this function is set, the item that moves up after a
   * removed item becomes current.
   */
  isPending?: (id: string) => boolean;
};

/**
 * Manages keyboard navigation through the pages of a list.
 * The URL contains the open item. It does not contain the item that only the keyboard has reached.
 */
export function useListWalk(options: ListWalkOptions): ListWalk {
  const { ids, page, pageSize, total, selectedId, go, listName = String(page), isPending } = options;
  const { edgeOf, nextPending } = options;
  const [rows] = useState(() => new RowRegistry());
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const toFocus = useRef<string | null>(null);
  const awaited = useRef<string | null>(null);
  /**
   * Number of the latest request for a next item. A later navigation makes earlier requests
   * obsolete.
   */
  const turn = useRef(0);
  const isLoading = useRef(false);
  const latestList = useRef(listName);
  const currentId = selectedId ?? focusedId;
  const at = currentId === null ? -1 : ids.indexOf(currentId);
  // A decided item may leave the list. Navigation then continues at the position where the item
  // was.
  const [last, setLast] = useState<{ id: string; at: number; listName: string } | null>(null);
  if (currentId !== null && at !== -1) {
    const isKnown = last?.id === currentId && last.at === at && last.listName === listName;
    if (!isKnown) setLast({ id: currentId, at, listName });
  }
  const lastAt = last !== null && last.id === currentId && last.listName === listName ? last.at : -1;
  const heir = (): string | undefined =>
    isPending === undefined || at !== -1 || lastAt === -1 ? undefined : pendingNear(ids, lastAt, isPending);

  /** Discards the item that is being loaded, because the user has navigated to another item. */
  function abandonTurn(): void {
    turn.current += 1;
    isLoading.current = false;
  }

  function moveTo(id: string, onPage = page): void {
    setFocusedId(id);
    toFocus.current = id;
    awaited.current = null;
    if (selectedId !== null) go({ page: onPage, selectedId: id }, { replace: true });
    else if (onPage !== page) go({ page: onPage, selectedId: null });
  }

  /**
   * Loads an item and moves to it. Calls `onNone` if no item is found. Does nothing if loading
   * fails, or if the user has navigated meanwhile.
   */
  async function turnTo(
    load: () => Promise<{ id: string; page: number } | undefined>,
    onNone: () => void,
  ): Promise<void> {
    rows.releaseFocus();
    abandonTurn();
    const own = turn.current;
    isLoading.current = true;
    // If the page cannot be loaded, the error is displayed when the user opens that page.
    const place = await load().catch(() => 'failed' as const);
    if (turn.current !== own) return;
    isLoading.current = false;
    if (latestList.current !== listName) return;
    if (place === undefined) onNone();
    else if (place !== 'failed') moveTo(place.id, place.page);
  }

  /** Ends the navigation. No item is current then. */
  function finish(): void {
    setFocusedId(null);
    if (selectedId !== null) go({ page, selectedId: null }, { replace: true });
  }

  // Restores the current item and the focus. Runs after each render, because a row may appear only
  // when the list was loaded again.
  const keepPlace = useEffectEvent(() => {
    latestList.current = listName;
    if (awaited.current !== null && ids.includes(awaited.current)) moveTo(awaited.current);
    const next = selectedId === null ? heir() : undefined;
    if (next !== undefined) moveTo(next);
    const target = toFocus.current;
    if (target === null || !ids.includes(target) || !rows.mayMoveFocus()) return;
    toFocus.current = null;
    rows.focus(target);
  });
  useEffect(() => keepPlace());

  function stepper(step: 1 | -1): (() => void) | undefined {
    if (ids.length === 0 || (selectedId !== null && at === -1 && lastAt === -1)) return undefined;
    const from = at === -1 && lastAt !== -1 ? lastAt - (step === 1 ? 1 : 0) : at;
    const neighbor = from === -1 && at === -1 ? ids.at(step === 1 ? 0 : -1) : ids[from + step];
    if (neighbor !== undefined) {
      return () => {
        abandonTurn();
        rows.releaseFocus();
        moveTo(neighbor);
      };
    }
    const hasPage = step === 1 ? page * pageSize < total : page > 1;
    if (edgeOf === undefined || at === -1 || !hasPage) return undefined;
    return () =>
      void turnTo(
        async () => {
          const id = await edgeOf(page + step, step);
          return id === undefined ? undefined : { id, page: page + step };
        },
        () => undefined,
      );
  }

  return {
    currentId,
    position:
      at === -1
        ? undefined
        : `${countText((page - 1) * pageSize + at + 1)} of ${options.totalText ?? countText(total)}`,
    open: (id) => {
      abandonTurn();
      awaited.current = null;
      setFocusedId(id);
      if (id !== selectedId) go({ page, selectedId: id }, { replace: selectedId !== null });
    },
    close: () => {
      abandonTurn();
      if (selectedId === null) return;
      setFocusedId(selectedId);
      toFocus.current = selectedId;
      go({ page, selectedId: null }, { replace: true });
    },
    focus: (id) => {
      // A closing dialog returns the focus to the row that opened it. That row may be decided and
      // about to leave the list.
      if (isUnderDialog()) {
        if (id !== currentId) toFocus.current = currentId;
        return;
      }
      toFocus.current = null;
      awaited.current = null;
      setFocusedId(id);
    },
    show: (id) => {
      if (selectedId !== null || ids.includes(id)) moveTo(id);
      else awaited.current = id;
    },
    leave: (id) => {
      if (id !== currentId || isPending === undefined) return;
      const after = pendingAfter(ids, id, isPending) ?? heir();
      if (after !== undefined) moveTo(after);
      else if (nextPending === undefined) finish();
      else void turnTo(nextPending, finish);
    },
    isTurning: () => isLoading.current,
    next: stepper(1),
    previous: stepper(-1),
    refocus: () => {
      const target = toFocus.current ?? (rows.isFocusFree() ? currentId : null);
      toFocus.current = null;
      if (target !== null && rows.mayMoveFocus()) rows.focus(target);
    },
    rows,
  };
}

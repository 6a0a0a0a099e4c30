import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isUnderDialog } from '../keyboard/screen-keys.ts';
import { countText } from '../texts/count-text.ts';
import { pendingAfter, pendingNear } from './next-pending.ts';
import { RowRegistry } from './row-registry.ts';

/** Navigation through a list: the current item, and functions that move to other items. */
export type ListWalk = {
  /**
   * The item that is open in the panel, else the one that the keyboard is on; null while neither
   * is.
   */
  currentId: string | null;
  /** `2 of 31`; absent when the current item is not on the listed page. */
  position: string | undefined;
  open: (id: string) => void;
  close: () => void;
  /** Records that a row has received the keyboard focus. */
  focus: (id: string) => void;
  /** Moves to an item now, or as soon as it is listed. */
  show: (id: string) => void;
  /** Moves on from an item that was just decided: to the one after it. */
  leave: (id: string) => void;
  /** Moves to the next row; undefined at the end of the list. */
  next: (() => void) | undefined;
  previous: (() => void) | undefined;
  /** True while the next item is being loaded. */
  isTurning: () => boolean;
  /** Gives the focus back to the current row, unless something else has it. */
  refocus: () => void;
  /** The mounted rows: each row takes its ref from here. */
  rows: RowRegistry;
};

export type ListWalkOptions = {
  /** Items of the page, from top to bottom. */
  ids: readonly string[];
  /** Current page, counted from 1. */
  page: number;
  pageSize: number;
  /** Number of items that can be reached by turning pages. */
  total: number;
  /** Text for the total if it is not an exact count. */
  totalText?: string;
  /** Id of the row open in the panel. */
  selectedId: string | null;
  /** Navigates to another place in the list. `replace` adds no history entry. */
  go: (place: { page: number; selectedId: string | null }, options?: { replace: boolean }) => void;
  /**
   * Loads another page and returns its first item (step 1) or its last (step -1). Without it a walk
   * ends with its page.
   */
  edgeOf?: (page: number, step: 1 | -1) => Promise<string | undefined>;
  /**
   * Finds the next pending item and its page, after the last item of a page was decided.
   */
  nextPending?: () => Promise<{ id: string; page: number } | undefined>;
  /**
   * Identifies the list by its filters and page. The position is not carried over to another list.
   */
  listName?: string;
  /**
   * True if an item of the page still waits for a decision. If set, the item that takes the place
   * of a removed one becomes current.
   */
  isPending?: (id: string) => boolean;
};

/**
 * Moves through a page of a list, and on to the next. The URL contains the open item, but not the
 * one that the keyboard is on.
 */
export function useListWalk(options: ListWalkOptions): ListWalk {
  const { ids, page, pageSize, total, selectedId, go, listName = String(page), isPending } = options;
  const { edgeOf, nextPending } = options;
  const [rows] = useState(() => new RowRegistry());
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const toFocus = useRef<string | null>(null);
  const awaited = useRef<string | null>(null);
  /** Number of the latest load of a next item; a later navigation makes it obsolete. */
  const turn = useRef(0);
  const isLoading = useRef(false);
  const latestList = useRef(listName);
  const currentId = selectedId ?? focusedId;
  const at = currentId === null ? -1 : ids.indexOf(currentId);
  // A decided item may leave the list. Navigation then continues at its position.
  const [last, setLast] = useState<{ id: string; at: number; listName: string } | null>(null);
  if (currentId !== null && at !== -1) {
    const isKnown = last?.id === currentId && last.at === at && last.listName === listName;
    if (!isKnown) setLast({ id: currentId, at, listName });
  }
  const lastAt = last !== null && last.id === currentId && last.listName === listName ? last.at : -1;
  const heir = (): string | undefined =>
    isPending === undefined || at !== -1 || lastAt === -1 ? undefined : pendingNear(ids, lastAt, isPending);

  /** Discards the item that is being loaded, because the user has navigated elsewhere. */
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
   * Moves to an item that must be loaded first, or calls `onNone`. Does nothing if loading fails or
   * the user has navigated meanwhile.
   */
  async function turnTo(
    load: () => Promise<{ id: string; page: number } | undefined>,
    onNone: () => void,
  ): Promise<void> {
    rows.releaseFocus();
    abandonTurn();
    const own = turn.current;
    isLoading.current = true;
    // A page that cannot be loaded displays the error when it is opened.
    const place = await load().catch(() => 'failed' as const);
    if (turn.current !== own) return;
    isLoading.current = false;
    if (latestList.current !== listName) return;
    if (place === undefined) onNone();
    else if (place !== 'failed') moveTo(place.id, place.page);
  }

  /** Ends the walk: no item is current. */
  function finish(): void {
    setFocusedId(null);
    if (selectedId !== null) go({ page, selectedId: null }, { replace: true });
  }

  // Runs after each render, since the row or item may only exist once the list is loaded again.
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
      // A dialog that closes returns the focus to the row it came from, which may be decided and
      // about to leave.
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

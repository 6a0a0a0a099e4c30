import { useEffect, useRef, useState } from 'react';
import { countText } from '../texts/count-text.ts';
import { mayMoveFocus, releaseFocus } from './list-focus.ts';

/** Going through a list: which row is meant, and how to get to the next one. */
export type ListWalk = {
  /** What is open in the panel, else what the keyboard is on; null while neither is. */
  currentId: string | null;
  /** `2 of 31`; absent when what is meant is not on the listed page. */
  position: string | undefined;
  open: (id: string) => void;
  close: () => void;
  /** The keyboard went to a row. */
  focus: (id: string) => void;
  /** Undefined where the list ends. */
  next: (() => void) | undefined;
  previous: (() => void) | undefined;
  /** Gives the focus back to the row that is meant, unless something else has it. */
  refocus: () => void;
};

export type ListWalkOptions = {
  /** What the page lists, from top to bottom. */
  ids: readonly string[];
  /** From 1. */
  page: number;
  pageSize: number;
  total: number;
  /** How the total is said, when it is not simply counted. */
  totalText?: string;
  /** What is open in the panel. */
  selectedId: string | null;
  /** The id of a row's element. */
  rowIdOf: (id: string) => string;
  /** Goes to another place in the list; `replace` leaves no entry for Back. */
  go: (place: { page: number; selectedId: string | null }, options?: { replace: boolean }) => void;
  /** Loads another page and answers its first row (step 1) or its last (step -1). Without it a walk ends with its page. */
  edgeOf?: (page: number, step: 1 | -1) => Promise<string | undefined>;
};

/** Moves through a page of a list, and on to the next. What is open is in the address, what the keyboard is on is not. */
export function useListWalk(options: ListWalkOptions): ListWalk {
  const { ids, page, pageSize, total, selectedId, rowIdOf, go, edgeOf } = options;
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const toFocus = useRef<string | null>(null);
  const currentId = selectedId ?? focusedId;
  const at = currentId === null ? -1 : ids.indexOf(currentId);
  // What is decided may leave the list; what took its place is next then.
  const [lastAt, setLastAt] = useState(-1);
  if (at !== -1 && at !== lastAt) setLastAt(at);

  // The row may only be there after the next page is.
  useEffect(() => {
    const target = toFocus.current;
    if (target === null || !ids.includes(target) || !mayMoveFocus()) return;
    toFocus.current = null;
    document.getElementById(rowIdOf(target))?.focus();
  });

  function show(id: string, onPage = page): void {
    setFocusedId(id);
    toFocus.current = id;
    if (selectedId !== null) go({ page: onPage, selectedId: id }, { replace: true });
    else if (onPage !== page) go({ page: onPage, selectedId: null });
  }

  async function turnPage(step: 1 | -1, edge: NonNullable<typeof edgeOf>): Promise<void> {
    releaseFocus();
    const id = await edge(page + step, step);
    if (id !== undefined) show(id, page + step);
  }

  function stepper(step: 1 | -1): (() => void) | undefined {
    if (ids.length === 0) return undefined;
    const from = at === -1 && currentId !== null ? lastAt - (step === 1 ? 1 : 0) : at;
    const target = from === -1 && step === -1 ? undefined : ids[from + step];
    if (target !== undefined) {
      return () => {
        releaseFocus();
        show(target);
      };
    }
    const isThere = step === 1 ? page * pageSize < total : page > 1;
    if (edgeOf === undefined || at === -1 || !isThere) return undefined;
    // A page that cannot be loaded leaves everything as it is; the list's own error says why when it is opened.
    return () => void turnPage(step, edgeOf).catch(() => undefined);
  }

  return {
    currentId,
    position:
      at === -1
        ? undefined
        : `${countText((page - 1) * pageSize + at + 1)} of ${options.totalText ?? countText(total)}`,
    open: (id) => {
      setFocusedId(id);
      if (id !== selectedId) go({ page, selectedId: id }, { replace: selectedId !== null });
    },
    close: () => {
      if (selectedId === null) return;
      setFocusedId(selectedId);
      toFocus.current = selectedId;
      go({ page, selectedId: null }, { replace: true });
    },
    focus: (id) => {
      toFocus.current = null;
      setFocusedId(id);
    },
    next: stepper(1),
    previous: stepper(-1),
    refocus: () => {
      if (currentId !== null && mayMoveFocus()) document.getElementById(rowIdOf(currentId))?.focus();
    },
  };
}

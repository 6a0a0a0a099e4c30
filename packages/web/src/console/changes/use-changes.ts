import type { Change } from '@winnow/contract/change';
import { useState } from 'react';
import { countText } from '../../ui/count-text.ts';
import { changeRowId } from './list/row-id.ts';
import type { ChangeList } from './queries.ts';
import { PAGE_SIZE } from './search-params.ts';
import type { ChangesNavigation } from './use-changes-search.ts';

/** Going through the list: which change is meant, and how to get to the next one. */
export type ChangesReview = {
  /** The change in the panel, else the one the keyboard is on; null while neither is. */
  currentId: string | null;
  /** `2 of 31`, for the change in the panel; absent when it is not on the listed page. */
  position: string | undefined;
  open: (changeId: string) => void;
  close: () => void;
  /** The keyboard went to a row. */
  focus: (changeId: string) => void;
  /** Undefined at the ends of the page. */
  next: (() => void) | undefined;
  previous: (() => void) | undefined;
};

/** The focus follows the change from row to row, but is not taken from the panel or a dialog. */
function mayMoveFocus(): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || active.closest('tbody') !== null;
}

function focusRow(changeId: string): void {
  if (mayMoveFocus()) document.getElementById(changeRowId(changeId))?.focus();
}

/** Moves through a page of changes. The panel's change is in the address, the keyboard's is not. */
export function useChanges(list: ChangeList | undefined, { search, go }: ChangesNavigation): ChangesReview {
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const changes: readonly Change[] = list?.changes ?? [];
  const { page, selected } = search;
  const currentId = selected ?? focusedId;
  const at = changes.findIndex(({ id }) => id === currentId);
  // A change that is decided may leave the list; the one that took its place is next then.
  const [lastAt, setLastAt] = useState(-1);
  if (at !== -1 && at !== lastAt) setLastAt(at);

  function show(changeId: string): void {
    setFocusedId(changeId);
    if (selected !== null) go({ ...search, selected: changeId }, { replace: true });
    focusRow(changeId);
  }

  function stepper(step: 1 | -1): (() => void) | undefined {
    const from = at === -1 && currentId !== null ? lastAt - (step === 1 ? 1 : 0) : at;
    const target = from === -1 && step === -1 ? undefined : changes[from + step];
    return target === undefined ? undefined : () => show(target.id);
  }

  return {
    currentId,
    position:
      at === -1
        ? undefined
        : `${countText((page - 1) * PAGE_SIZE + at + 1)} of ${countText(list?.total ?? 0)}`,
    open: (changeId) => {
      setFocusedId(changeId);
      if (changeId !== selected) go({ ...search, selected: changeId }, { replace: selected !== null });
    },
    close: () => {
      if (selected === null) return;
      setFocusedId(selected);
      go({ ...search, selected: null }, { replace: true });
      focusRow(selected);
    },
    focus: setFocusedId,
    next: stepper(1),
    previous: stepper(-1),
  };
}

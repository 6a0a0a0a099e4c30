import type { Pair } from '@winnow/contract/duplicate';
import { useState } from 'react';
import { isSelectable, rangeOf, stillSelected } from './selection.ts';

export type Selection = {
  /** In selection order. */
  pairs: readonly Pair[];
  has: (pairId: string) => boolean;
  /** Toggles a pair. With `range`, applies the same to all rows since the last toggled one. */
  toggle: (pair: Pair, range?: boolean) => void;
  /** Selects the whole page, or deselects it if fully selected. */
  togglePage: () => void;
  /** State of the page's checkbox. */
  page: 'all' | 'some' | 'none';
  /** Deselects decided pairs. */
  drop: (decided: readonly Pair[]) => void;
  clear: () => void;
};

const NO_SELECTION: ReadonlyMap<string, Pair> = new Map();

/**
 * Manages the selection of pairs for bulk actions. It persists across pages and resets when the
 * filters change.
 */
export function useSelection(listed: readonly Pair[], listName: string): Selection {
  const [selected, setSelected] = useState(NO_SELECTION);
  const [anchor, setAnchor] = useState<string | null>(null);
  const [currentList, setCurrentList] = useState(listName);
  if (listName !== currentList) {
    setCurrentList(listName);
    setSelected(NO_SELECTION);
    setAnchor(null);
  }
  const pairs = stillSelected(selected, listed);
  const ids = new Set(pairs.map(({ id }) => id));
  const selectable = listed.filter(isSelectable);
  const onPage = selectable.filter(({ id }) => ids.has(id)).length;
  const put = (changed: readonly Pair[], chosen: boolean) => {
    const next = new Map(pairs.map((pair) => [pair.id, pair]));
    for (const pair of changed) {
      if (chosen) next.set(pair.id, pair);
      else next.delete(pair.id);
    }
    setSelected(next);
  };
  return {
    pairs,
    has: (pairId) => ids.has(pairId),
    toggle: (pair, range = false) => {
      if (!isSelectable(pair)) return;
      put(range ? rangeOf(listed, anchor, pair.id) : [pair], !ids.has(pair.id));
      setAnchor(pair.id);
    },
    togglePage: () => put(selectable, onPage < selectable.length),
    page: onPage === 0 ? 'none' : onPage === selectable.length ? 'all' : 'some',
    drop: (decided) => put(decided, false),
    clear: () => setSelected(NO_SELECTION),
  };
}

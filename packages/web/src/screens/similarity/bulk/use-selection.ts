import type { Pair } from '@winnow/contract/duplicate';
import { useState } from 'react';
import { isSelectable, rangeOf, stillSelected } from './selection.ts';

export type Selection = {
  /** The selected pairs, in the order of selection. */
  pairs: readonly Pair[];
  has: (pairId: string) => boolean;
  /**
   * Selects or deselects a pair. If `range` is true, does the same with all pairs between the
   * previously clicked pair and this one.
   */
  toggle: (pair: Pair, range?: boolean) => void;
  /** Selects all pairs on the page. If all are selected, deselects them. */
  togglePage: () => void;
  /** State of the checkbox that selects all pairs on the page. */
  page: 'all' | 'some' | 'none';
  /** Deselects the given pairs, since they have been decided. */
  drop: (decided: readonly Pair[]) => void;
  clear: () => void;
};

const NO_SELECTION: ReadonlyMap<string, Pair> = new Map();

/**
 * Manages the pairs selected for bulk actions. The selection extends over several pages. It is
 * cleared when the filters change.
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

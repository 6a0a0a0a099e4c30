import type { Pair } from '@winnow/contract/duplicate';
import { useState } from 'react';
import { isSelectable, rangeOf, stillSelected } from './selection.ts';

export type Selection = {
  /** In the order in which they were selected. */
  pairs: readonly Pair[];
  has: (pairId: string) => boolean;
  /** Selects a pair or takes it out again; with `range`, all from the one before it become as it does. */
  toggle: (pair: Pair, range?: boolean) => void;
  /** Selects the page, or takes all of it out again when it is selected. */
  togglePage: () => void;
  /** Whether all of the page is selected, some of it, or none. */
  page: 'all' | 'some' | 'none';
  /** Takes out pairs that were decided about. */
  drop: (decided: readonly Pair[]) => void;
  clear: () => void;
};

const NOTHING: ReadonlyMap<string, Pair> = new Map();

/** The pairs chosen for doing one thing with all of them. It outlasts turning the page; another list begins without any. */
export function useSelection(listed: readonly Pair[], listName: string): Selection {
  const [selected, setSelected] = useState(NOTHING);
  const [anchor, setAnchor] = useState<string | null>(null);
  const [seen, setSeen] = useState(listName);
  if (listName !== seen) {
    setSeen(listName);
    setSelected(NOTHING);
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
    clear: () => setSelected(NOTHING),
  };
}

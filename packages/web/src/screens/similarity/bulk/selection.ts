import type { Pair } from '@winnow/contract/duplicate';

/** True if a pair is neither resolved nor dismissed. */
export function isSelectable({ resolution, dismissed }: Pick<Pair, 'resolution' | 'dismissed'>): boolean {
  return resolution === null && !dismissed;
}

/**
 * Returns the selected pairs with current data, in the order of selection. Omits pairs that have
 * been decided since.
 */
export function stillSelected(selected: ReadonlyMap<string, Pair>, listed: readonly Pair[]): Pair[] {
  const now = new Map(listed.map((pair) => [pair.id, pair]));
  return [...selected.values()].map((pair) => now.get(pair.id) ?? pair).filter(isSelectable);
}

/**
 * Returns the selectable pairs from one row to another, in either direction. Both rows are
 * included. If the first row is not in the list, returns only the second.
 */
export function rangeOf(listed: readonly Pair[], fromId: string | null, toId: string): Pair[] {
  const to = listed.findIndex(({ id }) => id === toId);
  const from = listed.findIndex(({ id }) => id === fromId);
  const start = from === -1 ? to : from;
  return listed.slice(Math.min(start, to), Math.max(start, to) + 1).filter(isSelectable);
}

import type { Pair } from '@winnow/contract/duplicate';

/** Whether there is still something to decide about a pair. */
export function isSelectable({ resolution, dismissed }: Pick<Pair, 'resolution' | 'dismissed'>): boolean {
  return resolution === null && !dismissed;
}

/** The selected pairs as the list has them now, in the order in which they were selected; decided ones are not among them. */
export function stillSelected(selected: ReadonlyMap<string, Pair>, listed: readonly Pair[]): Pair[] {
  const now = new Map(listed.map((pair) => [pair.id, pair]));
  return [...selected.values()].map((pair) => now.get(pair.id) ?? pair).filter(isSelectable);
}

/** The pairs of the page from one to another, both included, whichever comes first; only the other when one is not there. */
export function rangeOf(listed: readonly Pair[], fromId: string | null, toId: string): Pair[] {
  const to = listed.findIndex(({ id }) => id === toId);
  const from = listed.findIndex(({ id }) => id === fromId);
  const start = from === -1 ? to : from;
  return listed.slice(Math.min(start, to), Math.max(start, to) + 1).filter(isSelectable);
}

/** How far one of several is, and what came of it. */
export type Outcome<Done> =
  | { state: 'waiting' | 'running' | 'stopped' }
  | { state: 'done'; result: Done }
  | { state: 'failed'; reason: string };

/**
 * Does something with each item, one after the other. What fails is kept with its reason, and the rest goes on. After `isStopped`
 * says so, nothing more is begun. `onProgress` hears all outcomes whenever one changes.
 */
export async function runInOrder<Item, Done>(
  items: readonly Item[],
  act: (item: Item) => Promise<Exclude<Outcome<Done>, { state: 'waiting' | 'running' | 'stopped' }>>,
  options: { isStopped: () => boolean; onProgress: (outcomes: readonly Outcome<Done>[]) => void },
): Promise<Outcome<Done>[]> {
  const outcomes: Outcome<Done>[] = items.map(() => ({ state: 'waiting' }));
  const put = (index: number, outcome: Outcome<Done>) => {
    outcomes[index] = outcome;
    options.onProgress(outcomes.slice());
  };
  for (const [index, item] of items.entries()) {
    if (options.isStopped()) {
      put(index, { state: 'stopped' });
      continue;
    }
    put(index, { state: 'running' });
    put(index, await act(item));
  }
  return outcomes;
}

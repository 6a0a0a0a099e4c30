/** State and result of an item. */
export type Outcome<Done> =
  | { state: 'waiting' | 'running' | 'stopped' }
  | { state: 'done'; result: Done }
  | { state: 'failed'; reason: string };

/**
 * Runs `act` for each item in order. Failures are recorded with their reason and do not stop the
 * rest. No item is started once `isStopped` returns true. `onProgress` receives all outcomes on
 * every change.
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

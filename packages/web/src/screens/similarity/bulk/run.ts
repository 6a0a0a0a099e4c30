/** State and result of one item. */
export type Outcome<Done> =
  | { state: 'waiting' | 'running' | 'stopped' }
  | { state: 'done'; result: Done }
  | { state: 'failed'; reason: string };

/**
 * Runs `act` for each item in order. A failure is recorded with its reason, and the next item is
 * run. Once `isStopped` returns true, no further item is started. `onProgress` receives all
 * outcomes whenever one changes.
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

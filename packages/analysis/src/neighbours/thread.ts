import { parentPort } from 'node:worker_threads';
import type { KernelModule } from './kernel.ts';
import type { SearchPlan } from './plan.ts';
import { type FoundLists, TileSearch } from './tile-search.ts';

/** Messages to the thread: join a search, or end. */
export type ToThread =
  | { readonly type: 'search'; readonly id: number; readonly plan: SearchPlan; readonly module: KernelModule }
  | { readonly type: 'close' };

/** Messages from the thread at the end of a search: the result, or the reason of a failure. */
export type FromThread =
  | { readonly type: 'found'; readonly id: number; readonly lists: FoundLists }
  | { readonly type: 'failed'; readonly id: number; readonly reason: string };

/**
 * Milliseconds for which the thread works on one search before it continues another. A short search
 * then does not wait for a long one.
 */
const turnMs = 5;

interface Search {
  readonly id: number;
  readonly tiles: TileSearch;
}

const searches: Search[] = [];

parentPort?.on('message', (message: ToThread) => {
  if (message.type === 'close') {
    searches.length = 0;
    parentPort?.close();
    return;
  }
  attempt(message.id, () => {
    searches.push({ id: message.id, tiles: new TileSearch(message.plan, message.module) });
    if (searches.length === 1) takeTurn();
  });
});

function takeTurn(): void {
  const search = searches.shift();
  if (search === undefined) return;
  attempt(search.id, () => {
    const turnEnd = performance.now() + turnMs;
    let isLeft = search.tiles.work();
    while (isLeft && performance.now() < turnEnd) isLeft = search.tiles.work();
    if (isLeft) {
      searches.push(search);
      return;
    }
    const lists = search.tiles.lists();
    answer({ type: 'found', id: search.id, lists }, [lists.sizes.buffer, lists.entries.buffer]);
  });
  if (searches.length > 0) setImmediate(takeTurn);
}

function attempt(id: number, action: () => void): void {
  try {
    action();
  } catch (error) {
    answer({ type: 'failed', id, reason: error instanceof Error ? error.message : String(error) }, []);
  }
}

function answer(message: FromThread, transfer: ArrayBuffer[]): void {
  parentPort?.postMessage(message, transfer);
}

import { Worker } from 'node:worker_threads';
import type { KernelModule } from './kernel.ts';
import { NeighboursUnavailable } from './neighbours-unavailable.ts';
import type { SearchPlan } from './plan.ts';
import type { FromThread, ToThread } from './thread.ts';
import type { FoundLists } from './tile-search.ts';

interface Waiting {
  readonly resolve: (lists: FoundLists) => void;
  readonly reject: (error: NeighboursUnavailable) => void;
}

/** Handle of a search thread. */
export class SearchThread {
  readonly #worker = new Worker(new URL('./thread.ts', import.meta.url), {
    // The thread works in the memory of WebAssembly and needs hardly any JavaScript heap.
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
  });
  readonly #ended = Promise.withResolvers<void>();
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #failure: NeighboursUnavailable | null = null;

  constructor() {
    this.#worker.unref();
    this.#worker.on('message', (message: FromThread) => this.#settle(message));
    this.#worker.on('error', (cause) => this.#fail(new NeighboursUnavailable(stopped, { cause })));
    this.#worker.on('exit', () => {
      this.#fail(new NeighboursUnavailable(stopped));
      this.#ended.resolve();
    });
  }

  /** True if the thread has not ended or failed. */
  get isAlive(): boolean {
    return this.#failure === null;
  }

  /**
   * Processes tasks of the plan until none is left. Returns the neighbors that this thread found.
   *
   * @throws {NeighboursUnavailable} if the thread is closed or has ended
   */
  search(plan: SearchPlan, module: KernelModule): Promise<FoundLists> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    const { promise, resolve, reject } = Promise.withResolvers<FoundLists>();
    const id = ++this.#lastId;
    this.#waiting.set(id, { resolve, reject });
    this.#worker.ref();
    this.#post({ type: 'search', id, plan, module });
    return promise;
  }

  /** Ends the thread. Searches in progress are rejected. */
  async close(): Promise<void> {
    this.#fail(new NeighboursUnavailable('The search for neighbors was closed.'));
    this.#worker.ref();
    this.#post({ type: 'close' });
    await this.#ended.promise;
  }

  #settle(message: FromThread): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    // Without a running search, the thread must not keep the process alive.
    if (this.#waiting.size === 0) this.#worker.unref();
    if (message.type === 'found') waiting?.resolve(message.lists);
    else {
      const cause = new Error(message.reason);
      waiting?.reject(new NeighboursUnavailable('The search for neighbors failed.', { cause }));
    }
  }

  #fail(error: NeighboursUnavailable): void {
    this.#failure ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure);
    this.#waiting.clear();
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }
}

const stopped = 'The search for neighbors stopped unexpectedly: try again.';

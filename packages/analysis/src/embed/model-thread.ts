import { Worker } from 'node:worker_threads';
import { ModelUnavailable } from './model-unavailable.ts';
import type { FromThread, ThreadData, ToThread } from './thread.ts';

interface Waiting {
  readonly resolve: (vectors: Float32Array<ArrayBuffer>) => void;
  readonly reject: (error: ModelUnavailable) => void;
}

const stopped = 'The embedding model stopped working: restart the server.';
const notStarted = 'The embedding model could not be started on this machine: see the log for the reason.';
const closed = 'The embedding model was closed.';

/** Handle of a model copy that runs in its own thread. */
export class ModelThread {
  /**
   * Resolves to the length of the vectors when the model is loaded. Rejects with {@link
   * ModelUnavailable} if loading fails.
   */
  readonly ready: Promise<number>;
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #failure: ModelUnavailable | null = null;

  constructor(data: ThreadData) {
    const ready = Promise.withResolvers<number>();
    const ended = Promise.withResolvers<void>();
    let loaded = false;
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: data,
      // Loading allocates many short-lived objects. Without this limit, they would leave 15 MB of
      // unused heap.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    worker.on('message', (message: FromThread) => {
      if (message.type === 'ready') {
        loaded = true;
        ready.resolve(message.dimensions);
      } else if (message.type === 'unavailable') {
        const { notice, reason } = message;
        this.#fail(new ModelUnavailable(message.message, { notice, cause: new Error(reason) }));
      } else this.#settle(message);
    });
    worker.on('error', (cause) => this.#fail(new ModelUnavailable(loaded ? stopped : notStarted, { cause })));
    worker.on('exit', () => {
      ready.reject(this.#fail(new ModelUnavailable(stopped)));
      ended.resolve();
    });
    this.#worker = worker;
    this.#ended = ended.promise;
    this.ready = ready.promise.finally(() => worker.unref());
  }

  /** Number of pending calls of `embed`. */
  get load(): number {
    return this.#waiting.size;
  }

  /**
   * Embeds texts and returns their vectors, concatenated. Concurrent calls take turns.
   *
   * @throws {ModelUnavailable} if the model is closed or its thread has ended
   */
  embed(texts: readonly string[]): Promise<Float32Array<ArrayBuffer>> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array<ArrayBuffer>>();
    const id = ++this.#lastId;
    this.#waiting.set(id, { resolve, reject });
    this.#worker.ref();
    this.#post({ type: 'embed', id, texts });
    return promise;
  }

  /** Unloads the model and ends the thread. Pending calls are rejected. */
  async close(): Promise<void> {
    this.#fail(new ModelUnavailable(closed));
    this.#worker.ref();
    this.#post({ type: 'close' });
    await this.#ended;
  }

  #settle(message: Extract<FromThread, { readonly id: number }>): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    // Without pending calls, the thread must not keep the process alive.
    if (this.#waiting.size === 0) this.#worker.unref();
    if (message.type === 'embedded') waiting?.resolve(message.vectors);
    else {
      const cause = new Error(message.reason);
      waiting?.reject(new ModelUnavailable('The embedding model failed on a text.', { cause }));
    }
  }

  /**
   * Stores why the model is unavailable, and rejects all pending calls with this error. If an
   * earlier error is stored, that one remains. Returns the stored error.
   */
  #fail(error: ModelUnavailable): ModelUnavailable {
    this.#failure ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure);
    this.#waiting.clear();
    return this.#failure;
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }
}

import { Worker } from 'node:worker_threads';
import { DatabaseUnavailable } from '../../platform/database-unavailable.ts';
import type { EngineAnswer, EngineCalls, EngineMethod, EngineThreadData } from './messages.ts';

interface Waiting {
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
}

/** Thrown if the engine thread stopped during a call. The next call starts a new thread. */
export class EngineStopped extends Error {
  override readonly name = 'EngineStopped';

  constructor(cause?: unknown) {
    super('The analysis engine stopped.', { cause });
  }
}

/**
 * Runs embedding, scans and scoring in a worker thread that holds the index of each account. The
 * thread starts with the first call and restarts after a crash. It accesses the database itself.
 */
export class Engine {
  readonly #data: EngineThreadData;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #lastId = 0;
  #closed = false;

  constructor(data: EngineThreadData) {
    this.#data = data;
  }

  /**
   * Calls the thread. Rejects with the thread's error (`DatabaseUnavailable` if the database is
   * unreachable) or {@link EngineStopped}.
   */
  call<M extends EngineMethod>(
    method: M,
    request: EngineCalls[M]['request'],
  ): Promise<EngineCalls[M]['answer']> {
    if (this.#closed) return Promise.reject(new EngineStopped());
    const worker = this.#worker ?? this.#start();
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<EngineCalls[M]['answer']>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, method, request });
    });
  }

  /** Stops the thread. Pending calls are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: this.#data,
      // Loading issues creates much short-lived garbage. By default V8 would reserve 48 MB of young
      // heap for it.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    let failure: unknown;
    worker.on('message', (message: EngineAnswer) => {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (!waiting) return;
      if ('answer' in message) waiting.resolve(message.answer as never);
      else waiting.reject(asThrown(message));
    });
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null;
      const waiting = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const { reject } of waiting) reject(new EngineStopped(failure));
    });
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}

/** Creates an error from the text that the thread sent. */
function asThrown({ error, databaseIsAway }: Extract<EngineAnswer, { error: unknown }>): Error {
  const thrown = Object.assign(new Error(error.message), error);
  return databaseIsAway ? new DatabaseUnavailable(thrown) : thrown;
}

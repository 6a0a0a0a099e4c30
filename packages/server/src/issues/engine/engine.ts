import { Worker } from 'node:worker_threads';
import { DatabaseUnavailable } from '../../platform/database-unavailable.ts';
import type { EngineAnswer, EngineCalls, EngineMethod, EngineThreadData } from './messages.ts';

interface Waiting {
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
}

/** Thrown if the engine thread stopped during a call. The next call starts the thread again. */
export class EngineStopped extends Error {
  override readonly name = 'EngineStopped';

  constructor(cause?: unknown) {
    super('The analysis engine stopped.', { cause });
  }
}

/**
 * Runs embedding, pair search and scoring in a worker thread, which holds the index of each
 * account. The thread starts at the first call, and again after a crash. It has its own connection
 * to the database.
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
   * Calls a method of the thread. Rejects with the thread's error (`DatabaseUnavailable` if the
   * database is unreachable), or with {@link EngineStopped}.
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

  /** Stops the thread. Rejects all pending calls. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: this.#data,
      // Limits the memory for young objects, in MB. Loading issues creates many short-lived
      // objects, for which V8 would reserve 48 MB by default.
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

/** Creates an error from the error message that the thread sent. */
function asThrown({ error, databaseIsAway }: Extract<EngineAnswer, { error: unknown }>): Error {
  const thrown = Object.assign(new Error(error.message), error);
  return databaseIsAway ? new DatabaseUnavailable(thrown) : thrown;
}

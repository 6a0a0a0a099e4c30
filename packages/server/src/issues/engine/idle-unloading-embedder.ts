import { type Embedder, ModelUnavailable } from '@winnow/analysis/embed';

/**
 * An embedder that unloads its model (100 MB) when idle and reloads it with the next call (0.5 s).
 * Calls must not overlap.
 */
export class IdleUnloadingEmbedder implements Embedder {
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly #open: () => Promise<Embedder>;
  readonly #restAfterMs: number;
  #model: Embedder | null;
  #timer: NodeJS.Timeout | null = null;
  #keptUntil = 0;
  #letting: Promise<void> = Promise.resolve();

  private constructor(model: Embedder, open: () => Promise<Embedder>, restAfterMs: number) {
    this.fingerprint = model.fingerprint;
    this.dimensions = model.dimensions;
    this.#model = model;
    this.#open = open;
    this.#restAfterMs = restAfterMs;
    this.#restLater();
  }

  /** Loads the model once to verify that it works. Throws what `open` throws. */
  static async start(open: () => Promise<Embedder>, restAfterMs: number): Promise<IdleUnloadingEmbedder> {
    return new IdleUnloadingEmbedder(await open(), open, restAfterMs);
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#letting;
    this.#model ??= await this.#reopen();
    try {
      return await this.#model.embed(texts);
    } finally {
      this.#restLater();
    }
  }

  /** Keeps the model loaded for at least this time, because another call is expected soon. */
  keepFor(ms: number): void {
    this.#keptUntil = performance.now() + ms;
  }

  /** The model's files may have been replaced while it was unloaded. */
  async #reopen(): Promise<Embedder> {
    const model = await this.#open();
    if (model.fingerprint === this.fingerprint) return model;
    await model.close();
    throw new ModelUnavailable('The files of the embedding model changed: restart the server.');
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#letGo();
  }

  #restLater(): void {
    const restAfterMs = Math.max(this.#restAfterMs, this.#keptUntil - performance.now());
    this.#timer = setTimeout(() => {
      this.#letting = this.#letGo();
    }, restAfterMs).unref();
  }

  async #letGo(): Promise<void> {
    const model = this.#model;
    this.#model = null;
    await model?.close();
  }
}

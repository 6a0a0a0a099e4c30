import type { Embedder } from '@winnow/analysis/embed';

/**
 * An embedder whose model is let go when nothing was embedded for a while (it takes 100 MB), and loaded again with the
 * next call (half a second). Calls must not overlap.
 */
export class RestingEmbedder implements Embedder {
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

  /** Loads the model once, so that it is known to work. Throws what `open` throws. */
  static async start(open: () => Promise<Embedder>, restAfterMs: number): Promise<RestingEmbedder> {
    return new RestingEmbedder(await open(), open, restAfterMs);
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#letting;
    this.#model ??= await this.#open();
    try {
      return await this.#model.embed(texts);
    } finally {
      this.#restLater();
    }
  }

  /** Does not let the model go for so long, since somebody is about to call again and would wait. */
  keepFor(ms: number): void {
    this.#keptUntil = performance.now() + ms;
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

import { type Embedder, ModelUnavailable } from '@winnow/analysis/embed';

interface IdleUnloadingOptions {
  /**
   * Idle time after which the model is unloaded. Also the time after a failed reload during which
   * no reload is tried.
   */
  unloadAfterMs: number;
  /** Called if the model cannot be reloaded. */
  onUnavailable?: (error: ModelUnavailable) => void;
}

/**
 * An embedder that unloads its model (100 MB) when it is idle, and reloads it at the next call (0.5
 * s). Calls must not overlap.
 *
 * While the model's files are missing or differ from the original ones, calls reject with {@link
 * ModelUnavailable}. Once the original files are restored, calls succeed again.
 */
export class IdleUnloadingEmbedder implements Embedder {
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly #open: () => Promise<Embedder>;
  readonly #options: IdleUnloadingOptions;
  #model: Embedder | null;
  #timer: NodeJS.Timeout | null = null;
  #loadedUntil = 0;
  /**
   * Last failed reload, or null. Until `untilMs`, calls reject with the same error without another
   * attempt.
   */
  #failure: { error: ModelUnavailable; untilMs: number } | null = null;
  #unloading: Promise<void> = Promise.resolve();

  private constructor(model: Embedder, open: () => Promise<Embedder>, options: IdleUnloadingOptions) {
    this.fingerprint = model.fingerprint;
    this.dimensions = model.dimensions;
    this.#model = model;
    this.#open = open;
    this.#options = options;
    this.#scheduleUnload();
  }

  /**
   * Loads the model once to verify that it works. If `open` throws, this function throws the same
   * error.
   */
  static async start(
    open: () => Promise<Embedder>,
    options: IdleUnloadingOptions,
  ): Promise<IdleUnloadingEmbedder> {
    return new IdleUnloadingEmbedder(await open(), open, options);
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#unloading;
    this.#model ??= await this.#reopen();
    try {
      return await this.#model.embed(texts);
    } finally {
      this.#scheduleUnload();
    }
  }

  /** Keeps the model loaded for at least this time, because another call is likely to follow. */
  keepFor(ms: number): void {
    this.#loadedUntil = performance.now() + ms;
  }

  async #reopen(): Promise<Embedder> {
    if (this.#failure !== null && performance.now() < this.#failure.untilMs) throw this.#failure.error;
    this.#failure = null;
    try {
      return await this.#openSame();
    } catch (error) {
      if (!(error instanceof ModelUnavailable)) throw error;
      this.#failure = { error, untilMs: performance.now() + this.#options.unloadAfterMs };
      this.#options.onUnavailable?.(error);
      throw error;
    }
  }

  /** Opens the model again. Throws if its files have changed since it was unloaded. */
  async #openSame(): Promise<Embedder> {
    const model = await this.#open();
    if (model.fingerprint === this.fingerprint) return model;
    await model.close();
    throw new ModelUnavailable('The files of the embedding model changed: restart the server.');
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#unload();
  }

  #scheduleUnload(): void {
    const unloadAfterMs = Math.max(this.#options.unloadAfterMs, this.#loadedUntil - performance.now());
    this.#timer = setTimeout(() => {
      this.#unloading = this.#unload();
    }, unloadAfterMs).unref();
  }

  async #unload(): Promise<void> {
    const model = this.#model;
    this.#model = null;
    await model?.close();
  }
}

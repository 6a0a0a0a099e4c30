import { createHash } from 'node:crypto';
import type { Embedder } from '@winnow/analysis/embed';

/**
 * An embedder that caches recent vectors, because many texts occur more than once. For example, all
 * accounts have the same sample backlog, and a user may connect a backlog twice. Runs one call at a
 * time.
 */
export class CachingEmbedder implements Embedder {
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly #embedder: Embedder;
  readonly #maxTexts: number;
  /** Cached vectors by hash of the text. The least recently used vector comes first. */
  readonly #vectors = new Map<string, Float32Array>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(embedder: Embedder, maxTexts: number) {
    this.fingerprint = embedder.fingerprint;
    this.dimensions = embedder.dimensions;
    this.#embedder = embedder;
    this.#maxTexts = maxTexts;
  }

  embed(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors = this.#last.then(() => this.#embed(texts));
    this.#last = vectors.catch(() => undefined);
    return vectors;
  }

  async #embed(texts: readonly string[]): Promise<Float32Array[]> {
    const keys = texts.map(textHash);
    const unknown = texts.filter((_, index) => !this.#vectors.has(keys[index] ?? ''));
    const embedded = unknown.length > 0 ? await this.#embedder.embed(unknown) : [];
    const made = embedded.values();
    const vectors = keys.flatMap((key) => this.#vectors.get(key) ?? made.next().value ?? []);
    for (const [index, vector] of vectors.entries()) this.#cache(keys[index] ?? '', vector);
    return vectors;
  }

  close(): Promise<void> {
    return this.#embedder.close();
  }

  #cache(key: string, vector: Float32Array): void {
    this.#vectors.delete(key);
    this.#vectors.set(key, vector);
    for (const leastRecent of this.#vectors.keys()) {
      if (this.#vectors.size <= this.#maxTexts) return;
      this.#vectors.delete(leastRecent);
    }
  }
}

/** Returns a hash of the text as key for the cache, because texts may be long. */
function textHash(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

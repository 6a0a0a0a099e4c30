import { createHash } from 'node:crypto';
import type { Embedder } from '@winnow/analysis/embed';

/**
 * An embedder that keeps the vectors of the texts it was asked for last, so that a text that comes again costs nothing:
 * everybody's sample backlog is the same, and a backlog may be connected twice. Calls wait for each other.
 */
export class RememberingEmbedder implements Embedder {
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly #embedder: Embedder;
  readonly #mostTexts: number;
  /** By the hash of the text; those asked for longest ago come first. */
  readonly #vectors = new Map<string, Float32Array>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(embedder: Embedder, mostTexts: number) {
    this.fingerprint = embedder.fingerprint;
    this.dimensions = embedder.dimensions;
    this.#embedder = embedder;
    this.#mostTexts = mostTexts;
  }

  embed(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors = this.#last.then(() => this.#embed(texts));
    this.#last = vectors.catch(() => undefined);
    return vectors;
  }

  async #embed(texts: readonly string[]): Promise<Float32Array[]> {
    const keys = texts.map(keyOf);
    const unknown = texts.filter((_, index) => !this.#vectors.has(keys[index] ?? ''));
    const embedded = unknown.length > 0 ? await this.#embedder.embed(unknown) : [];
    const made = embedded.values();
    const vectors = keys.flatMap((key) => this.#vectors.get(key) ?? made.next().value ?? []);
    for (const [index, vector] of vectors.entries()) this.#keep(keys[index] ?? '', vector);
    return vectors;
  }

  close(): Promise<void> {
    return this.#embedder.close();
  }

  #keep(key: string, vector: Float32Array): void {
    this.#vectors.delete(key);
    this.#vectors.set(key, vector);
    for (const longestAgo of this.#vectors.keys()) {
      if (this.#vectors.size <= this.#mostTexts) return;
      this.#vectors.delete(longestAgo);
    }
  }
}

/** Short, however long the text is. */
function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

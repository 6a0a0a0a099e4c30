import { installedModelFolder, modelFiles } from './minilm/model-files.ts';
import { miniLm } from './minilm/model-sizes.ts';
import { ModelThread } from './minilm/model-thread.ts';
import { ModelUnavailable } from './minilm/model-unavailable.ts';

export { ModelUnavailable };

/** Turns texts into vectors whose dot products tell how alike the texts are in meaning. */
export interface Embedder {
  /** Names everything a vector depends on. Vectors of different fingerprints must never be compared. */
  readonly fingerprint: string;
  readonly dimensions: number;
  /** One vector of length 1 for each text, in the order of the texts. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /** Frees the model; calls under way are rejected. */
  close(): Promise<void>;
}

/** How MiniLM is opened. */
export interface MiniLmOptions {
  /** Texts worked on at the same time, each by a copy of the model in a thread of its own; default 1. */
  readonly threads?: number;
  /** Longest text in tokens, 3 to 512; the rest of it is not read. Default 128. */
  readonly maxTokens?: number;
  /** Where the model's files are, a URL ending in a slash; default: in the installed package. */
  readonly folder?: URL;
}

/** Goes up when the graph or the rounding of the weights changes, and with it every vector. */
const quantization = 'int7x8-1';

/** Most texts in one message to a thread, so that a large call does not sit in memory twice. */
const mostTextsPerOrder = 32;

/** Orders a call keeps with each thread: one being worked on and one ready to follow. */
const ordersPerThread = 2;

/**
 * Loads all-MiniLM-L6-v2 away from the caller's thread, so that embedding does not hold up its event loop.
 * A vector depends on its text alone, not on the other texts of the call; the empty text has one too.
 * @throws {ModelUnavailable} when the model cannot be loaded; the server then compares words only.
 * @throws {RangeError} when an option is out of range.
 */
export async function openMiniLm(options: MiniLmOptions = {}): Promise<Embedder> {
  const { threads: count = 1, maxTokens = 128, folder = installedModelFolder() } = options;
  if (!Number.isInteger(count) || count < 1) throw new RangeError(`threads must be 1 or more: ${count}.`);
  if (!Number.isInteger(maxTokens) || maxTokens < 3 || maxTokens > miniLm.positions) {
    throw new RangeError(`maxTokens must be 3 to ${miniLm.positions}: ${maxTokens}.`);
  }
  const threads = Array.from({ length: count }, () => new ModelThread({ folder: folder.href, maxTokens }));
  try {
    await Promise.all(threads.map((thread) => thread.ready));
  } catch (error) {
    await Promise.all(threads.map((thread) => thread.close()));
    throw error;
  }
  return new MiniLm(threads, fingerprintFor(maxTokens));
}

function fingerprintFor(maxTokens: number): string {
  const files = [modelFiles.weights.sha256.slice(0, 8), modelFiles.tokenizer.sha256.slice(0, 8)];
  return ['all-MiniLM-L6-v2', ...files, quantization, maxTokens].join(':');
}

class MiniLm implements Embedder {
  readonly dimensions = miniLm.width;
  readonly fingerprint: string;
  readonly #threads: readonly ModelThread[];

  constructor(threads: readonly ModelThread[], fingerprint: string) {
    this.#threads = threads;
    this.fingerprint = fingerprint;
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    const lanes = this.#threads.length * ordersPerThread;
    const size = Math.min(mostTextsPerOrder, Math.ceil(texts.length / lanes));
    let next = 0;
    const work = async (thread: ModelThread): Promise<void> => {
      while (next < texts.length) {
        const first = next;
        next += size;
        const joined = await thread.embed(texts.slice(first, first + size));
        for (let at = 0; at < joined.length; at += this.dimensions) {
          vectors[first + at / this.dimensions] = joined.slice(at, at + this.dimensions);
        }
      }
    };
    const idlestFirst = this.#threads.toSorted((a, b) => a.load - b.load);
    await Promise.all(Array.from({ length: ordersPerThread }, () => idlestFirst.map(work)).flat());
    return vectors;
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

import { installedModelFolder, modelFiles } from './embed/model-files.ts';
import { miniLm } from './embed/model-sizes.ts';
import { ModelThread } from './embed/model-thread.ts';
import { ModelUnavailable } from './embed/model-unavailable.ts';
import type { ThreadData } from './embed/thread.ts';
import { readModelFolder } from './model-folder.ts';

export { ModelUnavailable };

/** Converts texts to vectors. The dot product of two vectors is the similarity of their texts. */
export interface Embedder {
  /**
   * Identifies everything that vectors depend on. Never compare vectors with different
   * fingerprints.
   */
  readonly fingerprint: string;
  readonly dimensions: number;
  /** Returns one vector of length 1 per text, in the same order. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /** Unloads the model. Pending calls are rejected. */
  close(): Promise<void>;
}

/** Options of `openMiniLm`. */
export interface MiniLmOptions {
  /**
   * Number of threads. Each has its own copy of the model and embeds one text at a time. Default 1.
   */
  readonly threads?: number;
  /** Maximum tokens of a text, 3 to 512. Further tokens are ignored. Default 128. */
  readonly maxTokens?: number;
  /**
   * URL of the folder with the model's files; it ends with a slash. Default: the installed package.
   */
  readonly folder?: URL;
}

/**
 * Default maximum tokens per text. Issues state their topic early, and the time grows with the
 * length.
 */
const DEFAULT_MAX_TOKENS = 128;

/** Version of the model graph and of the rounding of its weights. Vectors depend on both. */
const quantization = 'int7x8-1';

/** Maximum texts per message to a thread. A large call would otherwise be in memory twice. */
const maxTextsPerOrder = 32;

/** Pending messages per thread and call: one in progress, and one that follows without delay. */
const ordersPerThread = 2;

/**
 * Loads all-MiniLM-L6-v2 in separate threads, so that embedding does not block the event loop. A
 * vector depends only on its own text. The empty text also has a vector.
 *
 * @throws {ModelUnavailable} if the model cannot be loaded. The server then compares only words.
 * @throws {RangeError} if an option is out of range
 */
export async function openMiniLm(options: MiniLmOptions = {}): Promise<Embedder> {
  const { threads: count = 1, maxTokens = DEFAULT_MAX_TOKENS, folder = installedModelFolder() } = options;
  if (!Number.isInteger(count) || count < 1) throw new RangeError(`threads must be 1 or more: ${count}.`);
  if (!Number.isInteger(maxTokens) || maxTokens < 3 || maxTokens > miniLm.positions) {
    throw new RangeError(`maxTokens must be 3 to ${miniLm.positions}: ${maxTokens}.`);
  }
  return openThreads(count, { type: 'minilm', folder: folder.href, maxTokens }, fingerprintFor(maxTokens));
}

/**
 * Loads the model from the operator's folder. If `folder` is null, loads MiniLM.
 *
 * @throws {ModelUnavailable} if the model cannot be loaded. The message says what to change.
 */
export async function openModel(folder: string | null): Promise<Embedder> {
  if (folder === null) return openMiniLm();
  const model = await readModelFolder(folder);
  return openThreads(1, { type: 'folder', model }, model.fingerprint);
}

/**
 * Returns the fingerprint of the model that `openModel` would load, without loading it.
 *
 * @throws {ModelUnavailable} if the folder contains no valid model
 */
export async function modelFingerprint(folder: string | null): Promise<string> {
  return folder === null ? fingerprintFor(DEFAULT_MAX_TOKENS) : (await readModelFolder(folder)).fingerprint;
}

async function openThreads(count: number, data: ThreadData, fingerprint: string): Promise<Embedder> {
  const threads = Array.from({ length: count }, () => new ModelThread(data));
  try {
    const [dimensions = 0] = await Promise.all(threads.map((thread) => thread.ready));
    return new ThreadedModel(threads, fingerprint, dimensions);
  } catch (error) {
    await Promise.all(threads.map((thread) => thread.close()));
    throw error;
  }
}

function fingerprintFor(maxTokens: number): string {
  const files = [modelFiles.weights.sha256.slice(0, 8), modelFiles.tokenizer.sha256.slice(0, 8)];
  return ['all-MiniLM-L6-v2', ...files, quantization, maxTokens].join(':');
}

class ThreadedModel implements Embedder {
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly #threads: readonly ModelThread[];

  constructor(threads: readonly ModelThread[], fingerprint: string, dimensions: number) {
    this.#threads = threads;
    this.dimensions = dimensions;
    this.fingerprint = fingerprint;
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    const lanes = this.#threads.length * ordersPerThread;
    const size = Math.min(maxTextsPerOrder, Math.ceil(texts.length / lanes));
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

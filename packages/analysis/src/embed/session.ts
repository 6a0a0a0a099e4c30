import { InferenceSession, Tensor } from 'onnxruntime-node';
import { buildGraph, type Precision } from './graph.ts';
import { modelFiles, readModelFile } from './model-files.ts';
import { ModelUnavailable } from './model-unavailable.ts';
import { HalfTensors } from './safetensors.ts';
import { WordPiece } from './wordpiece.ts';

/** Options of a session. */
export interface SessionOptions {
  /** URL of the folder with the model's files; it ends with a slash. */
  readonly folder: URL;
  /** Maximum tokens of a text. Further tokens are ignored. */
  readonly maxTokens: number;
  readonly precision: Precision;
}

/** The loaded MiniLM model. Embedding blocks the thread, so run it in a separate one. */
export class MiniLmSession {
  readonly #session: InferenceSession;
  readonly #tokenizer: WordPiece;
  readonly #maxTokens: number;
  readonly #positions: Int32Array<ArrayBuffer>;

  private constructor(session: InferenceSession, tokenizer: WordPiece, maxTokens: number) {
    this.#session = session;
    this.#tokenizer = tokenizer;
    this.#maxTokens = maxTokens;
    this.#positions = Int32Array.from({ length: maxTokens }, (_, position) => position);
  }

  /**
   * Reads the model's files, checks their hashes, builds the graph and loads it.
   *
   * @throws {ModelUnavailable} if a step fails
   */
  static async open(options: SessionOptions): Promise<MiniLmSession> {
    const tokenizerBytes = await readModelFile(options.folder, modelFiles.tokenizer);
    const weights = await readModelFile(options.folder, modelFiles.weights);
    try {
      const tokenizer = new WordPiece(new TextDecoder().decode(tokenizerBytes));
      const graph = buildGraph(new HalfTensors(weights), options.precision);
      release(weights);
      const session = await InferenceSession.create(graph, {
        // With several threads per run, waiting threads spin. On two idle processors, a run was 1.6
        // times as fast; under other load, half as fast (measured). Use one session per thread
        // instead.
        intraOpNumThreads: 1,
        // The graph is already optimized. Fusing nodes would bring back the slow
        // `SkipLayerNormalization`.
        graphOptimizationLevel: 'disabled',
        // Without the arena, memory is released between texts of different lengths. This costs no
        // time (measured).
        enableCpuMemArena: false,
      });
      release(graph);
      return new MiniLmSession(session, tokenizer, options.maxTokens);
    } catch (cause) {
      throw new ModelUnavailable(
        'The embedding model could not be started on this machine: see the log for what onnxruntime reported.',
        { cause },
      );
    }
  }

  /** Returns the vector of a text: 384 numbers, normalized to length 1. Deterministic. */
  async embed(text: string): Promise<Float32Array> {
    const ids = this.#tokenizer.encode(text, this.#maxTokens);
    const positions = this.#positions.subarray(0, ids.length);
    const { sentence_embedding: vector } = await this.#session.run({
      input_ids: new Tensor('int32', ids, [1, ids.length]),
      position_ids: new Tensor('int32', positions, [ids.length]),
    });
    if (!(vector?.data instanceof Float32Array)) throw new Error('The embedding model gave no vector.');
    return vector.data;
  }

  /** Unloads the model. */
  async close(): Promise<void> {
    await this.#session.release();
  }
}

/**
 * Releases the memory at once. It may be tens of megabytes, and the next garbage collection may be
 * far off.
 */
function release(bytes: Uint8Array<ArrayBuffer>): void {
  bytes.buffer.transfer(0);
}

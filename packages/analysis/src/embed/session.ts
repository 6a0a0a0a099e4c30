import { InferenceSession, Tensor } from 'onnxruntime-node';
import { buildGraph, type Precision } from './graph.ts';
import { modelFiles, readModelFile } from './model-files.ts';
import { ModelUnavailable } from './model-unavailable.ts';
import { HalfTensors } from './safetensors.ts';
import { WordPiece } from './wordpiece.ts';

/** Options of a session. */
export interface SessionOptions {
  /** Folder of the model's files, a URL with a trailing slash. */
  readonly folder: URL;
  /** Maximum length of a text in tokens. The rest is ignored. */
  readonly maxTokens: number;
  readonly precision: Precision;
}

/** The loaded model. It blocks its thread, so it should run in a separate one. */
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
   * Reads and checks the model's files, builds the graph and loads it.
   *
   * @throws {ModelUnavailable} if any of that fails
   */
  static async open(options: SessionOptions): Promise<MiniLmSession> {
    const tokenizerBytes = await readModelFile(options.folder, modelFiles.tokenizer);
    const weights = await readModelFile(options.folder, modelFiles.weights);
    try {
      const tokenizer = new WordPiece(new TextDecoder().decode(tokenizerBytes));
      const graph = buildGraph(new HalfTensors(weights), options.precision);
      release(weights);
      const session = await InferenceSession.create(graph, {
        // Threads within a run wait by spinning. On two idle processors they ran 1.6 times as fast,
        // but under other load half as fast (measured). Use one session per thread instead.
        intraOpNumThreads: 1,
        // The graph is already optimized. Fusing would restore the slow skip normalization.
        graphOptimizationLevel: 'disabled',
        // Costs no time (measured) and releases memory between texts of different lengths.
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

  /** Returns the vector of a text: 384 numbers, length 1. Deterministic. */
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

  /** Frees the model. */
  async close(): Promise<void> {
    await this.#session.release();
  }
}

/** Releases tens of megabytes immediately instead of at the next garbage collection. */
function release(bytes: Uint8Array<ArrayBuffer>): void {
  bytes.buffer.transfer(0);
}

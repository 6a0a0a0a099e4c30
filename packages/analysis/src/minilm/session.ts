import { InferenceSession, Tensor } from 'onnxruntime-node';
import { buildGraph, type Precision } from './graph.ts';
import { modelFiles, readModelFile } from './model-files.ts';
import { ModelUnavailable } from './model-unavailable.ts';
import { HalfTensors } from './safetensors.ts';
import { WordPiece } from './wordpiece.ts';

/** What a session is opened with. */
export interface SessionOptions {
  /** Folder of the model's files, a URL ending in a slash. */
  readonly folder: URL;
  /** Longest text in tokens; the rest of it is not read. */
  readonly maxTokens: number;
  readonly precision: Precision;
}

/** The model, loaded. It holds up the thread it runs on, so it belongs in a thread of its own. */
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
   * @throws {ModelUnavailable} when any of that fails.
   */
  static async open(options: SessionOptions): Promise<MiniLmSession> {
    const tokenizerBytes = await readModelFile(options.folder, modelFiles.tokenizer);
    const weights = await readModelFile(options.folder, modelFiles.weights);
    try {
      const tokenizer = new WordPiece(new TextDecoder().decode(tokenizerBytes));
      const graph = buildGraph(new HalfTensors(weights), options.precision);
      release(weights);
      const session = await InferenceSession.create(graph, {
        // Threads inside a run wait for each other by spinning: alone on two processors they gave 1.6 times the speed,
        // beside other work half of it (measured). Sessions in threads of their own do not need each other.
        intraOpNumThreads: 1,
        // The graph is written as it should run; fusing would bring back the slow skip normalisation.
        graphOptimizationLevel: 'disabled',
        // Costs no time (measured) and gives memory back between texts of different lengths.
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

  /** The vector of a text: 384 numbers, length 1. The same text always gives the same vector. */
  async embed(text: string): Promise<Float32Array> {
    const ids = this.#tokenizer.encode(text, this.#maxTokens);
    const positions = this.#positions.subarray(0, ids.length);
    const { vector } = await this.#session.run({
      ids: new Tensor('int32', ids, [1, ids.length]),
      positions: new Tensor('int32', positions, [ids.length]),
    });
    if (!(vector?.data instanceof Float32Array)) throw new Error('The embedding model gave no vector.');
    return vector.data;
  }

  /** Frees the model. */
  async close(): Promise<void> {
    await this.#session.release();
  }
}

/** Gives the memory back at once instead of at the next garbage collection: tens of megabytes no longer needed. */
function release(bytes: Uint8Array<ArrayBuffer>): void {
  bytes.buffer.transfer(0);
}

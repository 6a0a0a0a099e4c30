import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { type ModelFolder, unusableFolderError } from '../model-folder.ts';

/**
 * Name of the output with one vector for the whole text. If the model has no such output, its first
 * output is used. That output has one vector per token.
 */
const SENTENCE_OUTPUT = 'sentence_embedding';

/** The loaded model from the operator's folder. Each embedding blocks the thread. */
export class FolderSession {
  readonly #model: ModelFolder;
  readonly #session: InferenceSession;
  readonly #tokenizer: Tokenizer;
  readonly #output: string;

  private constructor(model: ModelFolder, session: InferenceSession, tokenizer: Tokenizer) {
    this.#model = model;
    this.#session = session;
    this.#tokenizer = tokenizer;
    const { outputNames } = session;
    this.#output = outputNames.includes(SENTENCE_OUTPUT) ? SENTENCE_OUTPUT : (outputNames[0] ?? '');
  }

  /**
   * Loads the tokenizer and the model. Embeds one text to check that both work.
   *
   * @throws {ModelUnavailable} if a step fails
   */
  static async open(model: ModelFolder): Promise<FolderSession> {
    const tokenizer = await openTokenizer(model.folder);
    let session: InferenceSession;
    try {
      session = await InferenceSession.create(model.model, {
        intraOpNumThreads: 1,
        enableCpuMemArena: false,
      });
    } catch (cause) {
      throw unusableFolderError(model.folder, 'has an ONNX file that onnxruntime cannot load.', cause);
    }
    const opened = new FolderSession(model, session, tokenizer);
    let length: number;
    try {
      ({ length } = await opened.embed('A first text.'));
    } catch (cause) {
      throw unusableFolderError(model.folder, `gave no vector for a text (${String(cause)}).`, cause);
    }
    if (model.dimensions === null || model.dimensions === length) return opened;
    throw unusableFolderError(
      model.folder,
      `gives vectors of ${length} numbers, but its configuration says ${model.dimensions}. Copy all files from one model.`,
    );
  }

  /** Returns the vector of a text, normalized to length 1. */
  async embed(text: string): Promise<Float32Array> {
    const { maxTokens, prefix, pooling } = this.#model;
    const all = this.#tokenizer.encode(prefix + text).ids;
    // The last token marks the end of the text, so it must remain.
    const ids = all.length <= maxTokens ? all : [...all.slice(0, maxTokens - 1), ...all.slice(-1)];
    const feeds = Object.fromEntries(
      this.#session.inputMetadata.map((input) => [input.name, tensorFor(input, ids)]),
    );
    const { [this.#output]: output } = await this.#session.run(feeds, [this.#output]);
    if (!(output?.data instanceof Float32Array)) throw new Error('The output is not in 32-bit numbers');
    const width = output.dims.at(-1) ?? 0;
    const count = output.dims.length === 3 && pooling === 'mean' ? ids.length : 1;
    return normalized(sumOf(output.data, count, width));
  }

  /** Unloads the model. */
  async close(): Promise<void> {
    await this.#session.release();
  }
}

async function openTokenizer(folder: string): Promise<Tokenizer> {
  try {
    const file: unknown = JSON.parse(await readFile(join(folder, 'tokenizer.json'), 'utf8'));
    if (typeof file !== 'object' || file === null) throw new TypeError('It is not an object.');
    const tokenizer = new Tokenizer(file, {});
    if (tokenizer.encode('A first text.').ids.length === 0) throw new TypeError('It returns no tokens.');
    return tokenizer;
  } catch (cause) {
    throw unusableFolderError(folder, 'has a tokenizer.json of a kind that is not supported.', cause);
  }
}

/**
 * Returns the tensor for an input of the model. The input's name decides between token ids,
 * positions, a mask of ones, and segments of zeros.
 */
function tensorFor(input: InferenceSession.ValueMetadata, ids: readonly number[]): Tensor {
  if (!input.isTensor || (input.type !== 'int64' && input.type !== 'int32')) {
    throw new Error(`the input ${input.name} is of an unknown type`);
  }
  const values = valuesOf(input.name, ids);
  const shape = input.shape.length === 1 ? [ids.length] : [1, ids.length];
  return input.type === 'int64'
    ? new Tensor('int64', BigInt64Array.from(values, BigInt), shape)
    : new Tensor('int32', Int32Array.from(values), shape);
}

function valuesOf(name: string, ids: readonly number[]): number[] {
  switch (name) {
    case 'input_ids':
      return [...ids];
    case 'attention_mask':
      return ids.map(() => 1);
    case 'token_type_ids':
      return ids.map(() => 0);
    case 'position_ids':
      return ids.map((_, position) => position);
    default:
      throw new Error(`the input ${name} is unknown`);
  }
}

function sumOf(data: Float32Array, count: number, width: number): Float32Array {
  const sum = new Float32Array(width);
  for (let row = 0; row < count; row += 1) {
    for (let at = 0; at < width; at += 1) sum[at] = (sum[at] ?? 0) + (data[row * width + at] ?? 0);
  }
  return sum;
}

function normalized(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  if (!(length > 0)) throw new Error('The vector is not finite, or zero');
  return vector.map((value) => value / length);
}

import { miniLm } from './model-sizes.ts';
import { GraphBuilder } from './onnx.ts';
import { outlierDivisors } from './outlier-channels.ts';
import { quantizeTable, quantizeWeights } from './quantize.ts';
import { type HalfTensors, readHalf } from './safetensors.ts';

/**
 * `int8` uses 7-bit weights and 8-bit activations. `float32` is the published model, used as a
 * reference in tests.
 */
export type Precision = 'int8' | 'float32';

const roundedNumbers =
  miniLm.vocabulary * miniLm.width +
  miniLm.layers * miniLm.width * (4 * miniLm.width + 2 * miniLm.hiddenWidth);

const none: ReadonlyMap<number, number> = new Map();

/**
 * Builds all-MiniLM-L6-v2 as an ONNX model. Inputs are `input_ids` (int32, 1 × tokens) and
 * `position_ids` (int32, tokens: 0, 1, 2…). The output `sentence_embedding` (float32, 1 × 384) is
 * the mean of the last layer over all tokens, normalized to length 1. If `isPooled` is false, the
 * output is the last layer itself, named `last_hidden_state`.
 *
 * The model takes one text at a time. Texts then need no padding and no mask, and no vector depends
 * on other texts of a batch. Larger batches were less than 3 % faster (measured at 128 tokens).
 *
 * Architecture: Devlin et al. 2018 (BERT); Wang et al. 2020 (MiniLM); Reimers and Gurevych 2019
 * (mean pooling).
 *
 * @throws {Error} if a tensor is missing
 */
export function buildGraph(
  tensors: HalfTensors,
  precision: Precision,
  { isPooled = true }: { isPooled?: boolean } = {},
): Uint8Array<ArrayBuffer> {
  return new MiniLmGraph(tensors, precision).build(isPooled);
}

class MiniLmGraph {
  readonly #graph = new GraphBuilder();
  readonly #tensors: HalfTensors;
  readonly #precision: Precision;
  /** All quantized weights in one buffer. Their memory can then be released at once. */
  readonly #rounded: Int8Array<ArrayBuffer>;
  #taken = 0;
  #constants = 0;

  constructor(tensors: HalfTensors, precision: Precision) {
    this.#tensors = tensors;
    this.#precision = precision;
    this.#rounded = new Int8Array(precision === 'int8' ? roundedNumbers : 0);
  }

  build(isPooled: boolean): Uint8Array<ArrayBuffer> {
    let states = this.#embeddings();
    for (let layer = 0; layer < miniLm.layers; layer++) {
      states = this.#feedForward(layer, this.#attention(layer, states));
    }
    if (isPooled) {
      const mean = this.#graph.node('ReduceMean', [states], { axes: { ints: [1] }, keepdims: { int: 0 } });
      this.#graph.node('LpNormalization', [mean], { axis: { int: 1 }, p: { int: 2 } }, [
        'sentence_embedding',
      ]);
      this.#graph.output({ name: 'sentence_embedding', type: 'float32', shape: [1, miniLm.width] });
    } else {
      this.#graph.node('Identity', [states], {}, ['last_hidden_state']);
      this.#graph.output({ name: 'last_hidden_state', type: 'float32', shape: [1, 'tokens', miniLm.width] });
    }
    const bytes = this.#graph.toBytes();
    this.#rounded.buffer.transfer(0);
    return bytes;
  }

  #embeddings(): string {
    const { width, positions } = miniLm;
    const ids = this.#graph.input({ name: 'input_ids', type: 'int32', shape: [1, 'tokens'] });
    const places = this.#graph.input({ name: 'position_ids', type: 'int32', shape: ['tokens'] });
    const word = this.#word(ids);
    const position = this.#tensors.float('embeddings.position_embeddings.weight', [positions, width]);
    const segment = this.#tensors.float('embeddings.token_type_embeddings.weight', [2, width]);
    for (let i = 0; i < position.length; i++) position[i] = (position[i] ?? 0) + (segment[i % width] ?? 0);
    const place = this.#graph.node('Gather', [this.#floats(position, [positions, width]), places]);
    return this.#normalize(this.#graph.node('Add', [word, place]), 'embeddings.LayerNorm');
  }

  /**
   * Looks up word embeddings. Their table is by far the largest constant, and is quantized with one
   * scale per word.
   */
  #word(ids: string): string {
    const { width, vocabulary } = miniLm;
    const table = this.#tensors.half('embeddings.word_embeddings.weight', [vocabulary, width]);
    if (this.#precision === 'float32') {
      const words = this.#graph.constant('words', {
        type: 'float16',
        shape: [vocabulary, width],
        data: table,
      });
      return this.#graph.node('Cast', [this.#graph.node('Gather', [words, ids])], { to: { int: 1 } });
    }
    const data = this.#take(vocabulary * width);
    const scales = quantizeTable(table, width, data);
    const words = this.#graph.constant('words', { type: 'int8', shape: [vocabulary, width], data });
    const rounded = this.#graph.node('Cast', [this.#graph.node('Gather', [words, ids])], { to: { int: 1 } });
    const scale = this.#graph.node('Gather', [this.#floats(scales, [vocabulary, 1]), ids]);
    return this.#graph.node('Mul', [rounded, scale]);
  }

  #attention(layer: number, states: string): string {
    const { width } = miniLm;
    const prefix = `encoder.layer.${layer}.attention`;
    const parts = ['query', 'key', 'value'];
    const joined = this.#linear(
      parts.map((part) => `${prefix}.self.${part}`),
      states,
      width,
      width,
      outlierDivisors(layer).attentionInput,
    );
    const names = parts.map((part) => `${part}_${layer}`);
    this.#graph.node('Split', [joined], { axis: { int: 2 } }, names);
    const context = this.#graph.microsoft('MultiHeadAttention', names, { num_heads: { int: miniLm.heads } });
    const output = this.#linear([`${prefix}.output.dense`], context, width, width, none);
    return this.#normalize(this.#graph.node('Add', [output, states]), `${prefix}.output.LayerNorm`);
  }

  #feedForward(layer: number, states: string): string {
    const { width, hiddenWidth } = miniLm;
    const prefix = `encoder.layer.${layer}`;
    const divisors = outlierDivisors(layer);
    const inner = this.#linear(
      [`${prefix}.intermediate.dense`],
      states,
      width,
      hiddenWidth,
      divisors.feedForwardInput,
    );
    const hidden = this.#graph.microsoft('Gelu', [inner]);
    const output = this.#linear([`${prefix}.output.dense`], hidden, hiddenWidth, width, divisors.hidden);
    return this.#normalize(this.#graph.node('Add', [output, states]), `${prefix}.output.LayerNorm`);
  }

  /**
   * Adds the linear layer `input · weightsᵀ + bias`. Several layers of equal size are joined into
   * one, side by side.
   */
  #linear(
    names: readonly string[],
    input: string,
    inputs: number,
    outputs: number,
    divisors: ReadonlyMap<number, number>,
  ): string {
    const matrices = names.map((name) => this.#tensors.half(`${name}.weight`, [outputs, inputs]));
    const width = names.length * outputs;
    const bias = new Float32Array(width);
    for (const [index, name] of names.entries()) {
      bias.set(this.#tensors.float(`${name}.bias`, [outputs]), index * outputs);
    }
    const biasName = this.#floats(bias, [width]);
    if (this.#precision === 'float32') {
      const matrix = this.#floats(transpose(matrices, inputs, width), [inputs, width]);
      return this.#graph.node('Add', [this.#graph.node('MatMul', [input, matrix]), biasName]);
    }
    const data = this.#take(inputs * width);
    const scales = quantizeWeights(matrices, inputs, divisors, data);
    const matrix = this.#graph.constant(this.#name(), { type: 'int8', shape: [inputs, width], data });
    return this.#graph.microsoft('DynamicQuantizeMatMul', [
      this.#divide(input, inputs, divisors),
      matrix,
      this.#floats(scales, [width]),
      '',
      biasName,
    ]);
  }

  #divide(input: string, inputs: number, divisors: ReadonlyMap<number, number>): string {
    if (divisors.size === 0) return input;
    const factors = new Float32Array(inputs).fill(1);
    for (const [channel, divisor] of divisors) factors[channel] = 1 / divisor;
    return this.#graph.node('Mul', [input, this.#floats(factors, [inputs])]);
  }

  /**
   * Adds a layer normalization. A separate node adds the residual. The fused operator
   * `SkipLayerNormalization` took eight times as long (2.4 of 8 ms per text, measured with
   * onnxruntime-node 1.30).
   */
  #normalize(input: string, name: string): string {
    const scale = this.#floats(this.#tensors.float(`${name}.weight`, [miniLm.width]), [miniLm.width]);
    const bias = this.#floats(this.#tensors.float(`${name}.bias`, [miniLm.width]), [miniLm.width]);
    return this.#graph.node('LayerNormalization', [input, scale, bias], {
      axis: { int: 2 },
      epsilon: { float: miniLm.epsilon },
    });
  }

  #floats(data: Float32Array<ArrayBuffer>, shape: readonly number[]): string {
    return this.#graph.constant(this.#name(), { type: 'float32', shape, data });
  }

  #take(length: number): Int8Array<ArrayBuffer> {
    const start = this.#taken;
    this.#taken += length;
    return this.#rounded.subarray(start, this.#taken);
  }

  #name(): string {
    return `constant_${this.#constants++}`;
  }
}

/**
 * Transposes half-precision matrices of `rows × inputs` and joins them. Each row becomes a column
 * of the resulting `inputs × outputs` matrix.
 */
function transpose(
  matrices: readonly Uint8Array[],
  inputs: number,
  outputs: number,
): Float32Array<ArrayBuffer> {
  const turned = new Float32Array(inputs * outputs);
  const row = new Float32Array(inputs);
  let output = 0;
  for (const matrix of matrices) {
    for (let first = 0; first < matrix.byteLength / 2; first += inputs) {
      readHalf(matrix, first, row);
      for (const [input, weight] of row.entries()) turned[input * outputs + output] = weight;
      output++;
    }
  }
  return turned;
}

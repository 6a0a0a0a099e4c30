import { MessageWriter } from './protobuf.ts';

/** Element types of ONNX tensors with their numbers in `TensorProto.DataType`. */
const elementType = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, float16: 10 } as const;

type ElementType = keyof typeof elementType;

/** A constant of the graph. `data` contains the elements in row-major order, little-endian. */
export interface Constant {
  readonly type: ElementType;
  readonly shape: readonly number[];
  readonly data: ArrayBufferView;
}

/** An input or output of the graph. A dimension given as a string is known only at run time. */
export interface Port {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly (number | string)[];
}

/** An attribute of a node. ONNX distinguishes integers and floats. */
export type Attribute =
  | { readonly int: number }
  | { readonly float: number }
  | { readonly ints: readonly number[] };

/**
 * Collects nodes and constants, and writes them as an ONNX model. Uses `onnx.proto` with IR version
 * 8, operator set 17, and version 1 of ONNX Runtime's `com.microsoft` operators.
 */
export class GraphBuilder {
  readonly #graph = new MessageWriter();
  #nodes = 0;

  /** Adds a node of the standard operator set. Returns the name of its first output. */
  node(
    operator: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
    outputs: readonly string[] = [],
  ): string {
    return this.#add('', operator, inputs, attributes, outputs);
  }

  /**
   * Adds a node with an operator of ONNX Runtime's `com.microsoft` set. Returns the name of its
   * first output.
   */
  microsoft(
    operator: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
  ): string {
    return this.#add('com.microsoft', operator, inputs, attributes, []);
  }

  /**
   * Adds a constant and returns its name. Its data is not copied and must not change before
   * `toBytes`.
   */
  constant(name: string, constant: Constant): string {
    const { data } = constant;
    const tensor = new MessageWriter();
    for (const size of constant.shape) tensor.integer(1, size);
    tensor
      .integer(2, elementType[constant.type])
      .text(8, name)
      .bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    this.#graph.message(5, tensor);
    return name;
  }

  /** Declares an input and returns its name. */
  input(port: Port): string {
    this.#graph.message(11, portMessage(port));
    return port.name;
  }

  /** Declares an output of the model. A node must have an output of the same name. */
  output(port: Port): void {
    this.#graph.message(12, portMessage(port));
  }

  /** Returns the serialized model. */
  toBytes(): Uint8Array<ArrayBuffer> {
    this.#graph.text(2, 'winnow');
    return new MessageWriter()
      .integer(1, 8)
      .text(2, 'winnow')
      .message(7, this.#graph)
      .message(8, new MessageWriter().text(1, '').integer(2, 17))
      .message(8, new MessageWriter().text(1, 'com.microsoft').integer(2, 1))
      .toBytes();
  }

  #add(
    domain: string,
    operator: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>>,
    outputs: readonly string[],
  ): string {
    const name = `${operator}_${this.#nodes++}`;
    const node = new MessageWriter();
    for (const input of inputs) node.text(1, input);
    for (const output of outputs.length > 0 ? outputs : [name]) node.text(2, output);
    node.text(3, name).text(4, operator);
    for (const [key, value] of Object.entries(attributes)) node.message(5, attributeMessage(key, value));
    if (domain !== '') node.text(7, domain);
    this.#graph.message(1, node);
    return outputs[0] ?? name;
  }
}

function attributeMessage(name: string, value: Attribute): MessageWriter {
  const message = new MessageWriter().text(1, name);
  if ('int' in value) return message.integer(3, value.int).integer(20, 2);
  if ('float' in value) return message.float(2, value.float).integer(20, 1);
  for (const item of value.ints) message.integer(8, item);
  return message.integer(20, 7);
}

function portMessage(port: Port): MessageWriter {
  const shape = new MessageWriter();
  for (const size of port.shape) {
    const dimension = new MessageWriter();
    if (typeof size === 'string') dimension.text(2, size);
    else dimension.integer(1, size);
    shape.message(1, dimension);
  }
  const tensor = new MessageWriter().integer(1, elementType[port.type]).message(2, shape);
  return new MessageWriter().text(1, port.name).message(2, new MessageWriter().message(1, tensor));
}

/**
 * The part of the WebAssembly interface that the kernel uses. Neither TypeScript's library nor
 * Node's types contain it.
 */
declare namespace WebAssembly {
  /** Compiled code. It can be sent to other threads. */
  class Module {
    constructor(bytes: Uint8Array);
  }
  /** Memory of an instance, in pages of 64 KB. Growing it replaces the buffer. */
  interface Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  /** Code with its own memory. */
  class Instance<Exports> {
    constructor(module: Module);
    readonly exports: Exports;
  }
}

/**
 * Types of the WebAssembly API that the kernel uses. They are missing in TypeScript's library and
 * in Node's types.
 */
declare namespace WebAssembly {
  /** Compiled code. It can be sent to other threads. */
  class Module {
    constructor(bytes: Uint8Array);
  }
  /** Memory of an instance, in pages of 64 KB. `grow` replaces the buffer. */
  interface Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  /** A running instance of a module, with its own memory. */
  class Instance<Exports> {
    constructor(module: Module);
    readonly exports: Exports;
  }
}

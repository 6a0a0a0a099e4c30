/** The part of the WebAssembly interface that the kernel uses; neither TypeScript's own library nor Node's types have it. */
declare namespace WebAssembly {
  /** Compiled code; can be sent to other threads. */
  class Module {
    constructor(bytes: Uint8Array);
  }
  /** Memory of an instance, in pages of 64 KB. Growing it replaces the buffer. */
  interface Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  /** Code with a memory of its own. */
  class Instance<Exports> {
    constructor(module: Module);
    readonly exports: Exports;
  }
}

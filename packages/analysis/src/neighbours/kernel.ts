/// <reference path="./webassembly.d.ts" />
import { readFileSync } from 'node:fs';

/** The compiled WebAssembly kernel. It can be sent to other threads and started there. */
export type KernelModule = WebAssembly.Module;

/**
 * Functions that the WebAssembly kernel exports. `kernel/assembly/scan.ts` describes them.
 * Addresses are offsets in the kernel's memory.
 */
export interface Kernel {
  readonly memory: WebAssembly.Memory;
  configure(rowBytes: number, k: number): void;
  first(vectors: number, rows: number, ids: number, limits: number, sizes: number, lists: number): void;
  second(vectors: number, rows: number, ids: number, limits: number, sizes: number, lists: number): void;
  scan(flags: number): void;
  dotAll(one: number, rows: number, count: number, width: number, products: number): void;
}

/** Flags of the kernel's `scan`: which results to store, and whether both tiles are the same. */
export const scanFlags = { keepFirst: 1, keepSecond: 2, sameTile: 4 } as const;

/** Numbers that the kernel reads at once. Rows are padded with zeros to a multiple of this. */
export const kernelStep = 32;

/** Rows after the last one that the kernel may read, because it processes four rows at once. */
export const kernelSpareRows = 3;

/** Reads and compiles the WebAssembly kernel. */
export function loadKernel(): KernelModule {
  return new WebAssembly.Module(readFileSync(new URL('./kernel/scan.wasm', import.meta.url)));
}

/** Starts an instance of the kernel. Its own memory has at least `bytes` bytes. */
export function startKernel(module: KernelModule, bytes: number): Kernel {
  const kernel = new WebAssembly.Instance<Kernel>(module).exports;
  const missing = bytes - kernel.memory.buffer.byteLength;
  if (missing > 0) kernel.memory.grow(Math.ceil(missing / 65_536));
  return kernel;
}

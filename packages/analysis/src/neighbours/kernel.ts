/// <reference path="./webassembly.d.ts" />
import { readFileSync } from 'node:fs';

/** The compiled kernel. It can be sent to other threads and started there. */
export type KernelModule = WebAssembly.Module;

/**
 * Exports of the kernel, described in `kernel/assembly/scan.ts`. Addresses are offsets in its
 * memory.
 */
export interface Kernel {
  readonly memory: WebAssembly.Memory;
  configure(rowBytes: number, k: number): void;
  first(vectors: number, rows: number, ids: number, limits: number, sizes: number, lists: number): void;
  second(vectors: number, rows: number, ids: number, limits: number, sizes: number, lists: number): void;
  scan(flags: number): void;
  dotAll(one: number, rows: number, count: number, width: number, products: number): void;
}

/** Bits of the flags that select the results that a scan stores. */
export const scanFlags = { keepFirst: 1, keepSecond: 2, sameTile: 4 } as const;

/** Numbers that the kernel reads at a time. Rows are padded with zeros to a multiple. */
export const kernelStep = 32;

/** The kernel processes four rows at a time, so it may read up to three beyond the last. */
export const kernelSpareRows = 3;

/** Reads and compiles the kernel. */
export function loadKernel(): KernelModule {
  return new WebAssembly.Module(readFileSync(new URL('./kernel/scan.wasm', import.meta.url)));
}

/** Starts a kernel with its own memory of at least `bytes` bytes. */
export function startKernel(module: KernelModule, bytes: number): Kernel {
  const kernel = new WebAssembly.Instance<Kernel>(module).exports;
  const missing = bytes - kernel.memory.buffer.byteLength;
  if (missing > 0) kernel.memory.grow(Math.ceil(missing / 65_536));
  return kernel;
}

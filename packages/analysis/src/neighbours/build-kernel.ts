import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { main as compile } from 'assemblyscript/asc';

const source = new URL('./kernel/assembly/scan.ts', import.meta.url);

/** URL of the compiled WebAssembly kernel. */
export const kernelFile = new URL('./kernel/scan.wasm', import.meta.url);

/**
 * Compiles the WebAssembly kernel from its AssemblyScript source. The output is deterministic.
 *
 * @throws {Error} with the compiler's messages if compilation fails
 */
export async function compileKernel(): Promise<Uint8Array> {
  const text = await readFile(source, 'utf8');
  const written = new Map<string, Uint8Array>();
  const options = ['--optimizeLevel', '3', '--noAssert', '--runtime', 'stub', '--initialMemory', '1'];
  const result = await compile(['scan.ts', ...options, '--enable', 'simd', '--outFile', 'scan.wasm'], {
    readFile: (name) => (name === 'scan.ts' ? text : null),
    writeFile: (name, contents) => {
      if (typeof contents !== 'string') written.set(name, contents);
    },
    listFiles: () => [],
  });
  const wasm = written.get('scan.wasm');
  if (wasm === undefined) {
    throw new Error(`The neighbor kernel does not compile:\n${result.stderr.toString()}`, {
      cause: result.error,
    });
  }
  return wasm;
}

// If this file is run as a program, it writes the compiled kernel to disk.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await writeFile(kernelFile, await compileKernel());
}

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { compileKernel, kernelFile } from './build-kernel.ts';

test('the committed WebAssembly kernel matches its source', async () => {
  const committed = await readFile(kernelFile);
  const compiled = await compileKernel();
  expect(
    Buffer.from(compiled).equals(committed),
    'run node packages/analysis/src/neighbours/build-kernel.ts to compile the kernel anew',
  ).toBe(true);
});

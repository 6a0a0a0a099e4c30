import { readFile } from 'node:fs/promises';
import { SHIPPED_WEIGHTS, type Weights } from '@winnow/analysis/likelihood';

/**
 * Reads weights written by `tools/fit/likelihood.ts`. Without a file, returns the shipped weights.
 */
export async function readWeights(file: string | undefined): Promise<Weights> {
  if (file === undefined) return SHIPPED_WEIGHTS;
  const { weights }: { weights: Weights } = JSON.parse(await readFile(file, 'utf8'));
  return weights;
}

/**
 * Parses the value of `--tested-from`. Returns milliseconds since 1970.
 *
 * @throws {Error} if it is not a date
 */
export function readTestedFrom(date: string): number {
  const time = Date.parse(date);
  if (Number.isNaN(time)) throw new Error('--tested-from must be a date such as 2013-01-01.');
  return time;
}

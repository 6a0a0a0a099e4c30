import { readFile } from 'node:fs/promises';
import { SHIPPED_WEIGHTS, type Weights } from '@winnow/analysis/likelihood';

/** Reads weights that `tools/fit/likelihood.ts` wrote; without a file, returns the shipped ones. */
export async function readWeights(file: string | undefined): Promise<Weights> {
  if (file === undefined) return SHIPPED_WEIGHTS;
  const { weights }: { weights: Weights } = JSON.parse(await readFile(file, 'utf8'));
  return weights;
}

/**
 * Returns the time of `--tested-from` in milliseconds.
 *
 * @throws {Error} if it is not a date
 */
export function readTestedFrom(date: string): number {
  const time = Date.parse(date);
  if (Number.isNaN(time)) throw new Error('--tested-from must be a date such as 2013-01-01.');
  return time;
}

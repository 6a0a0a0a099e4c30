import { NeighbourPool, type PackedVectors, packVectors } from '@winnow/analysis/neighbours';
import type { Emit } from './run.ts';

const DIMENSIONS = 384;
const K = 20;
const WORKERS = 2;
const MAX_VECTORS = 100_000;
const REPEATS = 5;

/**
 * Measures the exact search for the 20 nearest neighbors, with 384 dimensions and two threads.
 * Emits seconds for searching the neighbors of all 10,000 and of all 50,000 vectors. Emits
 * milliseconds for searching the neighbors of 1 and of 16 vectors among 100,000. Figures are
 * medians of at least five runs; the largest case runs once.
 */
export async function run(emit: Emit): Promise<void> {
  const vectors = syntheticVectors(MAX_VECTORS);
  const pool = new NeighbourPool({ workers: WORKERS });
  try {
    for (const [count, repeats] of [
      [10_000, REPEATS],
      [50_000, 1],
    ] as const) {
      const part: PackedVectors = { ...vectors, count };
      const { wall, cpu } = await measure(repeats, () => pool.nearest({ vectors: part, k: K }));
      const detail = { dimensions: DIMENSIONS, k: K, workers: WORKERS, cpuSeconds: cpu / 1000 };
      emit({ name: `neighbours.all.${count}`, value: wall / 1000, unit: 's', detail });
    }
    for (const rows of [1, 16]) {
      const wanted = Uint32Array.from({ length: rows }, (_, index) => index * 1000 + 7);
      const { wall, cpu } = await measure(REPEATS * 5, () => pool.nearest({ vectors, k: K, rows: wanted }));
      const detail = { among: MAX_VECTORS, dimensions: DIMENSIONS, k: K, workers: WORKERS, cpuMs: cpu };
      emit({ name: `neighbours.rows_${rows}.${MAX_VECTORS}`, value: wall, unit: 'ms', detail });
    }
  } finally {
    await pool.close();
  }
}

/**
 * Returns the median elapsed time and the median processor time in milliseconds. If there are
 * several runs, an additional first run warms up.
 */
async function measure(
  repeats: number,
  action: () => Promise<unknown>,
): Promise<{ wall: number; cpu: number }> {
  if (repeats > 1) await action();
  const walls: number[] = [];
  const cpus: number[] = [];
  for (let run = 0; run < repeats; run++) {
    const cpuBefore = process.cpuUsage();
    const began = performance.now();
    await action();
    walls.push(performance.now() - began);
    const cpu = process.cpuUsage(cpuBefore);
    cpus.push((cpu.user + cpu.system) / 1000);
  }
  return { wall: median(walls), cpu: median(cpus) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/**
 * Creates unit vectors around 300 centers, the same in every run. As in a real backlog, the nearest
 * neighbors are clearly nearer than other vectors.
 */
function syntheticVectors(count: number): PackedVectors {
  let state = 1;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  };
  const centers = Array.from({ length: 300 }, () => Float32Array.from({ length: DIMENSIONS }, next));
  const vectors = Array.from({ length: count }, (_, row) => {
    const center = centers[row % centers.length];
    const vector = Float32Array.from({ length: DIMENSIONS }, (_, at) => next() + 0.5 * (center?.[at] ?? 0));
    let squared = 0;
    for (const value of vector) squared += value * value;
    const length = Math.sqrt(squared);
    return vector.map((value) => value / length);
  });
  return packVectors(vectors, DIMENSIONS);
}

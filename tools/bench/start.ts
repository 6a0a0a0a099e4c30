import { startServer } from '../../packages/server/src/testing/server-process.ts';
import type { Emit } from './run.ts';

const TRIES = 5;

/**
 * Measures the time from the start command until the server is ready, with an empty data folder and
 * with an existing one.
 */
export async function run(emit: Emit): Promise<void> {
  const empty: number[] = [];
  const existing: number[] = [];
  for (let index = 0; index < TRIES; index += 1) {
    const first = await startServer();
    empty.push(first.readyMs);
    await first.stop();
    const second = await startServer({ dataDir: first.dataDir });
    existing.push(second.readyMs);
    await second.remove();
  }
  emit({
    name: 'ready on an empty data folder, median',
    value: seconds(empty),
    unit: 's',
    detail: { tries: TRIES },
  });
  emit({
    name: 'ready on an existing data folder, median',
    value: seconds(existing),
    unit: 's',
    detail: { tries: TRIES },
  });
}

function seconds(times: readonly number[]): number {
  const sorted = [...times].sort((left, right) => left - right);
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0) / 1000;
}

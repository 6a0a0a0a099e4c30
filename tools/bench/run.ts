import { readdirSync } from 'node:fs';

/** One measured figure; `detail` holds what it was measured on. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  detail?: Record<string, unknown>;
}
export type Emit = (figure: Figure) => void;

interface Benchmark {
  run: (emit: Emit) => Promise<void>;
}

function isBenchmark(module: object): module is Benchmark {
  return 'run' in module && typeof module.run === 'function';
}

const own = 'run.ts';
const all = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== own)
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();
/** What begins with two hyphens is for the benchmarks themselves. */
const chosen = process.argv.slice(2).filter((word) => word === '--help' || !word.startsWith('--'));
const unknown = chosen.filter((name) => !all.includes(name));
if (unknown.length > 0 || chosen.includes('--help')) {
  process.stderr.write(`Usage: npm run bench -- [name…]\nBenchmarks: ${all.join(', ')}\n`);
  process.exit(chosen.includes('--help') ? 0 : 2);
}
for (const name of chosen.length > 0 ? chosen : all) {
  const module: object = await import(`./${name}.ts`);
  if (!isBenchmark(module)) continue;
  await module.run((figure) => process.stdout.write(`${JSON.stringify({ bench: name, ...figure })}\n`));
}

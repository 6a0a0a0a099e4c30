import { readdirSync } from 'node:fs';

/** A measured figure. `detail` describes the measured data. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  detail?: Record<string, unknown>;
}
export type Emit = (figure: Figure) => void;

interface Benchmark {
  /**
   * Runs the benchmark. `args` are the command-line options after the names of benchmarks, such as
   * `--set DIR`.
   */
  run: (emit: Emit, args: readonly string[]) => Promise<void>;
}

function isBenchmark(module: object): module is Benchmark {
  return 'run' in module && typeof module.run === 'function';
}

const own = 'run.ts';
const all = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== own)
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();
const words = process.argv.slice(2);
const firstOption = words.findIndex((word) => word.startsWith('--'));
const chosen = firstOption < 0 ? words : words.slice(0, firstOption);
const args = firstOption < 0 ? [] : words.slice(firstOption);
const unknown = chosen.filter((name) => !all.includes(name));
if (unknown.length > 0 || args.includes('--help')) {
  process.stderr.write(
    `Usage: npm run bench -- [name…] [options of the benchmark]\nBenchmarks: ${all.join(', ')}\n`,
  );
  process.exit(args.includes('--help') ? 0 : 2);
}
for (const name of chosen.length > 0 ? chosen : all) {
  const module: object = await import(`./${name}.ts`);
  if (!isBenchmark(module)) continue;
  await module.run((figure) => process.stdout.write(`${JSON.stringify({ bench: name, ...figure })}\n`), args);
}

// npm run bench [names]: one JSON line per figure on standard output.
import { join } from 'node:path';
import { root, run, setUp } from './setup.mjs';

const node = setUp();
process.exitCode = await run(node, [join(root, 'tools/bench/run.ts'), ...process.argv.slice(2)]);

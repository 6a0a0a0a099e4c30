// npm run bench [names]: one JSON line per figure on standard output.
import { join } from 'node:path';
import { root, run, setUp } from './setup.mjs';

const words = process.argv.slice(2);
const node = setUp({ web: !words.includes('--help') });
process.exitCode = await run(node, [join(root, 'tools/bench/run.ts'), ...words]);

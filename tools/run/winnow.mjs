// Runs the server's program with whatever command is given: npm run winnow -- doctor
import { join } from 'node:path';
import { root, run, serverLaunch, setUp } from './setup.mjs';

const [command = 'start'] = process.argv.slice(2);
const node = setUp({ web: command === 'start' || command === 'api' });
const main = join(root, 'packages/server/src/main.ts');
const { flags, env } = serverLaunch();
process.exitCode = await run(node, [...flags, main, ...process.argv.slice(2)], { env });

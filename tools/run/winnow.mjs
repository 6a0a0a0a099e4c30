// Runs a command of the server: npm run winnow -- doctor
import { join } from 'node:path';
import { launch } from '../../packages/server/launch.mjs';
import { root, run, setUp } from './setup.mjs';

const [command = 'start'] = process.argv.slice(2);
const node = setUp({ web: command === 'start' || command === 'api' });
const main = join(root, 'packages/server/src/main.ts');
process.exitCode = await run(node, [...launch.flags, main, ...process.argv.slice(2)], {
  env: { ...launch.env, ...process.env },
});

// npm run dev: the server starts again when its sources change; Vite serves the console on a port of its own and passes
// everything else on to the server.
import { join } from 'node:path';
import { root, run, setUp } from './setup.mjs';

// The server wants a built console to serve; the one to work on is Vite's.
const node = setUp();
const server = run(node, [
  '--watch',
  '--watch-preserve-output',
  join(root, 'packages/server/src/main.ts'),
  'start',
]);
const web = run(node, [join(root, 'node_modules/vite/bin/vite.js')], { cwd: join(root, 'packages/web') });
process.exitCode = await Promise.race([server, web]);
// Whichever of the two is left ends as well.
process.kill(process.pid, 'SIGTERM');
await Promise.all([server, web]);

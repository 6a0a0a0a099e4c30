// npm run dev: restarts the server when its sources change. Vite serves the console on its own port
// and proxies everything else to the server.
import { join } from 'node:path';
import { root, run, setUp } from './setup.mjs';

// The server needs a web build, even though Vite serves the console.
const node = setUp();
const server = run(node, [
  '--watch',
  '--watch-preserve-output',
  join(root, 'packages/server/src/main.ts'),
  'start',
]);
const web = run(node, [join(root, 'node_modules/vite/bin/vite.js')], { cwd: join(root, 'packages/web') });
process.exitCode = await Promise.race([server, web]);
// Both processes get the signals of this one, so the other ends as well.
process.kill(process.pid, 'SIGTERM');
await Promise.all([server, web]);

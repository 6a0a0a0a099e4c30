// npm run dev: restarts the server when its sources change. Vite serves the console on its own port
// and proxies everything else to the server.
import { join } from 'node:path';
import { root, run, setUp } from './setup.mjs';

// Builds the web app, because the server needs a build. Vite serves the console itself.
const node = setUp();
const server = run(node, [
  '--watch',
  '--watch-preserve-output',
  join(root, 'packages/server/src/main.ts'),
  'start',
]);
const web = run(node, [join(root, 'node_modules/vite/bin/vite.js')], { cwd: join(root, 'packages/web') });
process.exitCode = await Promise.race([server, web]);
// Sends the signal to this process, which forwards it to both child processes.
process.kill(process.pid, 'SIGTERM');
await Promise.all([server, web]);

// Plain JavaScript without dependencies: this runs on the machine's own Node, before anything is installed.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { buildWeb } from './build-web.mjs';
import { installDependencies } from './install.mjs';
import { serverNode } from './server-node.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const OLDEST = [20, 11];

/**
 * Everything that has to be there before a command of ours can run: the dependencies, Node 24, and (unless `web` is
 * false) the built console. What is there already is left alone. Answers the Node to run things on. Ends the process
 * with a sentence when that cannot be had.
 */
export function setUp({ web = true } = {}) {
  try {
    const [major, minor] = process.versions.node.split('.').map(Number);
    if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
      throw new Error(
        `Winnow needs Node.js ${OLDEST.join('.')} or newer to set itself up; this is ${process.version}. Install a newer one and run this again.`,
      );
    }
    installDependencies(root);
    const node = serverNode(root);
    if (web) buildWeb(root, node);
    return node;
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return process.exit(1);
  }
}

const PARENT_POLL_MS = 200;

/**
 * Runs a program to its end with our input and output; answers its exit code, and 128 + n when signal n ended it.
 * A signal to us is passed on; a terminal's Ctrl+C reaches the child by itself. npm passes a signal only to the shell
 * it put between us, which dies of it and tells nobody: so under npm, losing the parent means to stop.
 */
export function run(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options });
    const passOn = (signal) => child.kill(signal);
    const leaveToTerminal = () => undefined;
    const handlers = {
      SIGTERM: passOn,
      SIGHUP: passOn,
      SIGINT: process.stdin.isTTY ? leaveToTerminal : passOn,
    };
    for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler);
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.env.npm_lifecycle_event === undefined || process.ppid === parent) return;
      clearInterval(watch);
      passOn('SIGTERM');
    }, PARENT_POLL_MS);
    const end = (code) => {
      clearInterval(watch);
      for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler);
      resolve(code);
    };
    child.on('error', (error) => {
      process.stderr.write(`${error.message}\n`);
      end(1);
    });
    child.on('exit', (code, signal) => end(code ?? 128 + constants.signals[signal]));
  });
}

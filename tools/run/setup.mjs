// Plain JavaScript without dependencies, since it runs on the system's Node before anything is
// installed.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { buildWeb } from './build-web.mjs';
import { installDependencies } from './install.mjs';
import { serverNode } from './server-node.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const MIN_NODE_VERSION = [20, 11];

/**
 * Prepares everything that a command needs: dependencies, Node 24, and the web build unless `web`
 * is false.
 * Skips steps that are already complete. Returns the path of the Node to use. Exits with an error
 * message if a step fails.
 */
export function setUp({ web = true } = {}) {
  try {
    const [major, minor] = process.versions.node.split('.').map(Number);
    if (major < MIN_NODE_VERSION[0] || (major === MIN_NODE_VERSION[0] && minor < MIN_NODE_VERSION[1])) {
      throw new Error(
        `Winnow needs Node.js ${MIN_NODE_VERSION.join('.')} or newer to set itself up; this is ${process.version}. Install a newer one and run this again.`,
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
 * Runs a program with the input and output of this process. Returns its exit code, or 128 + n if
 * signal n ended it.
 * Forwards signals to the program. With Ctrl+C in a terminal, the terminal itself signals the
 * program.
 * npm signals only the shell between npm and this process. The shell ends without forwarding the
 * signal. Therefore, under npm, the program is stopped when the parent process is gone.
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

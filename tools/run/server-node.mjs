import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const MAJOR = 24;

/**
 * Returns the path of the Node for the server. This is the Node in the package `node`, or the
 * current Node if it is new enough.
 * The package downloads Node in an install script. If npm did not run the script, this function
 * runs it. Throws if neither Node is available.
 */
export function serverNode(root) {
  const folder = join(root, 'node_modules', 'node');
  const program = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (isNewEnough(program)) return program;
  if (isNewEnough(process.execPath)) return process.execPath;
  process.stderr.write(`Installing Node.js ${MAJOR}…\n`);
  spawnSync(process.execPath, ['installArchSpecificPackage.js'], {
    cwd: folder,
    stdio: ['ignore', process.stderr, process.stderr],
    // Makes npm install into this folder instead of the surrounding project.
    env: { ...process.env, npm_config_prefix: folder, npm_config_local_prefix: folder },
  });
  if (isNewEnough(program)) return program;
  throw new Error(
    `Node.js ${MAJOR} is required and could not be installed. Install it (nodejs.org) and run this again with it.`,
  );
}

function isNewEnough(program) {
  if (!existsSync(program)) return false;
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return Number(/^v(\d+)/.exec(stdout ?? '')?.[1]) >= MAJOR;
}

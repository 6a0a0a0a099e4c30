import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const MAJOR = 24;

/**
 * The Node the server runs on: the one that the `node` package brings, else the one running this when it is new enough.
 * The package fetches its program by an install script; where npm runs none, it is run here.
 * Throws when neither can be had.
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
    // npm then installs into this folder, and not into the project around it.
    env: { ...process.env, npm_config_prefix: folder, npm_config_local_prefix: folder },
  });
  if (isNewEnough(program)) return program;
  throw new Error(
    `Node.js ${MAJOR} is needed and could not be installed. Install it yourself (nodejs.org) and run this again with it.`,
  );
}

function isNewEnough(program) {
  if (!existsSync(program)) return false;
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return Number(/^v(\d+)/.exec(stdout ?? '')?.[1]) >= MAJOR;
}

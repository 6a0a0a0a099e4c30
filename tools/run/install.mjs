import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { oneAtATime } from './one-at-a-time.mjs';

/**
 * Installs development and optional packages on any machine. Development packages build the
 * console, and optional packages contain PostgreSQL.
 */
const INSTALL_OPTIONS = [
  '--include=dev',
  '--include=optional',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

/**
 * Installs the packages of package-lock.json, unless they are already installed. Throws if npm
 * fails.
 */
export function installDependencies(root) {
  if (isInstalled(root)) return;
  oneAtATime(root, () => {
    if (isInstalled(root)) return;
    process.stderr.write('Installing dependencies…\n');
    const strict = npm(root, ['ci', ...INSTALL_OPTIONS]);
    // `npm ci` refuses a lock file that lacks optional packages of other platforms. npm writes such
    // a lock file if its registry does not have these packages. `npm install` accepts the file and
    // installs the same versions.
    const result = strict.status === 0 ? strict : npm(root, ['install', '--no-save', ...INSTALL_OPTIONS]);
    if (result.status !== 0) {
      process.stderr.write(`${strict.output}\n${result.output}\n`);
      throw new Error('The dependencies could not be installed; see the error of npm above.');
    }
    writeFileSync(stampOf(root), hashOfLock(root));
  });
}

/**
 * True if node_modules matches package-lock.json.
 * This is so if this script installed from the current lock file, or if npm's own record of the
 * installation matches the file. Manual installations count, interrupted ones do not.
 */
export function isInstalled(root) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const there = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === null || there === null) return false;
  if (existsSync(stampOf(root)) && readFileSync(stampOf(root), 'utf8') === hashOfLock(root)) return true;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith('node_modules/') || entry.link) return true;
    const found = there[path];
    if (found === undefined) return entry.optional === true && !isForThisPlatform(entry);
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/**
 * True for a package that is built for this platform. False for packages that need a specific C
 * library, which npm selects itself.
 */
function isForThisPlatform({ os, cpu, libc }) {
  return os?.includes(process.platform) && cpu?.includes(process.arch) && libc === undefined;
}

function readPackages(file) {
  if (!existsSync(file)) return null;
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? null;
}

function stampOf(root) {
  return join(root, 'node_modules', '.winnow-installed');
}

function hashOfLock(root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

/**
 * Runs npm and returns its exit code and output.
 * The path excludes the Node in node_modules, because npm may replace that folder.
 * `allowScripts` in package.json stops onnxruntime-node from downloading CUDA libraries, which
 * Winnow does not use. The environment variable does the same for npm versions that do not know
 * `allowScripts`.
 */
function npm(cwd, args) {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);
  const { status, stdout, stderr, error } = spawnSync('npm', args, {
    cwd,
    env: { ...process.env, PATH: path, ONNXRUNTIME_NODE_INSTALL: 'skip' },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  if (error !== undefined) throw new Error('npm was not found. Install Node.js with npm and run this again.');
  return { status, output: `${stdout}${stderr}`.trim() };
}

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { oneAtATime } from './one-at-a-time.mjs';

/**
 * Development tools build the console, and optional packages contain PostgreSQL. Both are required
 * on any machine.
 */
const INSTALL_OPTIONS = [
  '--include=dev',
  '--include=optional',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

/** Installs the packages of package-lock.json unless they are installed. Throws if npm fails. */
export function installDependencies(root) {
  if (isInstalled(root)) return;
  oneAtATime(root, () => {
    if (isInstalled(root)) return;
    process.stderr.write('Installing dependencies…\n');
    const strict = npm(root, ['ci', ...INSTALL_OPTIONS]);
    // `npm ci` refuses a lock file that lacks optional packages of other platforms. npm writes such
    // files if its registry does not have these packages. `npm install` installs the same versions
    // from that file.
    const result = strict.status === 0 ? strict : npm(root, ['install', '--no-save', ...INSTALL_OPTIONS]);
    if (result.status !== 0) {
      process.stderr.write(`${strict.output}\n${result.output}\n`);
      throw new Error('The dependencies could not be installed; see the error of npm above.');
    }
    writeFileSync(stampOf(root), hashOfLock(root));
  });
}

/**
 * True if node_modules matches package-lock.json: either we installed from this file, or npm's own
 * record of the installation matches. Manual installations count, interrupted ones do not.
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
 * True for a package that only this kind of platform needs. Packages for a specific C library are
 * left to npm.
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
 * Runs npm and returns its exit code and output. Excludes the Node in node_modules from the path,
 * since that folder may be replaced. `allowScripts` in package.json stops onnxruntime-node from
 * downloading CUDA libraries, which Winnow does not use. The variable does the same for versions of
 * npm that do not know `allowScripts`.
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

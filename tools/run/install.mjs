import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { oneAtATime } from './one-at-a-time.mjs';

/** Development tools build the console, and the optional packages bring PostgreSQL, whatever the machine is set to. */
const WHAT = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];

/** Installs what package-lock.json names, unless just that is installed. Throws when npm fails. */
export function installDependencies(root) {
  if (isInstalled(root)) return;
  oneAtATime(root, () => {
    if (isInstalled(root)) return;
    process.stderr.write('Installing dependencies…\n');
    const strict = npm(root, ['ci', ...WHAT]);
    // `npm ci` refuses a lock file that lacks optional packages of other platforms, which npm itself writes when its
    // registry does not have them. `npm install` takes the same versions from the same file.
    const result = strict.status === 0 ? strict : npm(root, ['install', '--no-save', ...WHAT]);
    if (result.status !== 0) {
      process.stderr.write(`${strict.output}\n${result.output}\n`);
      throw new Error('The dependencies could not be installed; npm says why above.');
    }
    writeFileSync(stampOf(root), hashOfLock(root));
  });
}

/**
 * Whether node_modules holds what package-lock.json names: we installed from this very file, or npm's own note of what
 * it installed, written when it is done, says so. An installation by hand counts, and an interrupted one does not.
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

/** Packages for one C library among others are npm's choice; they are not missed. */
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
 * Runs npm; answers its exit code and what it said. The Node in node_modules, which is first in the path of an npm
 * script, is no help in replacing node_modules.
 */
function npm(cwd, args) {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);
  const { status, stdout, stderr, error } = spawnSync('npm', args, {
    cwd,
    env: { ...process.env, PATH: path },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  if (error !== undefined) throw new Error('npm was not found. Install Node.js with npm and run this again.');
  return { status, output: `${stdout}${stderr}`.trim() };
}

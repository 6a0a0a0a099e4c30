import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { oneAtATime } from './one-at-a-time.mjs';

const SOURCES_HASH_FILE = '.sources';

/**
 * Builds the console and the public site, unless `packages/web/dist` is up to date.
 * The new build replaces the old one only when it is complete. Throws if the build fails.
 */
export function buildWeb(root, node) {
  const sources = hashOf(root, sourcesOf(root));
  if (isBuilt(root, sources)) return;
  oneAtATime(root, () => {
    if (isBuilt(root, sources)) return;
    process.stderr.write('Building the web pages…\n');
    const web = join(root, 'packages', 'web');
    const draft = join(root, '.cache', `web-${process.pid}`);
    const args = [join(web, 'build.ts'), draft];
    const { status } = spawnSync(node, args, { cwd: web, stdio: ['ignore', process.stderr, process.stderr] });
    if (status !== 0) {
      rmSync(draft, { recursive: true, force: true });
      throw new Error('The web pages could not be built; see the error above.');
    }
    writeFileSync(join(draft, SOURCES_HASH_FILE), sources);
    const dist = join(web, 'dist');
    rmSync(dist, { recursive: true, force: true });
    renameSync(draft, dist);
  });
}

function isBuilt(root, sources) {
  const stamp = join(root, 'packages', 'web', 'dist', SOURCES_HASH_FILE);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;
}

/**
 * Returns all files that the web build depends on: the web and contract packages, and the versions
 * of their dependencies. Tests are excluded.
 */
export function sourcesOf(root) {
  const web = join(root, 'packages', 'web');
  return [
    ...filesIn(web, ['.cache', 'dist', 'node_modules']),
    ...filesIn(join(root, 'packages', 'contract', 'src'), []),
    ...filesIn(join(root, 'packages', 'passwords', 'src'), []),
    join(root, 'package-lock.json'),
  ].filter((file) => !/\.test\.tsx?$/.test(file));
}

function filesIn(folder, except) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !except.includes(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path, []) : [path];
    });
}

function hashOf(root, files) {
  const hash = createHash('sha256');
  for (const file of [...files].sort()) {
    hash
      .update(relative(root, file).split(sep).join('/'))
      .update('\0')
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

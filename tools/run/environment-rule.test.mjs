import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from './setup.mjs';

const BIOME = join(root, 'node_modules/@biomejs/biome/bin/biome');
const SERVER = 'packages/server/src';

const READS = [
  `${SERVER}/platform/config.ts`,
  `${SERVER}/issues/engine/engine.ts`,
  'packages/web/src/main.tsx',
];
const MAY_READ = [`${SERVER}/main.ts`, `${SERVER}/log.test.ts`, 'tools/run/a.mjs', 'e2e/a.ts'];

/** Test files whose access to the environment the linter refuses. */
let refused = [];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'winnow-environment-rule-'));
  for (const path of [...READS, ...MAY_READ]) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), 'export const port = process.env.PORT;\n');
  }
  copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [BIOME, 'lint', '--vcs-enabled=false', '--max-diagnostics=none', '--reporter=json', '.'],
    { cwd: folder, encoding: 'utf8' },
  );
  if (!stdout.startsWith('{')) throw new Error(`Biome did not answer: ${stderr}`);
  refused = JSON.parse(stdout)
    .diagnostics.filter(
      ({ severity, category }) => severity === 'error' && category.endsWith('/noProcessEnv'),
    )
    .map(({ location }) => location.path.replaceAll('\\', '/'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test.each(READS)('the linter refuses %s access to the environment', (path) => {
  expect(refused).toContain(path);
});

test.each(MAY_READ)('the linter allows %s access to the environment', (path) => {
  expect(refused).not.toContain(path);
});

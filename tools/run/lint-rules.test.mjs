import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from './setup.mjs';

const BIOME = join(root, 'node_modules/@biomejs/biome/bin/biome');
const SERVER = 'packages/server/src';
const PLUGIN = 'plugin';

/**
 * Lint rules with lines that they must refuse. The rule applies in the `refused` files and not in
 * the `allowed` files.
 */
const RULES = {
  'reading the environment': {
    category: 'lint/style/noProcessEnv',
    lines: ['export const port = process.env.PORT;'],
    refused: [
      `${SERVER}/platform/config.ts`,
      `${SERVER}/issues/engine/engine.ts`,
      'packages/web/src/main.tsx',
    ],
    allowed: [`${SERVER}/main.ts`, `${SERVER}/log.test.ts`, 'tools/run/a.mjs', 'e2e/a.ts'],
  },
  'SQL outside stores': {
    category: PLUGIN,
    lines: [
      "import { type RawBuilder, sql } from 'kysely';",
      'const rows = await kysely.sql`select 1`.execute(db);',
      "const rows = db.selectFrom('issue').selectAll();",
      "const rows = transaction\n  .with('old', (query) => query.selectNoFrom([]))\n  .insertInto('issue');",
      "const rows = db.updateTable('issue').set({});",
      "const rows = (await open()).db.deleteFrom('issue');",
      "const rows = db.mergeInto('issue');",
    ],
    refused: [`${SERVER}/issues/intake.ts`, `${SERVER}/commands/plan.ts`, `${SERVER}/issues/restore.ts`],
    allowed: [
      `${SERVER}/issues/store.ts`,
      `${SERVER}/issues/search-index/stale-item-store.ts`,
      `${SERVER}/schema/migrations/0001-accounts.ts`,
      `${SERVER}/platform/migrate.ts`,
      `${SERVER}/issues/intake.test.ts`,
      `${SERVER}/issues/testing/rows.ts`,
      'tools/data/rows.ts',
    ],
  },
  'reading the clock': {
    category: PLUGIN,
    lines: [
      'const now = new Date();',
      'const now = Date.now();',
      'const limits = { now: given.now ?? Date.now };',
    ],
    refused: [`${SERVER}/issues/intake.ts`, `${SERVER}/issues/store.ts`, 'packages/analysis/src/score.ts'],
    allowed: [
      `${SERVER}/platform/clock.ts`,
      `${SERVER}/issues/intake.test.ts`,
      'packages/emulators/src/github/emulator.ts',
      'packages/web/src/main.tsx',
    ],
  },
};

/** Lines that no lint rule may refuse. */
const HARMLESS = {
  'a given time': "const day = new Date('2030-01-01').getTime() + Date.parse(text);",
  'a duration': 'const took = performance.now() - began;',
  'a type of Kysely': "import type { Kysely, Selectable } from 'kysely';",
  'a call of a store': 'const rows = await store.listIssues(db, accountId);',
};
const harmlessFile = (name) => `${SERVER}/issues/${name.replaceAll(' ', '-')}.ts`;

const withLine = (path, index) => join(dirname(path), `${index}`, path.slice(dirname(path).length + 1));

/** Reported lint errors, as "category: path". */
let refusals = [];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'winnow-lint-rules-'));
  const plant = (path, line) => {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), `${line}\n`);
  };
  for (const { lines, refused, allowed } of Object.values(RULES)) {
    lines.forEach((line, index) => {
      for (const path of refused) plant(withLine(path, index), line);
    });
    for (const path of allowed) plant(path, lines.join('\n'));
  }
  for (const [name, line] of Object.entries(HARMLESS)) plant(harmlessFile(name), line);
  copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'));
  cpSync(join(root, 'tools/lint'), join(folder, 'tools/lint'), { recursive: true });
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [BIOME, 'lint', '--vcs-enabled=false', '--max-diagnostics=none', '--reporter=json', '.'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 },
  );
  if (!stdout.startsWith('{')) throw new Error(`Biome returned no result: ${stderr}`);
  refusals = JSON.parse(stdout)
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ category, location }) => `${category}: ${location.path.replaceAll('\\', '/')}`);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe.each(Object.entries(RULES))('the linter, on %s', (_name, { category, lines, refused, allowed }) => {
  test.each(refused.flatMap((path) => lines.map((line, index) => [path, line, index])))(
    'refuses in %s: %s',
    (path, _line, index) => {
      expect(refusals).toContain(`${category}: ${withLine(path, index)}`);
    },
  );

  test.each(allowed)('allows it in %s', (path) => {
    expect(refusals).not.toContain(`${category}: ${path}`);
  });
});

test.each(Object.keys(HARMLESS))('the linter allows %s', (name) => {
  expect(refusals).not.toContain(`${PLUGIN}: ${harmlessFile(name)}`);
});

// npm run check: checks types of all workspaces, format and lint, and import rules.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, setUp } from './setup.mjs';

const node = setUp({ web: false });
const modules = join(root, 'node_modules');
const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
const workspaces = [...packages, 'tools', 'e2e'].filter((path) =>
  existsSync(join(root, path, 'tsconfig.json')),
);

const failed = [];
async function check(name, args) {
  process.stdout.write(`${name}\n`);
  if ((await run(node, args)) !== 0) failed.push(name);
}
for (const workspace of workspaces) {
  await check(`Types of ${workspace}`, [join(modules, '@typescript/native/bin/tsc'), '-p', workspace]);
}
await check('Format and lint', [join(modules, '@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings']);
await check('Import rules', [join(root, 'tools/run/check-imports.mjs')]);
// Reports files that no other file imports, and exports that only their own file uses.
await check('Unused code', [join(modules, 'knip/bin/knip.js'), '--no-progress']);
await check('Prose', [join(root, 'tools/prose/check.ts')]);
process.stdout.write(failed.length === 0 ? 'All checks passed.\n' : `Failed: ${failed.join(', ')}.\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { launch } from '../../packages/server/launch.mjs';

const ROOT = new URL('../../', import.meta.url);
const read = (name) => readFileSync(new URL(name, ROOT), 'utf8');
const dockerfile = read('Dockerfile');
const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) =>
  sources.split(' '),
);

test('all files that the image copies are in the checkout and not ignored', () => {
  expect(copied.length).toBeGreaterThan(5);
  expect(copied.filter((source) => !existsSync(new URL(source, ROOT)))).toEqual([]);
  expect(copied.filter(isIgnored)).toEqual([]);
});

test('npm finds the package of every workspace', () => {
  const workspaces = [
    'tools',
    'e2e',
    ...readdirSync(new URL('packages', ROOT)).map((name) => `packages/${name}`),
  ];
  expect(copied).toEqual(expect.arrayContaining(workspaces.map((name) => `${name}/package.json`)));
});

test('the server starts like with npm start, on the same Node version', () => {
  const [, entry] = /^ENTRYPOINT (.+)$/m.exec(dockerfile) ?? [];
  const [, ...args] = JSON.parse(entry);
  expect(args.slice(0, -1)).toEqual(launch.flags);
  expect(existsSync(new URL(args.at(-1), ROOT))).toBe(true);
  for (const [name, value] of Object.entries(launch.env)) {
    // The compile cache is only useful for a later start on the same disk.
    if (name !== 'NODE_COMPILE_CACHE') expect(dockerfile).toContain(`${name}=${value}`);
  }
  const [, major] = /"node": "(\d+)\./.exec(read('package.json')) ?? [];
  expect([...dockerfile.matchAll(/^FROM node:(\d+)-/gm)].map(([, version]) => version)).toEqual([
    major,
    major,
  ]);
});

test('the image does not run as root, and declares its data volume', () => {
  expect(dockerfile).toMatch(/^USER node$/m);
  const [, folder] = /DATA_DIR=(\S+)/.exec(dockerfile) ?? [];
  expect(dockerfile).toContain(`\nVOLUME ${folder}\n`);
  expect(read('compose.yaml')).toContain(`:${folder}\n`);
});

test('configure.md describes every setting of compose.yaml', () => {
  const [, environment] = /winnow:[\s\S]+?environment:\n((?: {6}.+\n)+)/.exec(read('compose.yaml')) ?? [];
  const names = [...(environment ?? '').matchAll(/^ +(\w+):/gm)].map(([, name]) => name);
  expect(names).toContain('DATABASE_URL');
  const described = read('docs/operations/configure.md');
  expect(names.filter((name) => !described.includes(`| \`${name}\` |`))).toEqual([]);
});

/** Applies .dockerignore like Docker does: the last matching pattern decides. */
function isIgnored(path) {
  let ignored = false;
  for (const line of read('.dockerignore').split('\n')) {
    const pattern = line.replace(/^!/, '');
    if (line !== '' && (matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`)))
      ignored = !line.startsWith('!');
  }
  return ignored;
}

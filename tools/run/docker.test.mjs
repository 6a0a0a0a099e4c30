import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { launch } from './launch.mjs';

const ROOT = new URL('../../', import.meta.url);
const read = (name) => readFileSync(new URL(name, ROOT), 'utf8');
const dockerfile = read('Dockerfile');
const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) =>
  sources.split(' '),
);

test('all that the image copies is in the checkout, and not kept from it', () => {
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

test('the server is launched as npm start launches it, on the same Node', () => {
  const [, entry] = /^ENTRYPOINT (.+)$/m.exec(dockerfile) ?? [];
  const [, ...args] = JSON.parse(entry);
  expect(args.slice(0, -1)).toEqual(launch.flags);
  expect(existsSync(new URL(args.at(-1), ROOT))).toBe(true);
  for (const [name, value] of Object.entries(launch.env)) {
    // What Node has compiled is for the next start on the same disk.
    if (name !== 'NODE_COMPILE_CACHE') expect(dockerfile).toContain(`${name}=${value}`);
  }
  const [, major] = /"node": "(\d+)\./.exec(read('package.json')) ?? [];
  expect([...dockerfile.matchAll(/^FROM node:(\d+)-/gm)].map(([, version]) => version)).toEqual([
    major,
    major,
  ]);
});

test('the image does not run as root, and says where its data is', () => {
  expect(dockerfile).toMatch(/^USER node$/m);
  const [, folder] = /DATA_DIR=(\S+)/.exec(dockerfile) ?? [];
  expect(dockerfile).toContain(`\nVOLUME ${folder}\n`);
  expect(read('compose.yaml')).toContain(`:${folder}\n`);
});

test('what compose.yaml sets is described for operators', () => {
  const [, environment] = /winnow:[\s\S]+?environment:\n((?: {6}.+\n)+)/.exec(read('compose.yaml')) ?? [];
  const names = [...(environment ?? '').matchAll(/^ +(\w+):/gm)].map(([, name]) => name);
  expect(names).toContain('DATABASE_URL');
  const described = read('docs/operations.md');
  expect(names.filter((name) => !described.includes(`| \`${name}\` |`))).toEqual([]);
});

/** As Docker reads .dockerignore: the last pattern that fits decides. */
function isIgnored(path) {
  let ignored = false;
  for (const line of read('.dockerignore').split('\n')) {
    const pattern = line.replace(/^!/, '');
    if (line !== '' && (matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`)))
      ignored = !line.startsWith('!');
  }
  return ignored;
}

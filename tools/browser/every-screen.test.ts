import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROUTER = new URL('../../packages/web/src/app/router.tsx', import.meta.url);
/** Route of a screen up to its first parameter. A redirect has no title. */
const SCREEN_PATH = /path: '([^':*]+)[^']*',\s+handle/g;

function readText(file: URL): string {
  return readFileSync(file, 'utf8');
}

const paths = [...readText(ROUTER).matchAll(SCREEN_PATH)].map(([, path]) => `/console/${path}`);

test('a state opens each screen of the console, so that axe and screenshots cover it', () => {
  const states = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readText(new URL(name, import.meta.url)))
    .join('\n');
  expect(paths).toContain('/console/trackers');
  expect(paths.filter((path) => !states.includes(path))).toEqual([]);
});

test('the sidebar, the settings or the command palette link each screen of the console', () => {
  const links = ['app/shell/navigation.ts', 'features/settings/settings-tabs.ts']
    .map((path) => readText(new URL(`../../packages/web/src/${path}`, import.meta.url)))
    .join('\n');
  // The subscription screen links to the plans.
  const linked = paths.filter((path) => path !== '/console/pricing');
  expect(linked.filter((path) => !links.includes(`'${path.replace(/\/$/, '')}'`))).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const REPOSITORY = new URL('../../', import.meta.url);
/**
 * Matches the path of a route up to its first parameter. Routes that redirect have no `handle` and
 * do not match.
 */
const SCREEN_PATH = /path: '([^':*]+)[^']*',\s+handle/g;

function readText(file: URL): string {
  return readFileSync(file, 'utf8');
}

const web = new URL('packages/web/', REPOSITORY);
const router = readText(new URL('src/app/router.tsx', web));
const navigation = readText(new URL('src/app/shell/navigation.ts', web));
const settingsTabs = readText(new URL('src/features/settings/settings-tabs.ts', web));
const paths = [...router.matchAll(SCREEN_PATH)].map(([, path]) => `/console/${path}`);

test('a state opens each screen of the console, so that axe and screenshots cover it', () => {
  const states = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readText(new URL(name, import.meta.url)))
    .join('\n');
  expect(paths).toContain('/console/trackers');
  expect(paths.filter((path) => !states.includes(path))).toEqual([]);
});

test('the sidebar, the settings or the command palette link each screen of the console', () => {
  const links = navigation + settingsTabs;
  // The subscription screen links to the plans, and invitations link to the screen for joining.
  const linked = paths.filter((path) => !['/console/pricing', '/console/join'].includes(path));
  expect(linked.filter((path) => !links.includes(`'${path.replace(/\/$/, '')}'`))).toEqual([]);
});

test('a browser test names the path of each screen of the console', () => {
  const folder = new URL('e2e/', REPOSITORY);
  const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
    .map((path) => readText(new URL(path, folder)))
    .join('\n');
  expect(paths.filter((path) => !new RegExp(`${path}(?![\\w-]|/\\w)`).test(tests))).toEqual([]);
});

test('the documentation describes each screen of the sidebar, with its label in bold', () => {
  const documentation = readText(new URL('public/content/docs.md', web));
  const [sidebar = ''] = navigation.split('export const FURTHER_SCREENS');
  const labels = [...(sidebar + settingsTabs).matchAll(/to: '[^']+', label: '([^']+)'/g)];
  const names = labels.map(([, label = '']) => label);
  expect(names).toContain('Similarity');
  expect(names.filter((name) => !new RegExp(`\\*\\*[^*\\n]*\\b${name}\\b`).test(documentation))).toEqual([]);
});

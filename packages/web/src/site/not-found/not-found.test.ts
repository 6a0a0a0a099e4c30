import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tokensOf } from '../../app/theme/contrast.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

test('the 404 page has the colors of all other pages, in both schemes', () => {
  const tokens = read('../../app/theme/tokens.css');
  const [light, dark] = [tokensOf(tokens, '.light'), tokensOf(tokens, '.dark')];
  const colors = [
    ...read('./not-found.css').matchAll(/--(?<name>[\w-]+): light-dark\((?<light>#\w+), (?<dark>#\w+)\)/g),
  ].map(({ groups }) => groups ?? {});
  expect(colors.length).toBeGreaterThan(5);
  expect(colors).toEqual(
    colors.map(({ name = '' }) => ({ name, light: light.get(name), dark: dark.get(name) })),
  );
});

test('the 404 page needs no script, and leads home', () => {
  const page = read('../../../404.html');
  expect([...page.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual(['<script src="/theme.js">']);
  expect(page).not.toMatch(/ (?:style|on\w+)=/);
  expect(page.match(/<a class="button" href="([^"]*)"/)?.[1]).toBe('/');
});

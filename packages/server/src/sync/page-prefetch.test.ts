import { expect, test } from 'vitest';
import type { Page } from '../trackers/provider.ts';
import { type FetchPage, prefetchPages } from './page-prefetch.ts';

const never = new AbortController().signal;

/**
 * Returns a function that serves a listing. `next` maps the cursor of a request to the cursor of
 * the returned page.
 */
function listing(next: Record<string, string>): FetchPage<Page<string>> {
  return async (cursor) => {
    const onward = next[cursor ?? ''];
    return { items: [cursor ?? ''], cursor: onward ?? 'end', done: onward === undefined, total: null };
  };
}

async function walk(next: Record<string, string>, from: string | null): Promise<string[]> {
  const items: string[] = [];
  for await (const page of prefetchPages(listing(next), from, never, (id) => id)) items.push(...page.items);
  return items;
}

test('reads a listing from its cursor to its end', async () => {
  expect(await walk({ '': 'a', a: 'b' }, null)).toEqual(['', 'a', 'b']);
  expect(await walk({ '': 'a', a: 'b' }, 'a')).toEqual(['a', 'b']);
});

test.each([
  ['itself', { '': 'a', a: 'a' }, null],
  ['the cursor where reading began', { a: 'b', b: 'a' }, 'a'],
  ['a much earlier page', { '': 'a', a: 'b', b: 'c', c: 'a' }, null],
])('fails for a listing that leads back to %s', async (_, next, from) => {
  await expect(walk(next, from)).rejects.toMatchObject({ name: 'TrackerError', code: 'malformed' });
});

/**
 * Reads a listing of `pages` pages. `itemsOf` returns the items of each page. Returns the number of
 * pages read.
 */
async function walkPages(itemsOf: (page: number) => string[], pages: number): Promise<number> {
  let read = 0;
  const fetchPage: FetchPage<Page<string>> = async (cursor) => {
    const page = Number(cursor ?? 0);
    return { items: itemsOf(page), cursor: `${page + 1}`, done: page + 1 === pages, total: null };
  };
  for await (const _ of prefetchPages(fetchPage, null, never, (id) => id)) read += 1;
  return read;
}

test.each([
  ['the same page', () => ['a', 'b']],
  ['the same items in other pages', (page: number) => [`${page % 7}`, `${page % 3}`]],
  ['no items', () => []],
])('fails for a listing that returns %s under ever new cursors', async (_, itemsOf) => {
  await expect(walkPages(itemsOf, 1_000_000)).rejects.toMatchObject({ code: 'malformed' });
});

test('reads a listing to its end although pages repeat because it changed meanwhile', async () => {
  const stretch = 40;
  const items = (page: number) => (page < 6 * stretch ? [`${page % stretch}`] : [`${page}`]);
  expect(await walkPages(items, 400)).toBe(400);
  expect(await walkPages((page) => (page % 100 === 99 ? [`${page}`] : []), 1_000)).toBe(1_000);
});

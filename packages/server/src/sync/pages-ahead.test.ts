import { expect, test } from 'vitest';
import type { Page } from '../trackers/provider.ts';
import { type FetchPage, pagesAhead } from './pages-ahead.ts';

const never = new AbortController().signal;

/** A listing whose pages lead on to these cursors, by the cursor they are asked for with. */
function listing(next: Record<string, string>): FetchPage<Page<string>> {
  return async (cursor) => {
    const onward = next[cursor ?? ''];
    return { items: [cursor ?? ''], cursor: onward ?? 'end', done: onward === undefined, total: null };
  };
}

async function walk(next: Record<string, string>, from: string | null): Promise<string[]> {
  const items: string[] = [];
  for await (const page of pagesAhead(listing(next), from, never, (id) => id)) items.push(...page.items);
  return items;
}

test('a listing is read from its cursor to its end', async () => {
  expect(await walk({ '': 'a', a: 'b' }, null)).toEqual(['', 'a', 'b']);
  expect(await walk({ '': 'a', a: 'b' }, 'a')).toEqual(['a', 'b']);
});

test.each([
  ['to itself', { '': 'a', a: 'a' }, null],
  ['to where reading began', { a: 'b', b: 'a' }, 'a'],
  ['to a page long before', { '': 'a', a: 'b', b: 'c', c: 'a' }, null],
])('a listing that leads back %s is given up on', async (_, next, from) => {
  await expect(walk(next, from)).rejects.toMatchObject({ name: 'TrackerError', code: 'malformed' });
});

/** Pages that lead on to another one each time, with the items that `itemsOf` has for them. */
async function walkPages(itemsOf: (page: number) => string[], pages: number): Promise<number> {
  let read = 0;
  const fetchPage: FetchPage<Page<string>> = async (cursor) => {
    const page = Number(cursor ?? 0);
    return { items: itemsOf(page), cursor: `${page + 1}`, done: page + 1 === pages, total: null };
  };
  for await (const _ of pagesAhead(fetchPage, null, never, (id) => id)) read += 1;
  return read;
}

test.each([
  ['the same page', () => ['a', 'b']],
  ['the same items in other pages', (page: number) => [`${page % 7}`, `${page % 3}`]],
  ['no item', () => []],
])('a listing that shows %s under ever new cursors is given up on', async (_, itemsOf) => {
  await expect(walkPages(itemsOf, 1_000_000)).rejects.toMatchObject({ code: 'malformed' });
});

test('a listing whose pages are read again, since it changed meanwhile, and then goes on is read to its end', async () => {
  const stretch = 40;
  const items = (page: number) => (page < 6 * stretch ? [`${page % stretch}`] : [`${page}`]);
  expect(await walkPages(items, 400)).toBe(400);
  expect(await walkPages((page) => (page % 100 === 99 ? [`${page}`] : []), 1_000)).toBe(1_000);
});

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
  for await (const page of pagesAhead(listing(next), from, never)) items.push(...page.items);
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

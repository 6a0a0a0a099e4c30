import { expect, test } from 'vitest';
import { readPage, readText, serialize } from './search-values.ts';

test('a page that makes no sense is the first', () => {
  expect(['2', '100000', '0', '-1', '1.5', '1e3', '100001', 'one', '', null].map(readPage)).toEqual([
    2, 100_000, 1, 1, 1, 1, 1, 1, 1, 1,
  ]);
});

test('a text that is too long is none', () => {
  expect([readText(' sync ', 4), readText('sync!', 4), readText(null, 4)]).toEqual(['sync', '', '']);
});

test('an address has what differs from the defaults, in their order, after what is not ours', () => {
  const defaults = { page: 1, flow: null, projects: [], on: false, query: '', sort: 'count' };
  const current = new URLSearchParams('page=3&theirs=1&flow=b');
  expect(String(serialize(defaults, defaults, current))).toBe('theirs=1');
  const search = { sort: 'name', query: 'a b', on: true, projects: ['a', 'b'], flow: 'c', page: 2 };
  expect(String(serialize(defaults, search, current))).toBe(
    'theirs=1&page=2&flow=c&projects=a%2Cb&on=true&query=a+b&sort=name',
  );
});

import { expect, test } from 'vitest';
import { readPage, readText, serialize } from './search-values.ts';

test('an invalid page number becomes 1', () => {
  expect(['2', '100000', '0', '-1', '1.5', '1e3', '100001', 'one', '', null].map(readPage)).toEqual([
    2, 100_000, 1, 1, 1, 1, 1, 1, 1, 1,
  ]);
});

test('a text that is too long becomes empty', () => {
  expect([readText(' sync ', 4), readText('sync!', 4), readText(null, 4)]).toEqual(['sync', '', '']);
});

test('serialize omits defaults, keeps their order and puts foreign parameters first', () => {
  const defaults = { page: 1, flow: null, projects: [], on: false, query: '', sort: 'count' };
  const current = new URLSearchParams('page=3&foreign=1&flow=b');
  expect(String(serialize(defaults, defaults, current))).toBe('foreign=1');
  const search = { sort: 'name', query: 'a b', on: true, projects: ['a', 'b'], flow: 'c', page: 2 };
  expect(String(serialize(defaults, search, current))).toBe(
    'foreign=1&page=2&flow=c&projects=a%2Cb&on=true&query=a+b&sort=name',
  );
});

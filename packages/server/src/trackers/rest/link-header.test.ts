import { expect, test } from 'vitest';
import { linkTo } from './link-header.ts';

test.each([
  [null],
  [''],
  ['nonsense'],
  ['<https://a.example/?page=1>; rel="prev"'],
  ['<not an address>; rel="next"'],
  ['<https://a.example/?page=1>; rel="nextish"'],
])('%j has no next page', (header) => {
  expect(linkTo(header, 'next')).toBeNull();
});

test('finds each of several relations, with commas and semicolons in the URLs', () => {
  const header =
    '<https://a.example/r?after=Y3Vy,c29y;x&page=2>; rel="next", <https://a.example/r?page=34>; rel="last"';
  expect(linkTo(header, 'next')?.searchParams.get('after')).toBe('Y3Vy,c29y;x');
  expect(linkTo(header, 'last')?.searchParams.get('page')).toBe('34');
});

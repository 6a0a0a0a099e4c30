import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type DependenciesSearch,
  parseSearch,
  SEARCH_DEFAULTS,
  serializeSearch,
  withFilters,
} from './search-params.ts';

const ISSUE = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

test.each([
  'page=0',
  'page=one',
  'status=closedish',
  'project=xyz',
  'project=0a1b2c3',
  'selectedIssue=12',
  'view=map',
  'show=some',
  'unknown=1',
])('replaces an invalid value with the default: %s', (text) => {
  expect(parseSearch(new URLSearchParams(text))).toEqual(SEARCH_DEFAULTS);
});

test('parses a serialized search back unchanged', () => {
  fc.assert(
    fc.property(
      fc.record({
        page: fc.integer({ min: 1, max: 100_000 }),
        project: fc.constantFrom(null, '0a1b2c3d', 'ffffffff'),
        status: fc.constantFrom('opened', 'closed', 'all'),
        show: fc.constantFrom('all', 'dependent'),
        selectedIssue: fc.constantFrom(null, ISSUE),
        view: fc.constantFrom('list', 'graph'),
      }),
      (search: DependenciesSearch) => {
        expect(parseSearch(serializeSearch(search))).toEqual(search);
      },
    ),
  );
  expect(String(serializeSearch(SEARCH_DEFAULTS))).toBe('');
});

test('keeps unrelated parameters of the URL', () => {
  const current = new URLSearchParams('message=hello&status=closed');
  const search = { ...SEARCH_DEFAULTS, page: 2, selectedIssue: ISSUE, view: 'graph' } as const;
  expect(String(serializeSearch(search, current))).toBe(
    `message=hello&view=graph&page=2&selectedIssue=${ISSUE}`,
  );
});

test('returns to page 1 and closes the panel when a filter changes, and keeps the view', () => {
  const search = { ...SEARCH_DEFAULTS, page: 4, selectedIssue: ISSUE, view: 'graph' } as const;
  expect(withFilters(search, { status: 'all' })).toEqual({
    ...SEARCH_DEFAULTS,
    status: 'all',
    view: 'graph',
  });
});

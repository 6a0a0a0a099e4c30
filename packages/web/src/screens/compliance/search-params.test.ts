import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ComplianceSearch,
  isFiltered,
  parseSearch,
  SEARCH_DEFAULTS,
  serializeSearch,
  withFilters,
  withoutFilters,
} from './search-params.ts';

const ISSUE = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const CLUSTER = '3b9c0a51-7d2e-4a41-8f60-5f1f0c7b2d10';
const PROMPT = '0d6b5a52-0c1b-4b66-9d3f-0f3a5c0e7a11';

test.each([
  'page=0',
  'page=one',
  'status=closedish',
  'prompt=',
  'prompt=No%20such',
  `prompt=${'a'.repeat(65)}`,
  'projects=xyz',
  'selectedIssue=12',
  `query=${'a'.repeat(1_001)}`,
  'view=globe',
  'color=pink',
  'region=',
  'region=1,0,0,1',
  'region=0,0,1,x',
  'cluster=12',
  'unknown=1',
])('replaces an invalid value with the default: %s', (text) => {
  expect(parseSearch(new URLSearchParams(text))).toEqual(SEARCH_DEFAULTS);
});

test('parses a serialized search back unchanged', () => {
  fc.assert(
    fc.property(
      fc.record({
        page: fc.integer({ min: 1, max: 100_000 }),
        status: fc.constantFrom('opened', 'closed', 'all'),
        prompt: fc.constantFrom(SEARCH_DEFAULTS.prompt, 'invest_compliance_v1', PROMPT),
        query: fc.string({ maxLength: 1_000 }).map((text) => text.trim()),
        projects: fc.uniqueArray(fc.constantFrom('0a1b2c3d', 'ffffffff', '01234567')),
        view: fc.constantFrom('list', 'map'),
        color: fc.constantFrom('theme', 'score'),
        region: fc.constantFrom(null, { left: -1.25, lower: -0.0001, right: 0, upper: 3 }),
        cluster: fc.constantFrom(null, CLUSTER),
        selectedIssue: fc.constantFrom(null, ISSUE),
      }),
      (search: ComplianceSearch) => {
        expect(parseSearch(serializeSearch(search))).toEqual(search);
      },
    ),
  );
  expect(String(serializeSearch(SEARCH_DEFAULTS))).toBe('');
});

test('keeps unrelated URL parameters', () => {
  const current = new URLSearchParams('message=hello&status=closed');
  expect(String(serializeSearch({ ...SEARCH_DEFAULTS, page: 2 }, current))).toBe('message=hello&page=2');
});

test('returns to page 1 and closes the panel when a filter changes, and keeps prompt and view on Clear all', () => {
  const shown = { prompt: PROMPT, view: 'map', color: 'score' } as const;
  const search = { ...SEARCH_DEFAULTS, ...shown, page: 4, selectedIssue: ISSUE, query: 'x' };
  expect(withFilters(search, { status: 'all' })).toEqual({
    ...search,
    status: 'all',
    page: 1,
    selectedIssue: null,
  });
  expect(withoutFilters(search)).toEqual({ ...SEARCH_DEFAULTS, ...shown });
  const region = { left: 0, lower: 0, right: 1, upper: 1 };
  expect(isFiltered({ ...SEARCH_DEFAULTS, region })).toBe(true);
  expect(withoutFilters({ ...search, region }).region).toBeNull();
  expect([isFiltered(search), isFiltered(withoutFilters(search))]).toEqual([true, false]);
});

import { expect, test } from 'vitest';
import {
  parseSearch,
  SEARCH_DEFAULTS,
  serializeSearch,
  withFilters,
  withoutFilters,
} from './search-params.ts';

const parsed = (query: string) => parseSearch(new URLSearchParams(query));

test('replaces invalid values with defaults', () => {
  const query = 'page=0&status=open&order=best&probability=2&projects=x&selectedCluster=1&review=1';
  expect(parsed(query)).toEqual(SEARCH_DEFAULTS);
});

test('serializes a search without defaults, and parses it back unchanged', () => {
  const search = {
    page: 3,
    status: 'dismissed',
    order: 'size',
    probability: 0,
    projects: ['0a1b2c3d'],
    selectedCluster: '6a1f3c52-0c1b-4b66-9d3f-0f3a5c0e7a10',
    review: true,
  } as const;
  expect(parseSearch(serializeSearch(search))).toEqual(search);
  expect(String(serializeSearch(SEARCH_DEFAULTS))).toBe('');
});

test('returns to page 1 and closes the panel when a filter changes, and keeps the order on Clear all', () => {
  const search = parsed(
    'page=3&order=size&status=decided&selectedCluster=6a1f3c52-0c1b-4b66-9d3f-0f3a5c0e7a10',
  );
  expect(withFilters(search, { probability: 0.5 })).toEqual({
    ...SEARCH_DEFAULTS,
    order: 'size',
    status: 'decided',
    probability: 0.5,
  });
  expect(withoutFilters(search)).toEqual({ ...SEARCH_DEFAULTS, order: 'size' });
});

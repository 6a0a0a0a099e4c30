import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ChangesSearch,
  changesOfIssue,
  parseSearch,
  serializeSearch,
  withFilters,
} from './change-search.ts';

const NOTHING: ChangesSearch = { page: 1, status: null, kind: null, issue: '', selected: null };
const CHANGE = '6a1f3c52-0c1b-4b66-9d3f-0f3a5c0e7a11';

test('replaces missing and invalid URL parameters with defaults', () => {
  fc.assert(
    fc.property(fc.webQueryParameters(), (query) => {
      expect(
        parseSearch(new URLSearchParams(`status=done&kind=x&page=-1&selected=1&${query}`)),
      ).toMatchObject({
        status: null,
        kind: null,
        selected: null,
      });
    }),
  );
  expect(parseSearch(new URLSearchParams(`issue=${'x'.repeat(301)}&page=0`))).toEqual(NOTHING);
});

test('serializes a search to the URL and parses it back unchanged', () => {
  const search: ChangesSearch = {
    page: 3,
    status: 'partly_applied',
    kind: 'undo',
    issue: 'group/sub/project!7',
    selected: CHANGE,
  };
  expect(parseSearch(serializeSearch(search))).toEqual(search);
  expect(String(serializeSearch(NOTHING))).toBe('');
});

test('preserves URL parameters that belong to other features', () => {
  const current = new URLSearchParams('message=hello&status=failed');
  expect(String(serializeSearch({ ...NOTHING, page: 2 }, current))).toBe('message=hello&page=2');
});

test('resets to page 1 and closes the panel when a filter changes', () => {
  const search = { ...NOTHING, page: 4, selected: CHANGE, kind: 'undo' } as const;
  expect(withFilters(search, { status: 'failed' })).toEqual({ ...NOTHING, kind: 'undo', status: 'failed' });
});

test('escapes the special characters of an issue key in the URL', () => {
  const address = new URL(changesOfIssue('owner/repo#12'), 'https://winnow.example');
  expect(parseSearch(address.searchParams)).toEqual({ ...NOTHING, issue: 'owner/repo#12' });
});

import { describe, expect, test } from 'vitest';
import { addressOfIssue, issueQueryOf, issuesMeant, nothingFoundText } from './issue-query.ts';

const ID = '6a1f3c52-0c1b-4b66-9d3f-0f3a5c0e7a11';
const found = ['skua/sync#12', 'skua/web#12', 'skua/sync#120', 'PAY-12', 'PAY-121'].map((key) => ({
  id: ID,
  key,
  title: 'Link is lost',
  status: 'open',
}));
const meant = (typed: string) => {
  const query = issueQueryOf(typed);
  return query && issuesMeant(query, found).map(({ key }) => key);
};

describe('what is typed', () => {
  test.each([
    ['owner/repo#12', 'key'],
    ['group/sub/project!7', 'key'],
    [' PAY-12 ', 'key'],
    ['pay_2-12', 'key'],
    ['#12', 'number'],
    ['!7', 'number'],
    ['repo#12', 'number'],
    ['12', 'words'],
    ['link is lost', 'words'],
    ['owner/repo', 'words'],
    ['well-known', 'words'],
    ['see #12 there', 'words'],
  ])('%j is a %s', (typed, kind) => {
    expect(issueQueryOf(typed)).toEqual({ kind, text: typed.trim() });
  });

  test.each(['', ' ', 'x', '#', 'x'.repeat(201)])('%j means no issue', (typed) => {
    expect(issueQueryOf(typed)).toBeNull();
  });
});

describe('the issues that are meant', () => {
  test('by a whole key are those of exactly that key, in whatever letter case', () => {
    expect(meant('skua/sync#12')).toEqual(['skua/sync#12']);
    expect(meant('Skua/SYNC#12')).toEqual(['skua/sync#12']);
    expect(meant('pay-12')).toEqual(['PAY-12']);
    expect(meant('skua/sync#1')).toEqual([]);
  });

  test('by the end of a key end in it, not only in its digits', () => {
    expect(meant('#12')).toEqual(['skua/sync#12', 'skua/web#12']);
    expect(meant('web#12')).toEqual(['skua/web#12']);
    expect(meant('eb#12')).toEqual([]);
  });

  test('by words are those that the server found', () => {
    expect(meant('lost')).toHaveLength(found.length);
  });
});

test('the way to an issue survives the signs in its key', () => {
  const address = new URL(addressOfIssue({ id: ID, key: 'group/a+b & c#12' }), 'https://winnow.example');
  expect(address.pathname).toBe('/console/issues/compliance');
  expect(Object.fromEntries(address.searchParams)).toEqual({
    query: 'group/a+b & c#12',
    status: 'all',
    selectedIssue: ID,
  });
  expect(address.hash).toBe('');
});

test('that there is none claims no more than was looked through', () => {
  expect(nothingFoundText({ kind: 'key', text: 'PAY-9' })).toBe('No issue has the key PAY-9.');
  expect(nothingFoundText({ kind: 'number', text: '#9' })).toBe('No issue has a key that ends in #9.');
  expect(nothingFoundText({ kind: 'words', text: 'zzz' })).toBe(
    'No screen, project or issue was found for “zzz”.',
  );
});

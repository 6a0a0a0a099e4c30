import { describe, expect, test } from 'vitest';
import { addressOfIssue, exactMatches, issueQueryOf, nothingFoundText } from './issue-query.ts';

const ID = '6a1f3c52-0c1b-4b66-9d3f-0f3a5c0e7a11';
const found = ['skua/sync#12', 'skua/web#12', 'skua/sync#120', 'PAY-12', 'PAY-121'].map((key) => ({
  id: ID,
  key,
  title: 'Link is lost',
  status: 'open',
  project_id: ID,
}));
const meant = (typed: string) => {
  const query = issueQueryOf(typed);
  return query && exactMatches(query, found).map(({ key }) => key);
};

describe('parsing input', () => {
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
  ])('reads %j as a %s', (typed, kind) => {
    expect(issueQueryOf(typed)).toEqual({ kind, text: typed.trim() });
  });

  test.each(['', ' ', 'x', '#', 'x'.repeat(201)])('ignores %j', (typed) => {
    expect(issueQueryOf(typed)).toBeNull();
  });
});

describe('matching issues', () => {
  test('match a whole key exactly, ignoring letter case', () => {
    expect(meant('skua/sync#12')).toEqual(['skua/sync#12']);
    expect(meant('Skua/SYNC#12')).toEqual(['skua/sync#12']);
    expect(meant('pay-12')).toEqual(['PAY-12']);
    expect(meant('skua/sync#1')).toEqual([]);
  });

  test('match the end of a key at a boundary', () => {
    expect(meant('#12')).toEqual(['skua/sync#12', 'skua/web#12']);
    expect(meant('web#12')).toEqual(['skua/web#12']);
    expect(meant('eb#12')).toEqual([]);
  });

  test('for words are all results of the server', () => {
    expect(meant('lost')).toHaveLength(found.length);
  });
});

test('escapes special characters of an issue key in its URL', () => {
  const address = new URL(addressOfIssue({ id: ID, key: 'group/a+b & c#12' }), 'https://winnow.example');
  expect(address.pathname).toBe('/console/issues/compliance');
  expect(Object.fromEntries(address.searchParams)).toEqual({
    query: 'group/a+b & c#12',
    status: 'all',
    selectedIssue: ID,
  });
  expect(address.hash).toBe('');
});

test('describes what was searched without results', () => {
  expect(nothingFoundText({ kind: 'key', text: 'PAY-9' })).toBe('Issue PAY-9 not found.');
  expect(nothingFoundText({ kind: 'number', text: '#9' })).toBe('No issue key ends in #9.');
  expect(nothingFoundText({ kind: 'words', text: 'zzz' })).toBe(
    'No screen, project or issue found for “zzz”.',
  );
});

import type { Pair } from '@winnow/contract/duplicate';
import { describe, expect, test } from 'vitest';
import { issueQueryOf, issuesMeant, nothingFoundText, pairsOfIssue } from './issue-query.ts';

const ID = '6a1f3c52-0c1b-4b66-9d3f-0f3a5c0e7a11';
const AT = '2026-11-20T10:00:00.000Z';

function issue(key: string, title: string): Pair['issue1'] {
  return {
    id: ID,
    key,
    title,
    status: 'open',
    state: 'opened',
    issue_type: 'issue',
    author: null,
    project_id: ID,
    project: { id: ID, name: 'sync', identifier: 'skua/sync' },
    tracker_id: ID,
    url: '',
    comments_count: 0,
    created_at: AT,
    updated_at: AT,
  };
}

function pair(first: [key: string, title: string], second: [key: string, title: string]): Pair {
  return {
    id: ID,
    issue1: issue(...first),
    issue2: issue(...second),
    similarity: 0.5,
    resolution: null,
    dismissed: false,
    undone: false,
    created_at: AT,
  };
}

const pairs = [
  pair(['skua/sync#12', 'Link is lost'], ['skua/web#12', 'Lost link']),
  pair(['skua/sync#12', 'Link is lost'], ['skua/sync#120', 'Another thing']),
  pair(['PAY-12', 'Refund'], ['PAY-121', 'Refund twice']),
];
const meant = (typed: string) => {
  const query = issueQueryOf(typed);
  return query && issuesMeant(query, pairs).map(({ key }) => key);
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

  test('by words have them in their title or key, each issue once', () => {
    expect(meant('LOST')).toEqual(['skua/sync#12', 'skua/web#12']);
    expect(meant('refund')).toEqual(['PAY-12', 'PAY-121']);
    expect(meant('nothing of the kind')).toEqual([]);
  });

  test('are no more than fit', () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      pair([`skua/sync#${index}`, 'Same'], [`skua/web#${index}`, 'Same']),
    );
    expect(issuesMeant({ kind: 'words', text: 'same' }, many)).toHaveLength(6);
  });
});

test('the way to an issue survives the signs in its key', () => {
  const address = new URL(pairsOfIssue('group/a+b & c#12'), 'https://winnow.example');
  expect([address.pathname, address.searchParams.get('query'), address.searchParams.get('status')]).toEqual([
    '/console/issues',
    'group/a+b & c#12',
    'all',
  ]);
  expect(address.hash).toBe('');
});

test('that there is none claims no more than was looked through', () => {
  expect(nothingFoundText({ kind: 'key', text: 'PAY-9' })).toBe('No issue has the key PAY-9.');
  expect(nothingFoundText({ kind: 'number', text: '#9' })).toBe('No issue that has similar ones ends in #9.');
});

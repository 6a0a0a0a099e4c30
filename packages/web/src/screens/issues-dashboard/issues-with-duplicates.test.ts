import type { Pair } from '@winnow/contract/duplicate';
import { expect, test } from 'vitest';
import { issuesWithDuplicates } from './issues-with-duplicates.ts';

const AT = '2026-03-04T10:00:00.000Z';

function issue(id: string): Pair['issue1'] {
  const tracker = { name: 'T', type: 'github' as const };
  const project = {
    project_id: 'p',
    project: { id: 'p', name: '', identifier: '' },
    tracker_id: 't',
    tracker,
  };
  const shown = {
    id,
    key: id,
    title: `Title of ${id}`,
    status: 'open',
    state: 'opened',
    issue_type: 'bug',
  } as const;
  return { ...shown, ...project, author: null, url: '', comments_count: 0, created_at: AT, updated_at: AT };
}

function pair(id: string, older: string, newer: string): Pair {
  const likelihood = { probability: 0.5, standing: 'both_open', series: null, judgment: null } as const;
  const rest = {
    similarity: 0.9,
    ...likelihood,
    resolution: null,
    dismissed: false,
    undone: false,
    created_at: AT,
  };
  return { id, issue1: issue(older), issue2: issue(newer), ...rest };
}

test('lists each issue once, with its most similar issue', () => {
  const listed = issuesWithDuplicates([pair('p1', 'A', 'B'), pair('p2', 'C', 'A')]);
  expect(listed.map((entry) => [entry.issue.id, entry.other.id, entry.pairId])).toEqual([
    ['A', 'B', 'p1'],
    ['B', 'A', 'p1'],
    ['C', 'A', 'p2'],
  ]);
});

import type { Pair, PairList } from '@winnow/contract/duplicate';
import { describe, expect, test } from 'vitest';
import { withoutPair } from './list-cache.ts';

const AT = '2026-03-04T10:00:00.000Z';

function issue(key: string): Pair['issue1'] {
  const project = { id: 'p', name: 'sync', identifier: 'skua/sync' };
  const shared = { title: key, status: 'open', state: 'opened', issue_type: 'issue', author: null } as const;
  return {
    ...shared,
    id: key,
    key,
    project_id: 'p',
    project,
    tracker_id: 't',
    tracker: { name: 'T', type: 'github' },
    url: '',
    comments_count: 0,
    created_at: AT,
    updated_at: AT,
  };
}

function listOf(...ids: string[]): PairList {
  const duplicates = ids.map((id) => ({
    id,
    issue1: issue(`${id}-1`),
    issue2: issue(`${id}-2`),
    similarity: 0.5,
    probability: 0.5,
    standing: 'both_open' as const,
    series: null,
    judgment: null,
    resolution: null,
    dismissed: false,
    undone: false,
    created_at: AT,
  }));
  return { duplicates, total: 20, limit: 10, skip: 0, threshold_used: 0.1, mark: 0.3, model_used: 'm' };
}

describe('withoutPair', () => {
  test('returns the same page with the same total if the pair is not on it', () => {
    const list = listOf('a', 'b');
    expect(withoutPair(list, 'c')).toBe(list);
  });

  test('removes the pair and decrements the total', () => {
    const list = withoutPair(listOf('a', 'b', 'c'), 'b');
    expect(list.duplicates.map(({ id }) => id)).toEqual(['a', 'c']);
    expect(list.total).toBe(19);
  });
});

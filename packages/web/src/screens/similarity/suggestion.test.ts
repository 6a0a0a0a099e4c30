import { expect, test } from 'vitest';
import { suggestedClose } from './suggestion.ts';

type Sides = Parameters<typeof suggestedClose>[0];

function pairOf(older: 'opened' | 'closed', newer: 'opened' | 'closed'): Sides {
  const issue = {
    id: 'i',
    key: 'K-1',
    title: '',
    status: 'open',
    issue_type: 'issue',
    author: null,
    project_id: 'p',
    project: { id: 'p', name: '', identifier: '' },
    tracker_id: 't',
    tracker: { name: 'T', type: 'github' as const },
    url: '',
    comments_count: 0,
    created_at: '2026-03-04T10:00:00.000Z',
    updated_at: '2026-03-04T10:00:00.000Z',
  };
  return { issue1: { ...issue, state: older }, issue2: { ...issue, state: newer } };
}

test('suggests to close the newer open issue, never a closed one', () => {
  expect(suggestedClose(pairOf('closed', 'closed'))).toBeNull();
  expect(suggestedClose(pairOf('opened', 'closed'))).toBe('close_a');
  expect(suggestedClose(pairOf('closed', 'opened'))).toBe('close_b');
  expect(suggestedClose(pairOf('opened', 'opened'))).toBe('close_b');
});

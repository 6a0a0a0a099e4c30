import type { PairDetail } from '@winnow/contract/duplicate';
import { expect, test } from 'vitest';
import { canMerge, deconflictPayload, hasTyped, mergePayload, NO_DRAFTS } from './text-drafts.ts';

const issue: PairDetail['issue1'] = {
  id: 'one',
  external_id: '1',
  key: 'K-1',
  title: 'Sync stalls',
  description: 'It stalls.\r\nAlways.',
  status: 'open',
  state: 'opened',
  issue_type: 'issue',
  author: null,
  labels: [],
  assignees: [],
  priority: null,
  project_id: 'p',
  project: { id: 'p', name: '', identifier: '' },
  organization: { id: 'o', name: '' },
  tracker_id: 't',
  tracker: { name: 'T', type: 'github' },
  url: '',
  parent_key: null,
  comments_count: 0,
  content_hash: 'a'.repeat(64),
  synced_at: null,
  meta_data: { url: '' },
  created_at: '2026-03-04T10:00:00.000Z',
  updated_at: '2026-03-04T10:00:00.000Z',
};
const pair: PairDetail = {
  id: 'pair',
  issue1: issue,
  issue2: { ...issue, id: 'two', key: 'K-2', title: 'Sync stops', description: 'It stops.' },
  similarity: 0.9,
  probability: 0.5,
  standing: 'both_open',
  series: null,
  judgment: null,
  resolution: null,
  dismissed: false,
  undone: false,
  created_at: issue.created_at,
  evidence: { title: 1, body: 1, error_text: null, shared: [] },
  likelihood: { raises: [], lowers: [] },
  change_id: null,
};

test('sends only merged texts that differ from the target, ignoring the format of line breaks', () => {
  const named = { issue1_id: 'one', issue2_id: 'two' };
  const texts = { title: 'Sync stalls', description: 'It stalls.\nAlways.' };
  expect(mergePayload(pair, 'issue1', texts)).toEqual({ ...named, resolution: 'merge_b_to_a' });
  expect(mergePayload(pair, 'issue2', texts)).toEqual({
    ...named,
    resolution: 'merge_a_to_b',
    resulting_issue_2_title: texts.title,
    resulting_issue_2_description: texts.description,
  });
});

test('sends edited comments with a merge, except those that the user emptied', () => {
  const texts = { title: 'Sync stalls', description: 'It stalls.' };
  const edited = mergePayload(pair, 'issue1', texts, { one: 'Same fault.', two: ' \n' });
  expect(edited.comments).toEqual({ one: 'Same fault.' });
  expect(mergePayload(pair, 'issue1', texts, { one: '' })).not.toHaveProperty('comments');
});

test('sends only deconflicted texts that differ, and returns null if no text differs', () => {
  const same = { issue1: pair.issue1, issue2: pair.issue2 };
  expect(deconflictPayload(pair, same)).toBeNull();
  expect(
    deconflictPayload(pair, { ...same, issue2: { ...pair.issue2, title: 'Sync stops on Linux' } }),
  ).toEqual({
    issue1_id: 'one',
    issue2_id: 'two',
    resolution: 'deconflict',
    resulting_issue_2_title: 'Sync stops on Linux',
  });
});

test('treats an emptied text as an edit', () => {
  expect(hasTyped(NO_DRAFTS)).toBe(false);
  expect(hasTyped({ ...NO_DRAFTS, issue2: { description: '' } })).toBe(true);
});

test('allows merging only two open issues', () => {
  expect(canMerge(pair)).toBe(true);
  expect(canMerge({ ...pair, issue2: { ...issue, state: 'closed' } })).toBe(false);
  expect(canMerge({ ...pair, issue1: { ...issue, state: 'closed' } })).toBe(false);
});

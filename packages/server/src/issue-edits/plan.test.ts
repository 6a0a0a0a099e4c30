import { expect, test } from 'vitest';
import {
  type EditedIssue,
  type IssueUpdate,
  planAssign,
  planComment,
  planCreate,
  planUpdate,
} from './plan.ts';

const issue: EditedIssue = {
  id: 'an-id',
  key: 'acme/app#1',
  title: 'The kettle whistles',
  description: 'Loudly.\nAll day.',
  state: 'opened',
  labels: ['kitchen', 'Noise'],
  assignees: ['ada', 'bob'],
  content_hash: 'a-hash',
};

const stepsOf = (update: IssueUpdate, of = issue) =>
  planUpdate(of, update).steps.map(({ action, before, after }) => ({ action, before, after }));

test('plans texts, then labels, then the state, each with its previous value', () => {
  const update = {
    title: 'It sings',
    addLabels: ['music'],
    removeLabels: ['Noise'],
    state: 'closed',
  } as const;
  expect(stepsOf(update)).toEqual([
    { action: 'edit', before: { title: 'The kettle whistles' }, after: { title: 'It sings' } },
    {
      action: 'change_labels',
      before: { labels: ['kitchen', 'Noise'] },
      after: { labels: ['kitchen', 'music'] },
    },
    {
      action: 'close',
      before: { state: 'opened' },
      after: { state: 'closed', close_reason: 'completed' },
    },
  ]);
  expect(planUpdate(issue, update)).toMatchObject({
    title: 'Updated acme/app#1.',
    issues: [{ id: 'an-id', key: 'acme/app#1', contentHash: 'a-hash' }],
  });
});

test('plans no step for values that already match', () => {
  expect(
    stepsOf({
      title: 'The kettle whistles',
      description: 'Loudly.\r\nAll day.',
      addLabels: ['kitchen'],
      removeLabels: ['garden'],
      state: 'opened',
    }),
  ).toEqual([]);
});

test('matches labels without regard to case', () => {
  expect(stepsOf({ addLabels: ['noise', 'KITCHEN'] })).toEqual([]);
  expect(stepsOf({ removeLabels: ['noise'] })).toMatchObject([{ after: { labels: ['kitchen'] } }]);
  const both = { ...issue, labels: ['bug', 'Bug'] };
  expect(stepsOf({ removeLabels: ['Bug'] }, both)).toMatchObject([{ after: { labels: ['bug'] } }]);
});

test('keeps a label that is both added and removed, and adds a repeated label once', () => {
  expect(stepsOf({ addLabels: ['new', 'new', 'Noise'], removeLabels: ['Noise'] })).toMatchObject([
    { after: { labels: ['kitchen', 'new', 'Noise'] } },
  ]);
});

test.each([
  ['closing', issue, { state: 'closed', closeReason: 'not_planned' }, 'Closed acme/app#1 as not planned.'],
  ['closing', issue, { state: 'closed' }, 'Closed acme/app#1 as completed.'],
  ['reopening', { ...issue, state: 'closed' }, { state: 'opened' }, 'Reopened acme/app#1.'],
  ['labeling', issue, { addLabels: ['new'] }, 'Labeled acme/app#1.'],
  ['editing', issue, { title: 'New' }, 'Updated acme/app#1.'],
] as const)('titles a change that consists only of %s', (_what, of, update, title) => {
  expect(planUpdate(of, update).title).toBe(title);
});

test('titles an assignment with all assignees, ignores their order, and reports an empty list as unassigned', () => {
  expect(planAssign(issue, ['bob', 'ada']).steps).toEqual([]);
  expect(planAssign(issue, ['ada'])).toMatchObject({
    title: 'Assigned acme/app#1 to ada.',
    steps: [{ action: 'assign', before: { assignees: ['ada', 'bob'] }, after: { assignees: ['ada'] } }],
  });
  expect(planAssign(issue, []).title).toBe('Unassigned acme/app#1.');
});

test('plans a comment and a new issue as one step each', () => {
  expect(planComment(issue, 'Still.').steps).toMatchObject([
    { action: 'comment', after: { comment: 'Still.' } },
  ]);
  const draft = { title: 'New', description: '', labels: ['a'], assignees: [] };
  expect(planCreate({ id: 'p', identifier: 'acme/app' }, draft, 'stand-in')).toMatchObject({
    title: 'Created “New” in acme/app.',
    issues: [],
    steps: [{ action: 'create', issueId: 'stand-in', after: draft, memory: { project_id: 'p' } }],
  });
});

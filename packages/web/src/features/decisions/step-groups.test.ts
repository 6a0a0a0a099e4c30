import type { Change } from '@winnow/contract/change';
import { expect, test } from 'vitest';
import { groupsOf } from './step-groups.ts';

type Step = Change['steps'][number];

function stepOf(group: number, action: Step['action'], status: Step['status'] = 'applied'): Step {
  return {
    id: `${group}-${action}`,
    action,
    group,
    target_key: `A-${group}`,
    target_project_id: null,
    target_tracker: null,
    other_project_id: null,
    before: {},
    after: {},
    status,
    error: null,
    applied_at: null,
  };
}

test('does not group the steps of a change to a pair', () => {
  expect(groupsOf([stepOf(0, 'comment'), stepOf(0, 'comment'), stepOf(0, 'close_as_duplicate')])).toBeNull();
  expect(groupsOf(Array.from({ length: 9 }, () => stepOf(0, 'mark_unrelated')))).toBeNull();
});

test('groups the steps of a long change and selects the failed, running or last step of each group', () => {
  const groups = groupsOf([
    ...[1, 2, 3].flatMap((group) => [stepOf(group, 'comment'), stepOf(group, 'close_as_duplicate')]),
    stepOf(4, 'comment', 'failed'),
    stepOf(4, 'close_as_duplicate', 'skipped'),
    stepOf(5, 'comment', 'pending'),
  ]);
  expect(
    groups?.map(({ group, main, steps }) => [group, main.action, steps.map(({ number }) => number)]),
  ).toEqual([
    [1, 'close_as_duplicate', [1, 2]],
    [2, 'close_as_duplicate', [3, 4]],
    [3, 'close_as_duplicate', [5, 6]],
    [4, 'comment', [7, 8]],
    [5, 'comment', [9]],
  ]);
});

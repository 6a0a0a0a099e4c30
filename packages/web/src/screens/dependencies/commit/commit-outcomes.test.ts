import type { Change } from '@winnow/contract/change';
import { expect, test } from 'vitest';
import { dependencyKey } from '../dependency-state.ts';
import { aDependency } from '../testing/dependency.ts';
import { countOutcomes, outcomesOf, outcomesText } from './commit-outcomes.ts';

const FIRST = aDependency();
const SECOND = aDependency({
  source_issue_id: '00000000-0000-4000-8000-000000000003',
  issue_key: 'acme/app#3',
});
const CHANGE = '00000000-0000-4000-8000-000000000009';

function aChange(different: Partial<Change>): Change {
  return {
    id: CHANGE,
    kind: 'dependency',
    status: 'applying',
    title: '',
    rationale: null,
    confidence: null,
    actor: { type: 'user', id: CHANGE, name: 'Ada' },
    decided_by: null,
    issue_keys: [],
    issues: [],
    steps: [],
    base_hashes: {},
    created_at: '2025-01-01T00:00:00.000Z',
    decided_at: null,
    retried_by: null,
    applied_at: null,
    undoes: null,
    undone_by: null,
    ...different,
  };
}

test('returns whether each dependency was committed, or why it failed', () => {
  const committed = { ...FIRST, is_committed: true, change_id: CHANGE };
  const outcomes = outcomesOf(
    [FIRST, SECOND],
    {
      dependencies: [committed],
      failed: [{ dependency: SECOND, code: 'step_failed', detail: 'No.', change_id: CHANGE }],
      pending: [],
    },
    new Map(),
  );
  expect(outcomes.get(dependencyKey(FIRST))).toEqual({ state: 'done', committed });
  expect(outcomes.get(dependencyKey(SECOND))).toEqual({
    state: 'failed',
    detail: 'No.',
    changeId: CHANGE,
    isFinal: false,
  });
  expect(countOutcomes(outcomes)).toEqual({ done: 1, failed: 1, undone: 0, pending: 0 });
  expect(outcomesText(outcomes)).toBe('1 of 2 dependencies committed, 1 failed.');
});

test('replaces the outcome of a dependency after a retry', () => {
  const result = {
    dependencies: [],
    failed: [{ dependency: FIRST, code: 'step_failed', detail: 'No.', change_id: CHANGE }],
    pending: [],
  };
  const after = (different: Partial<Change>) =>
    outcomesOf([FIRST], result, new Map(), new Map([[dependencyKey(FIRST), aChange(different)]])).get(
      dependencyKey(FIRST),
    );
  expect(after({ status: 'applied' })).toMatchObject({ state: 'done' });
  expect(after({ status: 'failed' })).toMatchObject({ state: 'failed', changeId: CHANGE });
});

test('allows undoing a committed dependency, but not retrying one that would close a cycle', () => {
  const result = {
    dependencies: [{ ...FIRST, is_committed: true, change_id: CHANGE }],
    failed: [{ dependency: SECOND, code: 'dependency_cycle', detail: 'A cycle.', change_id: null }],
    pending: [],
  };
  const back = new Map([[dependencyKey(FIRST), aChange({ status: 'undone' })]]);
  const outcomes = outcomesOf([FIRST, SECOND], result, new Map(), back);
  expect(outcomes.get(dependencyKey(FIRST))).toEqual({ state: 'undone', changeId: CHANGE });
  expect(outcomes.get(dependencyKey(SECOND))).toMatchObject({ state: 'failed', isFinal: true });
  expect(outcomesText(outcomes)).toBe('1 of 2 dependencies undone.');
});

test('derives the outcome of a pending dependency from its change', () => {
  const result = { dependencies: [], failed: [], pending: [{ dependency: FIRST, change_id: CHANGE }] };
  const outcomeWith = (different: Partial<Change> | null) =>
    outcomesOf([FIRST], result, new Map(different === null ? [] : [[CHANGE, aChange(different)]])).get(
      dependencyKey(FIRST),
    );
  expect(outcomeWith(null)).toEqual({ state: 'pending', changeId: CHANGE });
  expect(outcomeWith({ status: 'applying' })).toEqual({ state: 'pending', changeId: CHANGE });
  expect(outcomeWith({ status: 'applied' })).toMatchObject({
    state: 'done',
    committed: { change_id: CHANGE },
  });
  expect(outcomeWith({ status: 'failed' })).toEqual({
    state: 'failed',
    detail: 'It could not be written.',
    changeId: CHANGE,
    isFinal: false,
  });
});

test('summarizes the outcomes of all dependencies in one sentence', () => {
  const done = { dependencies: [FIRST, SECOND], failed: [], pending: [] };
  expect(outcomesText(outcomesOf([FIRST, SECOND], done, new Map()))).toBe('2 dependencies committed.');
  expect(outcomesText(outcomesOf([FIRST], { ...done, dependencies: [FIRST] }, new Map()))).toBe('Committed.');
  const none = { dependencies: [], failed: [], pending: [] };
  expect(outcomesText(outcomesOf([FIRST], none, new Map()))).toBe('Nothing was committed.');
  const some = { ...none, pending: [{ dependency: FIRST, change_id: CHANGE }] };
  expect(outcomesText(outcomesOf([FIRST], some, new Map()))).toBe(
    '0 of 1 dependency committed, 1 still being written.',
  );
});

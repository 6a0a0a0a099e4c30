import { expect, test } from 'vitest';
import {
  commitStateOf,
  committableDependencies,
  dependenciesOf,
  heldBackLookup,
  isCommittable,
  mergeDependencies,
  otherEnd,
} from './dependency-state.ts';
import { aDependency } from './testing/dependency.ts';
import { graphOf } from './testing/graph.ts';

const found = aDependency();
const fromTracker = aDependency({ comes_from_tracker: true });
const committed = aDependency({ is_committed: true, change_id: '00000000-0000-4000-8000-000000000009' });
const undone = aDependency({ undone: true });

test('allows committing an undone dependency, but not one that the tracker contains', () => {
  expect([found, fromTracker, committed, undone].map(commitStateOf)).toEqual([
    'found',
    'tracker',
    'committed',
    'found',
  ]);
  expect([found, fromTracker, committed, undone].map(isCommittable)).toEqual([true, false, false, true]);
  expect(committableDependencies([found, fromTracker, committed, undone])).toEqual([found, undone]);
});

test('does not select undone, cyclic and satisfied dependencies by default', () => {
  const known = graphOf({ a: 0, b: 1, c: 2 }, ['ab', 'bc', 'cb'], { closed: ['a'] });
  const [satisfied, cycled] = known.dependencies;
  if (satisfied === undefined || cycled === undefined) throw new Error('There are none.');
  cycled.is_in_cycle = true;
  const heldBack = heldBackLookup(known);
  expect([found, undone, satisfied, cycled].map(heldBack)).toEqual([null, 'undone', 'satisfied', 'in_cycle']);
  expect(heldBackLookup(undefined)(undone)).toBe('undone');
});

test('replaces a known dependency with a newly found one between the same issues', () => {
  expect(mergeDependencies([found], [committed])).toEqual([committed]);
});

test('lists the blockers of an issue before the issues that it blocks', () => {
  const { source_issue_id: first, dependent_issue_id: second } = found;
  const onward = aDependency({
    source_issue_id: second,
    issue_key: 'acme/app#2',
    dependent_issue_id: '00000000-0000-4000-8000-000000000003',
    dependency_key: 'acme/app#3',
  });
  const sided = dependenciesOf(second, [onward, found]);
  expect(sided.map(({ side }) => side)).toEqual(['blocked_by', 'blocks']);
  expect(sided.map((one) => otherEnd(one).key)).toEqual(['acme/app#1', 'acme/app#3']);
  expect(dependenciesOf(first, [onward])).toEqual([]);
  const itself = aDependency({ dependent_issue_id: first });
  expect(dependenciesOf(first, [itself]).map(({ side }) => side)).toEqual(['blocked_by']);
});

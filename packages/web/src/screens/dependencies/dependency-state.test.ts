import { expect, test } from 'vitest';
import {
  dependenciesOf,
  holdingBackBy,
  isCommittable,
  mergeDependencies,
  otherEnd,
  standingOf,
  toCommit,
} from './dependency-state.ts';
import { aDependency } from './testing/dependency.ts';
import { graphOf } from './testing/graph.ts';

const found = aDependency();
const told = aDependency({ comes_from_tracker: true });
const committed = aDependency({ is_committed: true, change_id: '00000000-0000-4000-8000-000000000009' });
const takenBack = aDependency({ undone: true });

test('a dependency that the tracker knows cannot be committed, an undone one can', () => {
  expect([found, told, committed, takenBack].map(standingOf)).toEqual([
    'found',
    'tracker',
    'committed',
    'found',
  ]);
  expect([found, told, committed, takenBack].map(isCommittable)).toEqual([true, false, false, true]);
  expect(toCommit([found, told, committed, takenBack])).toEqual([found, takenBack]);
});

test('undone, cyclic and satisfied dependencies are not committed by default', () => {
  const known = graphOf({ a: 0, b: 1, c: 2 }, ['ab', 'bc', 'cb'], { closed: ['a'] });
  const [satisfied, cycled] = known.dependencies;
  if (satisfied === undefined || cycled === undefined) throw new Error('There are none.');
  cycled.is_in_cycle = true;
  const heldBack = holdingBackBy(known);
  expect([found, takenBack, satisfied, cycled].map(heldBack)).toEqual([
    null,
    'undone',
    'satisfied',
    'in_cycle',
  ]);
  expect(holdingBackBy(undefined)(takenBack)).toBe('undone');
});

test('what is found again takes the place of what was known', () => {
  expect(mergeDependencies([found], [committed])).toEqual([committed]);
});

test('an issue sees what it waits for before what waits for it', () => {
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

import { expect, test } from 'vitest';
import {
  badgeName,
  commitCountText,
  cycleText,
  dependencyStateText,
  extendedText,
  keyLabel,
  knownText,
  listText,
  reasonParts,
  scannedText,
  sentenceOf,
} from './dependency-texts.ts';
import { aDependency } from './testing/dependency.ts';

test('states the number of scanned issues and of dependencies found', () => {
  expect([scannedText(10, 3), scannedText(1, 1), extendedText(10, 2), extendedText(1, 0)]).toEqual([
    '10 issues scanned, 3 dependencies found',
    '1 issue scanned, 1 dependency found',
    '10 more issues scanned, 2 dependencies found',
    '1 more issue scanned, 0 dependencies found',
  ]);
  expect(extendedText(0, 0)).toBe('All issues in this project have been scanned');
});

test('includes key, confidence and state in the accessible name of a badge', () => {
  const dependency = aDependency({ confidence_score: 0.915 });
  expect(badgeName({ dependency, side: 'blocks' }, false)).toBe(
    'Blocks #2, 92% confidence. Found, not committed',
  );
  const fromTracker = aDependency({ comes_from_tracker: true, confidence_score: 1 });
  expect(badgeName({ dependency: fromTracker, side: 'blocked_by' }, true)).toBe(
    'Blocked by #1, 100% confidence. From the tracker; satisfied',
  );
});

const main = { name: 'Main', type: 'github' } as const;
const mirror = { name: 'Mirror', type: 'gitlab' } as const;

test('shortens a key to its number within a project, and adds the tracker of a mirrored project', () => {
  const label = (key: string, beside: string, [own, other] = ['a', 'a']) =>
    keyLabel({ key, project_id: own, tracker: mirror }, { key: beside, project_id: other, tracker: main });
  expect(label('acme/app#12', 'acme/app#2')).toBe('#12');
  expect(label('group/sub/app!12', 'group/sub/app#2')).toBe('!12');
  expect(label('acme/app#12', 'acme/web#2', ['a', 'b'])).toBe('app#12');
  expect(label('PAY-12', 'PAY-2')).toBe('PAY-12');
  expect(label('acme/app#12', 'acme/app#2', ['a', 'b'])).toBe('app#12 in Mirror');
});

test('names the trackers in a sentence only if both issue keys are ambiguous', () => {
  const dependency = aDependency();
  expect(sentenceOf(dependency)).toBe('acme/app#1 blocks acme/app#2');
  const mirrored = aDependency({
    source: { ...dependency.source, project_id: 'a', tracker: main },
    dependent: { ...dependency.dependent, project_id: 'b', tracker: mirror },
  });
  expect(sentenceOf(mirrored)).toBe('acme/app#1 in Main (GitHub) blocks acme/app#2 in Mirror (GitLab)');
});

test('mentions in the state whether a dependency was undone or is part of a cycle', () => {
  const dependency = aDependency({ undone: true });
  expect(dependencyStateText(dependency, { satisfied: false, inCycle: true })).toBe(
    'Found, not committed; undone; in a cycle',
  );
});

test('lists a few names in full, and counts further names', () => {
  expect([listText([]), listText(['a']), listText(['a', 'b']), listText(['a', 'b', 'c'])]).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ]);
  expect(listText(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
});

test('describes a simple cycle step by step, and other cycles by listing their issues', () => {
  expect(cycleText(['a', 'b', 'c'], () => true)).toBe(
    'a blocks b, b blocks c, and c blocks a, so none of them can be started.',
  );
  expect(cycleText(['a'], () => true)).toBe('a blocks itself, so it cannot be started.');
  expect(cycleText(['a', 'b', 'c'], (from) => from !== 1)).toBe(
    'a, b and c wait for one another, so none of them can be started.',
  );
  expect(cycleText(['a', 'b', 'c', 'd'], () => true, 3)).toBe(
    'a, b, c and 1 more wait for one another, so none of them can be started.',
  );
});

test('splits an explanation into quotes and other text', () => {
  expect(reasonParts('The title of a says “Blocked by #1”: b first.')).toEqual([
    { text: 'The title of a says ', quoted: false },
    { text: '“Blocked by #1”', quoted: true },
    { text: ': b first.', quoted: false },
  ]);
  expect(reasonParts('')).toEqual([]);
});

test('states the number of known dependencies, and whether issues are still being read', () => {
  expect(knownText(6, { read: 155, total: 155 })).toBe('6 dependencies are known in this project.');
  expect(knownText(1, { read: 10, total: 155 })).toBe('1 dependency is known in this project so far.');
  expect(knownText(0, { read: 10, total: 155 })).toBe('No dependency is known in this project yet.');
  expect(knownText(0, { read: 1, total: 1 })).toMatch(/^No dependencies found: none of the 1 issue /);
});

test('states beside Commit All how many of the listed dependencies are selected', () => {
  const two = [aDependency({ issue_key: 'a' }), aDependency({ issue_key: 'b' })];
  expect(commitCountText(two, () => null)).toBe('2');
  expect(commitCountText(two, ({ issue_key }) => (issue_key === 'a' ? 'satisfied' : null))).toBe('1 of 2');
  expect(
    commitCountText(
      Array.from({ length: 120 }, () => aDependency({})),
      () => null,
    ),
  ).toBe('100');
});

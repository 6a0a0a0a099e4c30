import { expect, test } from 'vitest';
import { likelyAssignee, likelyLabels, type Marks, type Neighbour } from './neighbour-suggestions.ts';

const MARKS: Marks = { least: 3, share: 0.6 };

function near(...issues: [labels: string[], assignees?: string[], similarity?: number][]): Neighbour[] {
  return issues.map(([labels, assignees = [], similarity = 0.5]) => ({ labels, assignees, similarity }));
}

test('suggests a label that the issue lacks and most similar issues have', () => {
  const neighbours = near([['bug', 'links']], [['links', 'bug']], [['bug', 'links']], [['bug']]);
  expect(likelyLabels([], neighbours, MARKS)).toEqual(['bug', 'links']);
  expect(likelyLabels(['BUG'], neighbours, MARKS)).toEqual(['links']);
  expect(likelyLabels([], near([['bug']], [['links']], [['billing']]), MARKS)).toEqual([]);
});

test('ignores labels of too few, inconsistent or dissimilar issues', () => {
  const bug: [string[]] = [['bug']];
  expect(likelyLabels([], near(bug, bug), MARKS)).toEqual([]);
  expect(likelyLabels([], near(bug, bug, [['bug'], [], 0.09]), MARKS)).toEqual([]);
  const close: [string[], string[], number] = [['bug'], [], 0.9];
  const far: [string[], string[], number] = [['links'], [], 0.2];
  expect(likelyLabels([], near(...Array(3).fill(close), ...Array(9).fill(far)), MARKS)).toEqual(['bug']);
  expect(likelyLabels([], near(...Array(10).fill(far), ...Array(9).fill([['bug'], [], 0.1])), MARKS)).toEqual(
    ['links'],
  );
});

test('suggests at most one label per scope, and none for a scope that the issue’s labels already cover', () => {
  const both: [string[]] = [['area:web', 'area:links']];
  const neighbours = near(both, both, both, [['area:web']]);
  expect(likelyLabels([], neighbours, MARKS)).toEqual(['area:web']);
  expect(likelyLabels(['area:trash'], neighbours, MARKS)).toEqual([]);
  expect(likelyLabels(['area::trash', 'web'], near(...Array(3).fill([['area::web']])), MARKS)).toEqual([]);
});

test('suggests the person who works on most of the assigned similar issues', () => {
  const mostly = near([[], ['ada']], [[], ['ada', 'bob']], [[], ['ada']], [[], []], [[], ['cy']]);
  expect(likelyAssignee([], mostly, MARKS)).toBe('ada');
  expect(likelyAssignee([], near([[], ['ada']], [[], ['bob']], [[], ['cy']]), MARKS)).toBeNull();
  expect(likelyAssignee([], near([[], ['ada']], [[], ['ada']], [[], []]), MARKS)).toBeNull();
  expect(likelyAssignee([], [], MARKS)).toBeNull();
});

test('gives more weight to people who work on the same component', () => {
  const ofPart: [string[], string[]] = [['area:web'], ['ada']];
  const ofAnother: [string[], string[]] = [['area:trash'], ['bob']];
  const neighbours = near(...Array(3).fill(ofPart), ...Array(4).fill(ofAnother));
  expect(likelyAssignee([], neighbours, MARKS)).toBeNull();
  expect(likelyAssignee(['area:web'], neighbours, MARKS)).toBe('ada');
});

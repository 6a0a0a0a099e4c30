import { expect, test } from 'vitest';
import { likelyAssignee, likelyLabels, type Marks, type Neighbour } from './by-neighbours.ts';

const MARKS: Marks = { least: 3, share: 0.6 };

function near(...issues: [labels: string[], assignees?: string[], similarity?: number][]): Neighbour[] {
  return issues.map(([labels, assignees = [], similarity = 0.5]) => ({ labels, assignees, similarity }));
}

test('a label is suggested that most of the similar issues have, and the issue lacks', () => {
  const neighbours = near([['bug', 'links']], [['links', 'bug']], [['bug', 'links']], [['bug']]);
  expect(likelyLabels([], neighbours, MARKS)).toEqual(['bug', 'links']);
  expect(likelyLabels(['BUG'], neighbours, MARKS)).toEqual(['links']);
  expect(likelyLabels([], near([['bug']], [['links']], [['billing']]), MARKS)).toEqual([]);
});

test('few, unlike and far issues have no say', () => {
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

test('of labels with one scope an issue gets one, and none beside one that it has', () => {
  const both: [string[]] = [['area:web', 'area:links']];
  const neighbours = near(both, both, both, [['area:web']]);
  expect(likelyLabels([], neighbours, MARKS)).toEqual(['area:web']);
  expect(likelyLabels(['area:trash'], neighbours, MARKS)).toEqual([]);
  expect(likelyLabels(['area::trash', 'web'], near(...Array(3).fill([['area::web']])), MARKS)).toEqual([]);
});

test('somebody is suggested who works on most of the similar issues that somebody works on', () => {
  const mostly = near([[], ['ada']], [[], ['ada', 'bob']], [[], ['ada']], [[], []], [[], ['cy']]);
  expect(likelyAssignee([], mostly, MARKS)).toBe('ada');
  expect(likelyAssignee([], near([[], ['ada']], [[], ['bob']], [[], ['cy']]), MARKS)).toBeNull();
  expect(likelyAssignee([], near([[], ['ada']], [[], ['ada']], [[], []]), MARKS)).toBeNull();
  expect(likelyAssignee([], [], MARKS)).toBeNull();
});

test('who works on the same part of the product counts more', () => {
  const ofPart: [string[], string[]] = [['area:web'], ['ada']];
  const ofAnother: [string[], string[]] = [['area:trash'], ['bob']];
  const neighbours = near(...Array(3).fill(ofPart), ...Array(4).fill(ofAnother));
  expect(likelyAssignee([], neighbours, MARKS)).toBeNull();
  expect(likelyAssignee(['area:web'], neighbours, MARKS)).toBe('ada');
});

import { expect, test } from 'vitest';
import { meaningOf, scoreChangeText, scoreText, scoreTone, shortMeaningOf, tenthsText } from './score.ts';

test('rounds scores to whole percentages, and shows 0% and 100% only for exact values', () => {
  expect([0, 0.001, 0.01, 0.445, 0.5, 0.996, 1].map(scoreText)).toEqual([
    '0%',
    '1%',
    '1%',
    '45%',
    '50%',
    '99%',
    '100%',
  ]);
});

test('colors scores by the thresholds for confidence', () => {
  expect([1, 0.81, 0.8, 0.51, 0.5, 0].map(scoreTone)).toEqual([
    'success',
    'success',
    'warning',
    'warning',
    'danger',
    'danger',
  ]);
});

test('explains what 100% means for metrics where that is not obvious', () => {
  expect(meaningOf('risk_assessment_v1')).toMatch(/^100% is a low risk/);
  expect(meaningOf('complexity_v1')).toMatch(/^100% is a small change/);
  expect(['risk_assessment_v1', 'complexity_v1'].map(shortMeaningOf)).toEqual(['100% = low', '100% = small']);
  expect([meaningOf('dor_compliance_v1'), meaningOf(undefined)]).toEqual([null, null]);
});

test('describes a score change in points', () => {
  expect([scoreChangeText(0.45, 0.78), scoreChangeText(0.5, 0.49), scoreChangeText(0.5, 0.5)]).toEqual([
    'up 33 points',
    'down 1 point',
    'unchanged',
  ]);
});

test('describes a histogram in words', () => {
  expect(tenthsText([2, 0, 0, 0, 3, 0, 0, 0, 0, 1])).toBe(
    '2 below 10%, 3 from 40% to 49%, 1 from 90% to 100%',
  );
  expect(tenthsText(Array.from({ length: 10 }, () => 0))).toBe('Nothing scored yet');
});

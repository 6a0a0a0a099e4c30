import { expect, test } from 'vitest';
import { meaningOf, moveText, scoreText, scoreTone, tenthsText } from './score.ts';

test('scores are whole percents, and only all is 100% and only nothing 0%', () => {
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

test('colors go by the thresholds of confidence', () => {
  expect([1, 0.81, 0.8, 0.51, 0.5, 0].map(scoreTone)).toEqual([
    'success',
    'success',
    'warning',
    'warning',
    'danger',
    'danger',
  ]);
});

test('where more is not simply better, it is said what 100% means', () => {
  expect(meaningOf('risk_assessment_v1')).toMatch(/^100% is a low risk/);
  expect([meaningOf('dor_compliance_v1'), meaningOf(undefined)]).toEqual([null, null]);
});

test('a move is told in points', () => {
  expect([moveText(0.45, 0.78), moveText(0.5, 0.49), moveText(0.5, 0.5)]).toEqual([
    'up 33 points',
    'down 1 point',
    'unchanged',
  ]);
});

test('a histogram has its words', () => {
  expect(tenthsText([2, 0, 0, 0, 3, 0, 0, 0, 0, 1])).toBe(
    '2 below 10%, 3 from 40% to 49%, 1 from 90% to 100%',
  );
  expect(tenthsText(Array.from({ length: 10 }, () => 0))).toBe('Nothing scored yet');
});

import { expect, test } from 'vitest';
import { durationText, exactTimeText } from './relative-time-text.ts';

test('a duration uses at most two units', () => {
  expect([0, 420, 9_940, 9_960, 59_000, 125_400, 3_780_000].map(durationText)).toEqual([
    '0.0 s',
    '0.4 s',
    '9.9 s',
    '10 s',
    '59 s',
    '2 min 5 s',
    '1 h 3 min',
  ]);
});

test('an exact time has its seconds', () => {
  expect(exactTimeText(Date.UTC(2026, 2, 4, 10, 0, 7))).toMatch(/:07\b/);
});

import { expect, test } from 'vitest';
import {
  compactText,
  costOf,
  costText,
  dayText,
  durationText,
  fullDayText,
  monthText,
  shareText,
} from './usage-texts.ts';

test('formats durations in milliseconds or seconds', () => {
  expect([null, 0.5, 9.94, 12.3, 999.4, 999.6, 1234, 9960, 75_000].map(durationText)).toEqual([
    '–',
    '0.5 ms',
    '9.9 ms',
    '12 ms',
    '999 ms',
    '1.0 s',
    '1.2 s',
    '10 s',
    '75 s',
  ]);
});

test('rounds costs to cents, and costs below a cent to two significant digits', () => {
  expect([0, 0.000_012_3, 0.0099, 0.01, 3.456, 1234.5].map(costText)).toEqual([
    '$0.00',
    '$0.000012',
    '$0.0099',
    '$0.01',
    '$3.46',
    '$1,234.50',
  ]);
});

test('does not show an unknown cost as zero', () => {
  expect(costOf({ cost: 0, calls: 0, unpriced_calls: 0 })).toBe('$0.00');
  expect(costOf({ cost: 1.5, calls: 3, unpriced_calls: 0 })).toBe('$1.50');
  expect(costOf({ cost: 1.5, calls: 3, unpriced_calls: 2 })).toBe('At least $1.50');
  expect(costOf({ cost: 0, calls: 3, unpriced_calls: 3 })).toBe('Unknown');
});

test('does not round a partial share to 0% or 100%', () => {
  expect([
    shareText(0, 0),
    shareText(0, 9),
    shareText(1, 40),
    shareText(1, 5000),
    shareText(4999, 5000),
  ]).toEqual(['0%', '0%', '2.5%', '<0.1%', '>99.9%']);
  expect(shareText(9, 9)).toBe('100%');
});

test('formats dates in UTC', () => {
  expect([dayText('2026-03-01'), fullDayText('2026-03-01'), monthText('2026-03-01')]).toEqual([
    'Mar 1',
    'Mar 1, 2026',
    'March 2026',
  ]);
  expect(compactText(3_312_345)).toBe('3.31M');
});

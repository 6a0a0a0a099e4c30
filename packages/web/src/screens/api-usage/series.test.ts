import type { ApiUsage } from '@winnow/contract/usage';
import { expect, test } from 'vitest';
import { barsOf, scaleEnd } from './series.ts';

/**
 * Creates usage of `days` days, with one more request each day. The first request of each day
 * failed.
 */
function usageOf(days: number): ApiUsage {
  const dates = Array.from({ length: days }, (_, index) =>
    new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
  );
  return {
    requests_by_date: dates.map((date, index) => ({ date, count: index + 1, errors: 1 })),
    ai: { by_date: dates.map((date) => ({ date, calls: 2, cost: 0.5 })) },
  } as ApiUsage;
}

test('returns a bar with the value and the failures of each day', () => {
  expect(barsOf(usageOf(2), 'requests')).toEqual([
    { date: '2026-01-01', label: 'Jan 1, 2026', value: 1, failed: 1 },
    { date: '2026-01-02', label: 'Jan 2, 2026', value: 2, failed: 1 },
  ]);
  expect(barsOf(usageOf(1), 'cost')).toEqual([
    { date: '2026-01-01', label: 'Jan 1, 2026', value: 0.5, failed: 0 },
  ]);
  expect(barsOf(usageOf(92), 'calls')).toHaveLength(92);
});

test('returns a bar per week for a long range, including all days', () => {
  const bars = barsOf(usageOf(100), 'requests');
  expect(bars).toHaveLength(15);
  expect(bars[0]).toEqual({ date: '2026-01-01', label: 'Jan 1 – Jan 7, 2026', value: 28, failed: 7 });
  expect(bars.at(-1)).toMatchObject({ label: 'Apr 9 – Apr 10, 2026', value: 199 });
  expect(bars.reduce((sum, { value }) => sum + value, 0)).toBe(5050);
});

test('ends the scale at a round number that is at least the highest value', () => {
  expect([0, 3, 10, 11, 47, 512, 1000, 0.03].map((most) => scaleEnd(most, 4))).toEqual([
    4, 4, 10, 20, 50, 1000, 1000, 4,
  ]);
  expect(scaleEnd(0.03, 0.01)).toBeCloseTo(0.05);
});

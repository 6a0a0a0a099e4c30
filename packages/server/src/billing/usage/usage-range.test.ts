import { expect, test } from 'vitest';
import { everyDay, monthOf } from '../day.ts';
import { usageRange } from './usage-range.ts';

const now = new Date('2026-03-01T00:00:00.000Z');

test('the default is thirty days, including today, if one end or no end is given', () => {
  expect(usageRange({}, now)).toEqual({ from: '2026-01-31', to: '2026-03-01' });
  expect(usageRange({ to: '2026-01-30' }, now)).toEqual({ from: '2026-01-01', to: '2026-01-30' });
  expect(usageRange({ to: '1970-01-01' }, now)).toEqual({ from: '1970-01-01', to: '1970-01-01' });
  expect(usageRange({ from: '2026-03-01' }, now)).toEqual({ from: '2026-03-01', to: '2026-03-01' });
});

test.each([
  [
    { from: '2026-03-02' },
    'from: The first day, 2026-03-02, comes after the last, 2026-03-01. Choose an earlier one.',
  ],
  [
    { from: '2026-02-02', to: '2026-02-01' },
    'from: The first day, 2026-02-02, comes after the last, 2026-02-01. Choose an earlier one.',
  ],
  [{ from: '2025-01-25' }, 'from: These are 401 days. Choose at most 400.'],
])('%j is refused', (asked, sentence) => {
  expect(() => usageRange(asked, now)).toThrow(sentence);
});

test('four hundred days are allowed', () => {
  const { from, to } = usageRange({ from: '2025-01-26' }, now);
  expect(everyDay(from, to)).toHaveLength(400);
});

test('ranges cross the ends of months and years', () => {
  expect(everyDay('2024-02-28', '2024-03-01')).toEqual(['2024-02-28', '2024-02-29', '2024-03-01']);
  expect(monthOf('2024-02-10')).toEqual({ from: '2024-02-01', to: '2024-02-29' });
  expect(monthOf('2025-12-31')).toEqual({ from: '2025-12-01', to: '2025-12-31' });
});

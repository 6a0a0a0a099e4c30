import { DEFAULT_USAGE_DAYS, FIRST_DAY, MAX_USAGE_DAYS, type UsageRange } from '@winnow/contract/usage';
import { invalid } from '../../platform/errors.ts';
import { addDays, dayOf, daysFrom } from '../day.ts';

/**
 * Returns the requested range of days. By default, the range has {@link DEFAULT_USAGE_DAYS} days
 * and ends at `to` or today. Throws 422 if the first day comes after the last day, or if the range
 * has more than {@link MAX_USAGE_DAYS} days.
 */
export function usageRange(
  asked: { from?: string | undefined; to?: string | undefined },
  now: Date,
): UsageRange {
  const to = asked.to ?? dayOf(now);
  const usual = addDays(to, 1 - DEFAULT_USAGE_DAYS);
  const from = asked.from ?? (usual < FIRST_DAY ? FIRST_DAY : usual);
  const days = daysFrom(from, to);
  if (days < 1) {
    const message = `The first day, ${from}, comes after the last, ${to}. Choose an earlier one.`;
    throw invalid([{ path: 'from', message }]);
  }
  if (days > MAX_USAGE_DAYS) {
    const message = `These are ${days} days. Choose at most ${MAX_USAGE_DAYS}.`;
    throw invalid([{ path: 'from', message }]);
  }
  return { from, to };
}

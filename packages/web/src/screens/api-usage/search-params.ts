import { day, MOST_USAGE_DAYS, type UsageRange } from '@winnow/contract/usage';
import { z } from 'zod';
import { readMember, serialize } from '../../ui/address/search-values.ts';
import { countText } from '../../ui/texts/count-text.ts';

/** The ranges to choose from. */
export const RANGES = {
  '7d': 'Last 7 Days',
  '30d': 'Last 30 Days',
  '90d': 'Last 90 Days',
  month: 'This Month',
  custom: 'Custom',
} as const;
export type RangeName = keyof typeof RANGES;
const rangeName = z.enum(Object.keys(RANGES) as RangeName[]);

const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;
const DAY_MS = 24 * 60 * 60_000;

/** What endpoints can be ordered by. */
const sortName = z.enum(['endpoint', 'count', 'p50_ms', 'p95_ms', 'errors']);
export type SortName = z.infer<typeof sortName>;

/** What the chart shows. */
const seriesName = z.enum(['requests', 'calls', 'cost']);
export type SeriesName = z.infer<typeof seriesName>;

/** What the screen shows, all of it in the address. */
export type UsageSearch = {
  range: RangeName;
  /** The days of a custom range; null while they are not chosen. */
  from: string | null;
  to: string | null;
  series: SeriesName;
  sort: SortName;
  /** The other way around: names from A, numbers from the highest are the usual one. */
  reversed: boolean;
};

const DEFAULTS: UsageSearch = {
  range: '30d',
  from: null,
  to: null,
  series: 'requests',
  sort: 'count',
  reversed: false,
};

/** Reads the address. What is missing or makes no sense is silently the default. */
export function parseSearch(parameters: URLSearchParams): UsageSearch {
  const range = readMember(rangeName, parameters.get('range'), DEFAULTS.range);
  const custom = range === 'custom';
  return {
    range,
    from: custom ? readMember(day.nullable(), parameters.get('from'), null) : null,
    to: custom ? readMember(day.nullable(), parameters.get('to'), null) : null,
    series: readMember(seriesName, parameters.get('series'), DEFAULTS.series),
    sort: readMember(sortName, parameters.get('sort'), DEFAULTS.sort),
    reversed: parameters.get('reversed') === 'true',
  };
}

/** The address of a search: defaults are left out, foreign parameters of `current` stay. */
export function serializeSearch(search: UsageSearch, current?: URLSearchParams): URLSearchParams {
  return serialize(DEFAULTS, search, current);
}

/** Today's date in UTC, as all days of usage are. */
export function todayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** The days that are meant, by today's date; a custom range lacks those that are not chosen. */
export function daysOf({ range, from, to }: UsageSearch, now: Date): Partial<UsageRange> {
  const today = todayOf(now);
  switch (range) {
    case 'custom':
      return { ...(from !== null && { from }), ...(to !== null && { to }) };
    case 'month':
      return { from: `${today.slice(0, 7)}-01`, to: today };
    default: {
      const first = new Date(Date.parse(today) - (DAYS[range] - 1) * DAY_MS);
      return { from: first.toISOString().slice(0, 10), to: today };
    }
  }
}

/** The search after another range was chosen: a custom one begins with the days that were shown. */
export function withRange(search: UsageSearch, range: RangeName, now: Date): UsageSearch {
  const shown = range === 'custom' ? daysOf(search, now) : {};
  return { ...search, range, from: shown.from ?? null, to: shown.to ?? null };
}

/** Why usage of these days cannot be told, and which of the two is to be mended; null when it can. */
export function problemOf(
  { from, to }: Partial<UsageRange>,
  now: Date,
): { field: keyof UsageRange; sentence: string } | null {
  const today = todayOf(now);
  const last = to ?? today;
  if (last > today) {
    return { field: 'to', sentence: 'The last day is still to come. Choose today or an earlier one.' };
  }
  if (from === undefined) return null;
  if (from > last) {
    return { field: 'from', sentence: 'The first day comes after the last. Choose an earlier one.' };
  }
  const days = Math.round((Date.parse(last) - Date.parse(from)) / DAY_MS) + 1;
  if (days <= MOST_USAGE_DAYS) return null;
  return { field: 'from', sentence: `These are ${countText(days)} days. Choose at most ${MOST_USAGE_DAYS}.` };
}

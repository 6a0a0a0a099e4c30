import { day, MAX_USAGE_DAYS, type UsageRange } from '@winnow/contract/usage';
import { z } from 'zod';
import { readMember, serialize } from '../../ui/address/search-values.ts';
import { countText } from '../../ui/texts/count-text.ts';
import { DAY_MS } from '../../ui/texts/date-text.ts';

/** Date ranges that the user can select. */
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

/** Sortable columns of the endpoint table. */
const sortName = z.enum(['endpoint', 'count', 'p50_ms', 'p95_ms', 'errors']);
export type SortName = z.infer<typeof sortName>;

/** Data series that the chart can display. */
const seriesName = z.enum(['requests', 'calls', 'cost']);
export type SeriesName = z.infer<typeof seriesName>;

/** State of the usage screen, stored in the URL. */
export type UsageSearch = {
  range: RangeName;
  /** First and last day of a custom range; null until selected. */
  from: string | null;
  to: string | null;
  series: SeriesName;
  sort: SortName;
  /**
   * True to reverse the default order, which is alphabetical for names and descending for numbers.
   */
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

/** Parses the URL. Missing and invalid values are replaced by the defaults. */
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

/**
 * Serializes a search to URL parameters, omitting defaults. Keeps the parameters of `current` that
 * do not belong to the search.
 */
export function serializeSearch(search: UsageSearch, current?: URLSearchParams): URLSearchParams {
  return serialize(DEFAULTS, search, current);
}

/** Returns today's date in UTC, because all usage dates are in UTC. */
export function todayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/**
 * Returns the first and last day of the range. In a custom range, days that the user has not
 * selected yet are missing.
 */
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

/**
 * Returns the search with another date range. A custom range initially contains the displayed days.
 */
export function withRange(search: UsageSearch, range: RangeName, now: Date): UsageSearch {
  const shown = range === 'custom' ? daysOf(search, now) : {};
  return { ...search, range, from: shown.from ?? null, to: shown.to ?? null };
}

/** Returns which date field is invalid, with an error message. Null if the range is valid. */
export function problemOf(
  { from, to }: Partial<UsageRange>,
  now: Date,
): { field: keyof UsageRange; sentence: string } | null {
  const today = todayOf(now);
  const last = to ?? today;
  if (last > today) {
    return { field: 'to', sentence: 'The end date is in the future. Choose today or an earlier date.' };
  }
  if (from === undefined) return null;
  if (from > last) {
    return { field: 'from', sentence: 'The start date is after the end date. Choose an earlier date.' };
  }
  const days = Math.round((Date.parse(last) - Date.parse(from)) / DAY_MS) + 1;
  if (days <= MAX_USAGE_DAYS) return null;
  return { field: 'from', sentence: `These are ${countText(days)} days. Choose at most ${MAX_USAGE_DAYS}.` };
}

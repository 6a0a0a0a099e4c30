import type { ApiUsage } from '@winnow/contract/usage';
import { countText } from '../../ui/texts/count-text.ts';
import type { SeriesName } from './search-params.ts';
import { compactText, costText, dayText, fullDayText } from './usage-texts.ts';

/**
 * Maximum number of daily bars. For longer ranges, bars are weekly, since daily bars would be too
 * thin.
 */
const MAX_DAILY_BARS = 92;
const DAYS_PER_WEEK = 7;

/** One bar of the chart, which represents a day or a week. */
export type Bar = {
  /** First day that the bar represents. */
  date: string;
  /** The day or week in words. */
  label: string;
  value: number;
  /** Number of failed requests, which `value` includes. */
  failed: number;
};

type Series = {
  label: string;
  unit: string;
  text: (value: number) => string;
  /** Text displayed if the chart is empty. */
  none: string;
};

export const SERIES: Record<SeriesName, Series> = {
  requests: { label: 'Requests', unit: 'Requests', text: countText, none: 'No requests in this period.' },
  calls: { label: 'AI calls', unit: 'AI calls', text: countText, none: 'No AI calls in this period.' },
  cost: { label: 'AI cost', unit: 'Cost', text: costText, none: 'No known cost in this period.' },
};

/** Formats a value for the scale of the chart. */
export function scaleText(series: SeriesName, value: number): string {
  return series === 'cost' ? costText(value) : compactText(value);
}

/** Returns the bars of a data series, by date: one per day, or one per week for a long range. */
export function barsOf(usage: ApiUsage, series: SeriesName): Bar[] {
  const days =
    series === 'requests'
      ? (usage.requests_by_date ?? []).map(({ date, count, errors }) => ({
          date,
          value: count,
          failed: errors,
        }))
      : (usage.ai.by_date ?? []).map(({ date, ...values }) => ({ date, value: values[series], failed: 0 }));
  if (days.length <= MAX_DAILY_BARS) return days.map((day) => ({ ...day, label: fullDayText(day.date) }));
  const weeks = Array.from({ length: Math.ceil(days.length / DAYS_PER_WEEK) }, (_, index) =>
    days.slice(index * DAYS_PER_WEEK, (index + 1) * DAYS_PER_WEEK),
  );
  return weeks.map((week) => ({
    date: week[0]?.date ?? '',
    label: `${dayText(week[0]?.date ?? '')} – ${fullDayText(week.at(-1)?.date ?? '')}`,
    value: week.reduce((sum, { value }) => sum + value, 0),
    failed: week.reduce((sum, { failed }) => sum + failed, 0),
  }));
}

/**
 * Returns a round upper end for the scale of a chart whose highest value is `most`. It is 1, 2 or 5
 * times a power of ten, and at least `least`.
 */
export function scaleEnd(most: number, least: number): number {
  if (most <= least) return least;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((step) => most <= step * power * (1 + 1e-9)) ?? 10) * power;
}

import type { ApiUsage } from '@winnow/contract/usage';
import { countText } from '../../ui/texts/count-text.ts';
import type { SeriesName } from './search-params.ts';
import { compactText, costText, dayText, fullDayText } from './texts.ts';

/** From so many days on, weeks are drawn: bars of single days would be too thin to be told apart. */
const MOST_BARS = 92;
const WEEK = 7;

/** One bar of the chart: a day, or a week. */
export type Bar = {
  /** Its first day. */
  date: string;
  /** When that is, in words. */
  label: string;
  value: number;
  /** The part of the value that failed. */
  failed: number;
};

type Series = {
  label: string;
  unit: string;
  text: (value: number) => string;
  /** What is said where there is nothing to draw. */
  none: string;
};

export const SERIES: Record<SeriesName, Series> = {
  requests: { label: 'Requests', unit: 'Requests', text: countText, none: 'No requests in these days.' },
  calls: { label: 'AI calls', unit: 'AI calls', text: countText, none: 'No AI calls in these days.' },
  cost: { label: 'AI cost', unit: 'Cost', text: costText, none: 'No known cost in these days.' },
};

/** What a scale says of a value. */
export function scaleText(series: SeriesName, value: number): string {
  return series === 'cost' ? costText(value) : compactText(value);
}

/** The bars of a series, in the order of days: one a day, or one a week for a long range. */
export function barsOf(usage: ApiUsage, series: SeriesName): Bar[] {
  const days =
    series === 'requests'
      ? (usage.requests_by_date ?? []).map(({ date, count, errors }) => ({
          date,
          value: count,
          failed: errors,
        }))
      : (usage.ai.by_date ?? []).map(({ date, ...values }) => ({ date, value: values[series], failed: 0 }));
  if (days.length <= MOST_BARS) return days.map((day) => ({ ...day, label: fullDayText(day.date) }));
  const weeks = Array.from({ length: Math.ceil(days.length / WEEK) }, (_, index) =>
    days.slice(index * WEEK, (index + 1) * WEEK),
  );
  return weeks.map((week) => ({
    date: week[0]?.date ?? '',
    label: `${dayText(week[0]?.date ?? '')} – ${fullDayText(week.at(-1)?.date ?? '')}`,
    value: week.reduce((sum, { value }) => sum + value, 0),
    failed: week.reduce((sum, { failed }) => sum + failed, 0),
  }));
}

/** The end of a scale that values up to `most` fit on: 1, 2 or 5 times a power of ten, and `least` at least. */
export function scaleEnd(most: number, least: number): number {
  if (most <= least) return least;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((step) => most <= step * power * (1 + 1e-9)) ?? 10) * power;
}

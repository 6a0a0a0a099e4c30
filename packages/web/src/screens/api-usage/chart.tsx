import { type PointerEvent, useState } from 'react';
import { countText } from '../../ui/texts/count-text.ts';
import classes from './chart.module.css';
import type { SeriesName } from './search-params.ts';
import { type Bar, SERIES, scaleEnd, scaleText } from './series.ts';
import { dayText } from './usage-texts.ts';

/**
 * Minimum upper end of the scale. Without a minimum, the bar of a single request would fill the
 * height of the chart.
 */
const MIN_SCALE_END = { requests: 4, calls: 4, cost: 0.01 } as const satisfies Record<SeriesName, number>;

/** Describes a bar of the chart in words. */
function barText(series: SeriesName, { label, value, failed }: Bar): string {
  const { unit, text } = SERIES[series];
  const failures = failed === 0 ? '' : `, ${countText(failed)} failed`;
  return `${label}: ${text(value)} ${unit.toLowerCase()}${failures}`;
}

/**
 * Bar chart that displays the value of the bar under the pointer. For keyboards and screen readers,
 * the chart is a slider that selects a day and states its value in words.
 */
export function Chart({ series, bars }: { series: SeriesName; bars: readonly Bar[] }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const last = bars.length - 1;
  const current = Math.min(pointed ?? last, last);
  const bar = bars[current];
  const end = scaleEnd(Math.max(0, ...bars.map(({ value }) => value)), MIN_SCALE_END[series]);
  const percentOf = (value: number) => `${(value / end) * 100}%`;
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * bars.length))));
  };
  if (bar === undefined) return null;
  const isEmpty = bars.every(({ value }) => value === 0);
  const hint = isEmpty ? '' : 'Hover over a bar for details.';
  return (
    <div className={classes.chart}>
      <div className={classes.said} aria-hidden="true">
        <span>{pointed === null ? hint : barText(series, bar)}</span>
        {series === 'requests' ? (
          <span className={classes.legend}>
            <i data-part="answered" /> answered <i data-part="failed" /> failed
          </span>
        ) : null}
      </div>
      <div className={classes.plot}>
        <div className={classes.scale} aria-hidden="true">
          {[end, end / 2, 0].map((value) => (
            <span key={value}>{scaleText(series, value)}</span>
          ))}
        </div>
        <div className={classes.bars} onPointerMove={point} onPointerLeave={() => setPointed(null)}>
          {bars.map(({ date, value, failed }, index) => (
            <span key={date} className={classes.day} data-pointed={index === pointed || undefined}>
              <span className={classes.failed} style={{ height: percentOf(failed) }} />
              <span className={classes.bar} style={{ height: percentOf(value - failed) }} />
            </span>
          ))}
          {isEmpty ? <p className={classes.none}>{SERIES[series].none}</p> : null}
          <input
            type="range"
            className={classes.slider}
            aria-label={`${SERIES[series].unit} by day`}
            aria-valuetext={barText(series, bar)}
            min={0}
            max={last}
            value={current}
            onChange={({ currentTarget }) => setPointed(Number(currentTarget.value))}
            onFocus={() => setPointed(current)}
            onBlur={() => setPointed(null)}
          />
        </div>
        <div className={classes.ends} aria-hidden="true">
          <span>{dayText(bars[0]?.date ?? '')}</span>
          <span>{dayText(bars[last]?.date ?? '')}</span>
        </div>
      </div>
    </div>
  );
}

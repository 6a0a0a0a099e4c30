import { Button, SegmentedControl } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import type { ApiUsage } from '@winnow/contract/usage';
import { useState } from 'react';
import { Card } from '../../ui/card.tsx';
import { countText } from '../../ui/texts/count-text.ts';
import classes from './api-usage.module.css';
import { Chart } from './chart.tsx';
import type { SeriesName } from './search-params.ts';
import { type Bar, barsOf, SERIES } from './series.ts';
import tableClasses from './usage-table.module.css';

const SERIES_OPTIONS = Object.entries(SERIES).map(([value, { label }]) => ({ value, label }));
const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

/** Table with the same data as the chart, newest day first. */
function DayTable({ series, bars }: { series: SeriesName; bars: readonly Bar[] }) {
  const { unit, text } = SERIES[series];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the keyboard
    <section className={tableClasses.scroll} data-fills tabIndex={0} aria-label={`${unit} by day`}>
      <table className={tableClasses.table}>
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">{unit}</th>
            {series === 'requests' ? <th scope="col">Failed</th> : null}
          </tr>
        </thead>
        <tbody>
          {bars.toReversed().map(({ date, label, value, failed }) => (
            <tr key={date}>
              <th scope="row">{label}</th>
              <td>{text(value)}</td>
              {series === 'requests' ? <td>{countText(failed)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export type ByDayProps = {
  usage: ApiUsage;
  series: SeriesName;
  onSeries: (series: SeriesName) => void;
};

/** Usage by day, as a chart or as a table. */
export function ByDay({ usage, series, onSeries }: ByDayProps) {
  const [asTable, setAsTable] = useState(false);
  const bars = barsOf(usage, series);
  return (
    <Card
      title="Over time"
      actions={
        <span className={classes.actions}>
          <SegmentedControl
            aria-label="What is shown"
            data={SERIES_OPTIONS}
            value={series}
            onChange={(value) => onSeries(value as SeriesName)}
          />
          <Button
            size="xs"
            leftSection={asTable ? <IconChartBar {...ICON} /> : <IconTable {...ICON} />}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? 'Chart' : 'Table'}
          </Button>
        </span>
      }
    >
      <div className={classes.byDay}>
        {asTable ? <DayTable series={series} bars={bars} /> : <Chart series={series} bars={bars} />}
      </div>
    </Card>
  );
}

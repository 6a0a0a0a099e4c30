import { Alert } from '@mantine/core';
import type { IssueSeries } from '@winnow/contract/duplicate';

/** States that both issues belong to a series, and what happens when the series is dismissed. */
export function SeriesNote({ series, className }: { series: IssueSeries; className?: string | undefined }) {
  const { frame, issues, umbrella_key, dismissed } = series;
  return (
    <div className={className}>
      <Alert title={`Series of ${issues} issues`} color="info" role="note">
        <p dir="auto">
          {`Their titles follow the pattern “${frame}”.`}
          {umbrella_key === null ? '' : ` Most of these issues mention ${umbrella_key}.`}
        </p>
        <p>
          {dismissed
            ? 'The series is dismissed: its pairs are hidden, including those found later.'
            : 'Unless you search, the list shows only the most likely pair of the series. Dismissing that pair dismisses the series.'}
        </p>
      </Alert>
    </div>
  );
}

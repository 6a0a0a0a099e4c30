import { Alert } from '@mantine/core';
import type { IssueSeries } from '@winnow/contract/duplicate';

/** Explains that both issues belong to a series, and what dismissing it does. */
export function SeriesNote({ series, className }: { series: IssueSeries; className?: string | undefined }) {
  const { frame, issues, umbrella_key, dismissed } = series;
  return (
    <div className={className}>
      <Alert title={`Series of ${issues} issues`} color="info" role="note">
        <p dir="auto">
          {`Their titles follow the pattern “${frame}”.`}
          {umbrella_key === null ? '' : ` Most of them name ${umbrella_key}.`}
        </p>
        <p>
          {dismissed
            ? 'The series is dismissed: its pairs are hidden, including those found later.'
            : 'Without a search, the list shows only its most likely pair. Dismissing it dismisses the series.'}
        </p>
      </Alert>
    </div>
  );
}

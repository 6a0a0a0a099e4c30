import { Alert, Button } from '@mantine/core';
import type { IssueSeries } from '@winnow/contract/duplicate';
import { KeyCap } from '../../../ui/keyboard/key-cap.tsx';
import { dismissSeries, restoreSeries } from './series-decisions.ts';

type SeriesNoteProps = {
  series: IssueSeries;
  className?: string | undefined;
  /** Called before the series is dismissed or listed again. */
  onLeave: () => void;
};

/** Explains that both issues belong to a series, which can be dismissed as a whole. */
export function SeriesNote({ series, className, onLeave }: SeriesNoteProps) {
  const { frame, issues, umbrella_key, dismissed } = series;
  return (
    <div className={className}>
      <Alert title={`Series of ${issues} issues`} color="info" role="note">
        <p dir="auto">
          {`Their titles are “${frame}” with other words in one place.`}
          {umbrella_key === null ? '' : ` Most of them name ${umbrella_key}.`}
        </p>
        <p>
          {dismissed
            ? 'The series is dismissed: its pairs are not listed, those found later neither.'
            : 'Without a search, the list shows only its most likely pair.'}
        </p>
        <Button
          size="xs"
          rightSection={dismissed ? undefined : <KeyCap>e</KeyCap>}
          onClick={() => {
            onLeave();
            void (dismissed ? restoreSeries(series) : dismissSeries(series));
          }}
        >
          {dismissed ? 'List the series again' : 'Dismiss the series'}
        </Button>
      </Alert>
    </div>
  );
}

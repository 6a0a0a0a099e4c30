import { Button } from '@mantine/core';
import { IconFlag, IconPlayerPause } from '@tabler/icons-react';
import type { ReviewSummary } from '@winnow/contract/cluster';
import { issuesText } from '../../../features/clusters/cluster-texts.ts';
import { Meter } from '../../../theme/parts/meter.tsx';
import { Card } from '../../../ui/card.tsx';
import { TextSkeleton } from '../../../ui/states/skeletons.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import classes from './review.module.css';

/** Formats a duration in minutes, such as `under a minute` or `12 minutes`. */
function minutesText(minutes: number): string {
  if (minutes < 1) return 'under a minute';
  const whole = Math.round(minutes);
  return `${countText(whole)} ${whole === 1 ? 'minute' : 'minutes'}`;
}

/** Numbers of a review: decided, dismissed and remaining clusters, removed issues, and minutes. */
export function Numbers({ summary }: { summary: ReviewSummary | undefined }) {
  if (summary === undefined) return <TextSkeleton width="60%" />;
  const { decided, dismissed, left, issues_removed: removed, minutes } = summary;
  const numbers = [
    [countText(decided), 'decided'],
    [countText(dismissed), 'dismissed'],
    [countText(left), 'left'],
    [countText(removed), removed === 1 ? 'issue removed' : 'issues removed'],
  ] as const;
  return (
    <ul className={classes.numbers}>
      {numbers.map(([value, unit]) => (
        <li key={unit}>
          <b>{value}</b> {unit}
        </li>
      ))}
      <li>{minutesText(minutes)}</li>
    </ul>
  );
}

/** Describes the size of a cluster before and after a decision. */
export function sizeText(size: number, removed: number): string {
  return removed === 0 ? issuesText(size) : `${issuesText(size)}, ${countText(removed)} removed`;
}

export type ProgressProps = {
  summary: ReviewSummary | undefined;
  onPause: () => void;
  onEnd: () => void;
};

/** Heading of a review, with its progress and buttons to interrupt or end it. */
export function Progress({ summary, onPause, onEnd }: ProgressProps) {
  const done = summary === undefined ? 0 : summary.decided + summary.dismissed;
  const all = done + (summary?.left ?? 0);
  return (
    <Card
      title="Review backlog"
      actions={
        <>
          <Button
            size="xs"
            leftSection={<IconPlayerPause size={14} stroke={1.75} aria-hidden />}
            onClick={onPause}
          >
            Pause
          </Button>
          <Button size="xs" leftSection={<IconFlag size={14} stroke={1.75} aria-hidden />} onClick={onEnd}>
            End review
          </Button>
        </>
      }
    >
      <section className={classes.progress} aria-label="Progress">
        <Numbers summary={summary} />
        <Meter value={all === 0 ? 0 : done / all} />
      </section>
    </Card>
  );
}

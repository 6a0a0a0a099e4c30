import { IconAlertTriangle } from '@tabler/icons-react';
import type { Tracker } from '@winnow/contract/tracker';
import {
  issuesText,
  progressShare,
  progressText,
  restingText,
} from '../../../features/trackers/sync-texts.ts';
import { Meter } from '../../../theme/parts/meter.tsx';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import { ClampedText } from './clamped-text.tsx';
import classes from './tracker-card.module.css';

/** State of the sync. Omits an error that the health line already shows. */
function SyncState({ tracker }: { tracker: Tracker }) {
  const { sync, health } = tracker;
  const text = restingText(tracker, health.message);
  if (sync.state === 'running') {
    return (
      <>
        <Meter value={progressShare(sync.progress)} />
        <p className={classes.quiet}>{progressText(sync.progress)}</p>
      </>
    );
  }
  if (sync.state === 'failed') {
    return (
      <div className={classes.failed}>
        <IconAlertTriangle size={14} stroke={1.75} aria-hidden />
        <ClampedText lines={3}>{text}</ClampedText>
      </div>
    );
  }
  return <ClampedText lines={3}>{text}</ClampedText>;
}

/** Number of issues in the tracker, with the time and state of the last sync. */
export function SyncLine({ tracker }: { tracker: Tracker }) {
  const { issues, last_finished_at } = tracker.sync;
  return (
    <div className={classes.sync}>
      <div className={classes.numbers}>
        <b>{issuesText(issues)}</b>
        <span className={classes.quiet}>
          {last_finished_at === null ? null : <RelativeTime at={last_finished_at} />}
        </span>
      </div>
      <SyncState tracker={tracker} />
    </div>
  );
}

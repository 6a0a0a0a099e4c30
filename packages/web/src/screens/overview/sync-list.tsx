import { ActionIcon, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import type { Tracker } from '@winnow/contract/tracker';
import { useSyncTracker } from '../../features/trackers/queries.ts';
import {
  isBusy,
  issuesText,
  progressShare,
  progressText,
  restingText,
} from '../../features/trackers/sync-texts.ts';
import { TrackerIcon } from '../../features/trackers/tracker-icon.tsx';
import { Badge } from '../../theme/parts/badge.tsx';
import { Meter } from '../../theme/parts/meter.tsx';
import { Card } from '../../ui/card.tsx';
import { Loading, TextSkeleton } from '../../ui/states/skeletons.tsx';
import { RelativeTime } from '../../ui/texts/relative-time.tsx';
import classes from './sync-list.module.css';

function State({ tracker }: { tracker: Tracker }) {
  const { sync } = tracker;
  if (sync.state === 'running') return <Meter value={progressShare(sync.progress)} />;
  const text = restingText(tracker);
  return (
    <Tooltip label={text} openDelay={400}>
      <span className={classes.text}>
        {sync.state === 'failed' ? (
          <IconAlertTriangle size={14} stroke={1.75} aria-label="Failed" className={classes.failed} />
        ) : null}
        <span className="trunc">{text}</span>
      </span>
    </Tooltip>
  );
}

function SyncRow({ tracker }: { tracker: Tracker }) {
  const request = useSyncTracker();
  const { name, tracker_type, sync } = tracker;
  return (
    <li className={classes.row}>
      <TrackerIcon type={tracker_type} />
      <b className="trunc">{name}</b>
      <span className={classes.state}>
        <State tracker={tracker} />
      </span>
      <span className={classes.numbers}>
        {sync.state === 'running' ? (
          progressText(sync.progress)
        ) : (
          <>
            {issuesText(sync.issues)}
            {sync.last_finished_at === null ? null : (
              <>
                , <RelativeTime at={sync.last_finished_at} />
              </>
            )}
          </>
        )}
      </span>
      <span className={classes.action}>
        {isBusy(tracker) ? null : (
          <Tooltip label="Sync now">
            <ActionIcon
              aria-label={`Sync now: ${name}`}
              loading={request.isPending}
              onClick={() => request.mutate(tracker)}
            >
              <IconRefresh size={16} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        )}
      </span>
    </li>
  );
}

/** Card with the sync state of each tracker. Renders nothing if there are no trackers. */
export function SyncList({ trackers }: { trackers: readonly Tracker[] }) {
  if (trackers.length === 0) return null;
  const running = trackers.filter(({ sync }) => sync.state === 'running').length;
  return (
    <Card
      title="Sync"
      beside={
        running === 0 ? null : <Badge tone="info" icon={IconRefresh} small>{`${running} running`}</Badge>
      }
    >
      <ul className={classes.list}>
        {trackers.map((tracker) => (
          <SyncRow key={tracker.id} tracker={tracker} />
        ))}
      </ul>
    </Card>
  );
}

/** Placeholder of the card while the trackers are loading. */
export function SyncListSkeleton() {
  return (
    <Card title="Sync">
      <Loading label="Loading syncs">
        <div className={classes.list}>
          {['first', 'second'].map((place) => (
            <div className={classes.row} key={place}>
              <TextSkeleton width={16} height={16} />
              <TextSkeleton width={88} />
              <TextSkeleton width="40%" />
              <TextSkeleton width={120} />
            </div>
          ))}
        </div>
      </Loading>
    </Card>
  );
}

import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import { TRACKER_TYPES, type Tracker } from '@winnow/contract/tracker';
import { useId } from 'react';
import { useSyncTracker } from '../../../features/trackers/queries.ts';
import { isBusy } from '../../../features/trackers/sync-texts.ts';
import { TrackerIcon } from '../../../features/trackers/tracker-icon.tsx';
import { PermissionGate } from '../../../features/workspaces/permission.tsx';
import { dateText } from '../../../ui/texts/date-text.ts';
import { HealthLine } from './health-line.tsx';
import { SyncLine } from './sync-line.tsx';
import classes from './tracker-card.module.css';

export type TrackerCardProps = {
  tracker: Tracker;
  onEdit: () => void;
  /** Opens the dialog that edits the tracker, with the focus on the API key. */
  onEnterToken: () => void;
  onDelete: () => void;
};

/** Card of a connected tracker with its health, the state of its sync, and actions. */
export function TrackerCard({ tracker, onEdit, onEnterToken, onDelete }: TrackerCardProps) {
  const nameId = useId();
  const sync = useSyncTracker();
  const { name, tracker_type, created } = tracker;
  return (
    <li className={classes.card} aria-labelledby={nameId}>
      <div className={classes.head}>
        <span className={classes.icon}>
          <TrackerIcon type={tracker_type} size={20} />
        </span>
        <div className={classes.title}>
          <Tooltip label={name}>
            <h2 className="trunc" id={nameId}>
              {name}
            </h2>
          </Tooltip>
          <span className={classes.type}>{TRACKER_TYPES[tracker_type].label}</span>
        </div>
      </div>
      <p className={classes.created}>
        Created: <time dateTime={created}>{dateText(new Date(created))}</time>
      </p>
      <HealthLine tracker={tracker} onEnterToken={onEnterToken} />
      <SyncLine tracker={tracker} />
      <div className={classes.actions}>
        <PermissionGate needs="write">
          <Button
            size="xs"
            leftSection={<IconRefresh size={14} stroke={1.75} aria-hidden />}
            loading={sync.isPending}
            disabled={isBusy(tracker)}
            aria-label={`Sync now: ${name}`}
            onClick={() => sync.mutate(tracker)}
          >
            Sync now
          </Button>
        </PermissionGate>
        <span className={classes.grow} />
        <PermissionGate needs="manage">
          <Tooltip label="Edit">
            <ActionIcon aria-label={`Edit ${name}`} onClick={onEdit}>
              <IconPencil size={16} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Delete">
            <ActionIcon aria-label={`Delete ${name}`} onClick={onDelete}>
              <IconTrash size={16} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        </PermissionGate>
      </div>
    </li>
  );
}

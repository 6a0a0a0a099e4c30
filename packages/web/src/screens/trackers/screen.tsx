import { Button } from '@mantine/core';
import { IconPlugConnected, IconPlus } from '@tabler/icons-react';
import type { Tracker } from '@winnow/contract/tracker';
import { type Ref, useState } from 'react';
import { ConfirmFirst, useMustConfirmEmail } from '../../features/account/confirm-first.tsx';
import { SampleButton } from '../../features/trackers/sample-button.tsx';
import { useTrackers } from '../../features/trackers/tracker-list.ts';
import { PermissionGate } from '../../features/workspaces/permission.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { useMovingButton } from '../../ui/use-moving-button.ts';
import { CardsSkeleton } from './card/cards-skeleton.tsx';
import { DeleteTracker } from './card/delete-tracker.tsx';
import { TrackerCard } from './card/tracker-card.tsx';
import type { ConnectionField } from './dialog/connection-step.tsx';
import { TrackerDialog } from './dialog/tracker-dialog.tsx';
import classes from './screen.module.css';

/** State of a dialog. The tracker stays set until the closing animation ends. */
type Dialog = { opened: boolean; tracker: Tracker | null; startAt?: ConnectionField };
const CLOSED_DIALOG: Dialog = { opened: false, tracker: null };

type AddButtonProps = { onClick: () => void; disabled: boolean; ref: Ref<HTMLButtonElement> };

function AddButton({ onClick, disabled, ref }: AddButtonProps) {
  return (
    <PermissionGate needs="manage">
      <Button
        ref={ref}
        variant="filled"
        leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
        disabled={disabled}
        onClick={onClick}
      >
        Add New Tracker
      </Button>
    </PermissionGate>
  );
}

/**
 * Trackers screen: lists the connected trackers with their state, and lets users add and edit
 * trackers.
 */
export function TrackersScreen() {
  const trackers = useTrackers();
  const [form, setForm] = useState(CLOSED_DIALOG);
  const [removal, setRemoval] = useState(CLOSED_DIALOG);
  const add = () => setForm({ opened: true, tracker: null });
  const addButton = useMovingButton();
  const mustConfirm = useMustConfirmEmail();
  const list = trackers.data;
  return (
    <Page width="full">
      <ConfirmFirst what="connect a tracker" />
      {trackers.isError ? (
        <ErrorState
          error={trackers.error}
          title="Error: Failed to fetch trackers"
          onRetry={() => void trackers.refetch()}
          retrying={trackers.isFetching}
        />
      ) : null}
      {list === undefined ? (
        trackers.isError ? null : (
          <CardsSkeleton />
        )
      ) : list.length === 0 ? (
        <EmptyState
          icon={IconPlugConnected}
          title="Connect your first tracker"
          action={
            <div className={classes.choices}>
              <AddButton onClick={add} disabled={mustConfirm} ref={addButton.ref} />
              <SampleButton />
            </div>
          }
        >
          Winnow reads issues from your tracker, finds similar ones, and writes back only what you decide.
        </EmptyState>
      ) : (
        <>
          <div className={classes.bar}>
            <AddButton onClick={add} disabled={mustConfirm} ref={addButton.ref} />
            {list.some(({ tracker_type }) => tracker_type === 'sample') ? null : <SampleButton />}
          </div>
          <ul className={classes.grid}>
            {list.map((tracker) => (
              <TrackerCard
                key={tracker.id}
                tracker={tracker}
                onEdit={() => setForm({ opened: true, tracker })}
                onEnterToken={() => setForm({ opened: true, tracker, startAt: 'api_key' })}
                onDelete={() => setRemoval({ opened: true, tracker })}
              />
            ))}
          </ul>
        </>
      )}
      <TrackerDialog
        {...form}
        onClose={() => setForm({ ...form, opened: false })}
        onAddClosed={addButton.focus}
      />
      <DeleteTracker
        opened={removal.opened}
        item={removal.tracker}
        onClose={() => setRemoval({ ...removal, opened: false })}
        onRemoved={addButton.focus}
      />
    </Page>
  );
}

import type { Tracker } from '@winnow/contract/tracker';
import { useOneAtATime } from '../../../app/one-at-a-time.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { useDeleteTracker } from '../queries.ts';
import classes from './delete-tracker.module.css';

export type DeleteTrackerProps = {
  opened: boolean;
  /** Stays set while the dialog closes. */
  tracker: Tracker | null;
  onClose: () => void;
  /** After the tracker is gone, and with it the button that opened the dialog. */
  onDeleted: () => void;
};

/** Asks before a tracker and what came from it are removed. */
export function DeleteTracker({ opened, tracker, onClose, onDeleted }: DeleteTrackerProps) {
  const removal = useOneAtATime(useDeleteTracker());
  function close(): void {
    removal.reset();
    onClose();
  }
  return (
    <ConfirmDialog
      opened={opened && tracker !== null}
      title="Confirm Deletion"
      confirmLabel="Delete"
      destructive
      pending={removal.isPending}
      onClose={close}
      onConfirm={() => {
        if (tracker === null) return;
        removal.mutate(tracker, {
          onSuccess: () => {
            close();
            onDeleted();
          },
        });
      }}
    >
      <p>Are you sure you want to delete the tracker "{tracker?.name}"?</p>
      <p className={classes.consequence}>
        Its issues, their similar pairs and what was decided about them go with it. Nothing changes in the
        tracker itself.
      </p>
      {removal.isError ? (
        <div className={classes.error}>
          <ErrorState error={removal.error} title="Error: Failed to delete tracker" />
        </div>
      ) : null}
    </ConfirmDialog>
  );
}

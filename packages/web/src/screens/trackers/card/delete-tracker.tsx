import type { Tracker } from '@winnow/contract/tracker';
import { useDeleteTracker } from '../../../features/trackers/queries.ts';
import { RemovalDialog, type RemovalProps } from '../../../ui/dialogs/removal-dialog.tsx';
import classes from './delete-tracker.module.css';

/** Asks for confirmation before deleting a tracker and its data. */
export function DeleteTracker(props: RemovalProps<Tracker>) {
  return (
    <RemovalDialog
      {...props}
      title="Confirm Deletion"
      errorTitle="Error: Failed to delete tracker"
      removal={useDeleteTracker()}
    >
      <p>Are you sure you want to delete the tracker "{props.item?.name}"?</p>
      <p className={classes.consequence}>
        Its issues, their similar pairs and the decisions about them are deleted too. Nothing changes in the
        tracker itself.
      </p>
    </RemovalDialog>
  );
}

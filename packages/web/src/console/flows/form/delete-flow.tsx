import type { Flow } from '@winnow/contract/flow';
import { useNavigate } from 'react-router';
import { useOneAtATime } from '../../../app/one-at-a-time.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useDeleteFlow } from '../queries.ts';

export type DeleteFlowProps = {
  opened: boolean;
  flow: Flow;
  onClose: () => void;
  /** Before the list of flows is shown: what is not saved of it is of no use any more. */
  onDeleted: () => void;
};

/** Asks before a flow and the record of what it did are removed. */
export function DeleteFlow({ opened, flow, onClose, onDeleted }: DeleteFlowProps) {
  const navigate = useNavigate();
  const removal = useOneAtATime(useDeleteFlow());
  return (
    <ConfirmDialog
      opened={opened}
      title="Delete flow"
      confirmLabel="Delete"
      destructive
      pending={removal.isPending}
      error={removal.error}
      onClose={() => {
        removal.reset();
        onClose();
      }}
      onConfirm={() =>
        removal.mutate(flow, {
          onSuccess: () => {
            showToast({ id: flow.id, kind: 'done', text: `Deleted ${flow.name}.` });
            onDeleted();
            void navigate('/console/flows', { replace: true });
          },
        })
      }
    >
      <p>
        Are you sure you want to delete the flow "{flow.name}"? Its executions and their logs go with it. What
        it wrote and proposed stays under Changes.
      </p>
    </ConfirmDialog>
  );
}

import type { Flow } from '@winnow/contract/flow';
import { useNavigate } from 'react-router';
import { useDeleteFlow } from '../../../features/flows/queries.ts';
import { RemovalDialog, type RemovalProps } from '../../../ui/dialogs/removal-dialog.tsx';
import { showToast } from '../../../ui/toasts/toast.tsx';

/**
 * Asks before a flow and the record of what it did are removed. `onRemoved` comes before the list of flows is shown:
 * what is not saved of it is of no use any more.
 */
export function DeleteFlow(props: RemovalProps<Flow>) {
  const navigate = useNavigate();
  return (
    <RemovalDialog
      {...props}
      title="Delete flow"
      removal={useDeleteFlow()}
      onRemoved={(flow) => {
        showToast({ id: flow.id, kind: 'done', text: `Deleted ${flow.name}.` });
        props.onRemoved(flow);
        void navigate('/console/flows', { replace: true });
      }}
    >
      <p>
        Are you sure you want to delete the flow "{props.item?.name}"? Its executions and their logs go with
        it. What it wrote and proposed stays under Changes.
      </p>
    </RemovalDialog>
  );
}

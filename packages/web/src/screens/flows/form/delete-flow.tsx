import type { Flow } from '@winnow/contract/flow';
import { useNavigate } from 'react-router';
import { useDeleteFlow } from '../../../features/flows/queries.ts';
import { RemovalDialog, type RemovalProps } from '../../../ui/dialogs/removal-dialog.tsx';
import { showToast } from '../../../ui/toasts/toast.tsx';

/**
 * Asks for confirmation before deleting a flow with its executions. Then calls `onRemoved`, which
 * can discard unsaved edits, and navigates to the list of flows.
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
        Are you sure you want to delete the flow "{props.item?.name}"? Its executions and their logs are
        deleted too. Its writes and proposals stay under Changes.
      </p>
    </RemovalDialog>
  );
}

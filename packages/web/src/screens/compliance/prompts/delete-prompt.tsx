import type { CompliancePrompt } from '@winnow/contract/compliance';
import { RemovalDialog, type RemovalProps } from '../../../ui/dialogs/removal-dialog.tsx';
import { useDeletePrompt } from './queries.ts';

/** Confirmation before a prompt and its scores are deleted. */
export function DeletePrompt(props: RemovalProps<CompliancePrompt>) {
  return (
    <RemovalDialog {...props} title="Delete prompt" removal={useDeletePrompt()}>
      <p>Are you sure you want to delete the prompt "{props.item?.name}"? All its scores are deleted too.</p>
    </RemovalDialog>
  );
}

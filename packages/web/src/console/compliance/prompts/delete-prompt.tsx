import type { CompliancePrompt } from '@winnow/contract/compliance';
import { useOneAtATime } from '../../../app/one-at-a-time.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useDeletePrompt } from './queries.ts';

export type DeletePromptProps = {
  opened: boolean;
  prompt: CompliancePrompt;
  onClose: () => void;
  onDeleted: () => void;
};

/** Asks before a prompt and its scores are removed. */
export function DeletePrompt({ opened, prompt, onClose, onDeleted }: DeletePromptProps) {
  const removal = useOneAtATime(useDeletePrompt());
  const close = () => {
    removal.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      opened={opened}
      title="Delete prompt"
      confirmLabel="Delete"
      destructive
      pending={removal.isPending}
      error={removal.error}
      onClose={close}
      onConfirm={() =>
        removal.mutate(prompt.id, {
          onSuccess: () => {
            close();
            onDeleted();
          },
        })
      }
    >
      <p>Are you sure you want to delete the prompt "{prompt.name}"? All scores by it go with it.</p>
    </ConfirmDialog>
  );
}

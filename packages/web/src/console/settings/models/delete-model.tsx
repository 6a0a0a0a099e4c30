import type { AiModel } from '@winnow/contract/ai-model';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import { useOneAtATime } from '../../../app/one-at-a-time.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import classes from './models.module.css';
import { useDeleteModel } from './queries.ts';

export type DeleteModelProps = {
  opened: boolean;
  /** Stays set while the dialog closes. */
  model: AiModel | null;
  onClose: () => void;
  /** After the model is gone, and with it the button that opened the dialog. */
  onDeleted: () => void;
};

/** Asks before a model, its key and its verdicts are removed. */
export function DeleteModel({ opened, model, onClose, onDeleted }: DeleteModelProps) {
  const removal = useOneAtATime(useDeleteModel());
  function close(): void {
    removal.reset();
    onClose();
  }
  return (
    <ConfirmDialog
      opened={opened && model !== null}
      title="Delete model"
      confirmLabel="Delete"
      destructive
      pending={removal.isPending}
      error={removal.error}
      onClose={close}
      onConfirm={() => {
        if (model === null) return;
        removal.mutate(model, {
          onSuccess: () => {
            close();
            onDeleted();
          },
        });
      }}
    >
      <p>Are you sure you want to delete the model "{model?.name}"?</p>
      <p className={classes.consequence}>
        Its key and its verdicts go with it.
        {model?.is_default === true
          ? ` It is the default: the ${BUILT_IN_ANALYST.toLowerCase()} takes over.`
          : ''}
      </p>
    </ConfirmDialog>
  );
}

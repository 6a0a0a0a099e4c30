import type { AiModel } from '@winnow/contract/ai-model';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import { useDeleteModel } from '../../../features/models/queries.ts';
import { RemovalDialog, type RemovalProps } from '../../../ui/dialogs/removal-dialog.tsx';
import forms from '../form.module.css';

/** Asks for confirmation before deleting a model with its key and verdicts. */
export function DeleteModel(props: RemovalProps<AiModel>) {
  const model = props.item;
  return (
    <RemovalDialog {...props} title="Delete model" removal={useDeleteModel()}>
      <p>Are you sure you want to delete the model "{model?.name}"?</p>
      <p className={forms.consequence}>
        Its key and verdicts are deleted as well.
        {model?.is_default === true
          ? ` This model is the default: the ${BUILT_IN_ANALYST.toLowerCase()} takes over.`
          : ''}
      </p>
    </RemovalDialog>
  );
}

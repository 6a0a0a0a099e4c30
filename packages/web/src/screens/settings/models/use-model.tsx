import type { AiModel } from '@winnow/contract/ai-model';
import type { useResumeModel, useSetDefault } from '../../../features/models/queries.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { FormMessage } from '../../../ui/fields/form-message.tsx';
import { Loading, TextSkeleton } from '../../../ui/states/skeletons.tsx';
import { Estimate } from './estimate.tsx';

export type UseModelProps = {
  opened: boolean;
  /** The model to use. It stays set until the closing animation ends. */
  model: AiModel | null;
  /** Result of the test that was started when the dialog opened. */
  trial: Pick<ReturnType<typeof useResumeModel>, 'data' | 'error' | 'isPending'>;
  choice: Pick<ReturnType<typeof useSetDefault>, 'error' | 'isPending'>;
  onUse: (model: AiModel) => void;
  onClose: () => void;
};

/**
 * Asks for confirmation before making a model the default. Tests the model, and shows the expected
 * calls and cost.
 */
export function UseModel({ opened, model, trial, choice, onUse, onClose }: UseModelProps) {
  const works = trial.data?.success === true;
  return (
    <ConfirmDialog
      opened={opened}
      title={`Use ${model?.name ?? 'this model'} for reviews and scores?`}
      confirmLabel="Use for reviews and scores"
      confirmDisabled={!works}
      pending={choice.isPending}
      error={choice.error ?? trial.error}
      errorTitle={choice.error ? 'The default could not be changed' : 'The model could not be tested'}
      onConfirm={() => {
        if (model !== null && works) onUse(model);
      }}
      onClose={onClose}
    >
      <div aria-live="polite">
        {trial.isPending ? (
          <Loading label="Testing the model">
            <TextSkeleton width="60%" />
          </Loading>
        ) : null}
        {trial.data === undefined ? null : (
          <FormMessage tone={works ? 'success' : 'danger'}>{trial.data.message}</FormMessage>
        )}
      </div>
      {model !== null && works ? (
        <Estimate
          request={{
            model_id: model.id,
            provider_name: model.provider_name,
            model_identifier: model.model_identifier,
          }}
        />
      ) : null}
    </ConfirmDialog>
  );
}

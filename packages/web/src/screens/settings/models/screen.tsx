import { Button } from '@mantine/core';
import { IconPlus, IconSparkles } from '@tabler/icons-react';
import type { AiModel } from '@winnow/contract/ai-model';
import { useState } from 'react';
import { Link } from 'react-router';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import {
  useAiModels,
  useModelPrices,
  useResumeModel,
  useSetDefault,
} from '../../../features/models/queries.ts';
import { usePlanFeature } from '../../../features/plan-cards/queries.ts';
import { SettingsPage } from '../../../features/settings/settings-page.tsx';
import { PermissionGate } from '../../../features/workspaces/permission.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../ui/states/skeletons.tsx';
import { dayText } from '../../../ui/texts/date-text.ts';
import { showToast } from '../../../ui/toasts/toast.tsx';
import { useMovingButton } from '../../../ui/use-moving-button.ts';
import { DeleteModel } from './delete-model.tsx';
import { ModelDialog } from './model-dialog.tsx';
import { ModelTable } from './model-table.tsx';
import classes from './models.module.css';
import { UseModel } from './use-model.tsx';

/** State of a dialog. The model stays set until the closing animation ends. */
type Dialog = { opened: boolean; model: AiModel | null };
const CLOSED_DIALOG: Dialog = { opened: false, model: null };
const LIST_FORMAT = new Intl.ListFormat('en');

/**
 * AI Models screen of the settings: lists language models and the built-in analyst, which review
 * pairs and score issues.
 */
export function ModelsScreen() {
  const models = useAiModels();
  const [form, setForm] = useState(CLOSED_DIALOG);
  const [removal, setRemoval] = useState(CLOSED_DIALOG);
  const [use, setUse] = useState(CLOSED_DIALOG);
  const trial = useOneAtATime(useResumeModel());
  const retry = useOneAtATime(useResumeModel());
  const prices = useModelPrices().data;
  const choice = useOneAtATime(useSetDefault());
  const addButton = useMovingButton();
  const { isIncluded, comesWith } = usePlanFeature('custom_ai_models_enabled');
  const list = models.data;
  const lacking = `Custom AI models come with ${LIST_FORMAT.format(comesWith)}.`;
  const add =
    isIncluded === false ? (
      <Button component={Link} to="/console/pricing">
        View Plans
      </Button>
    ) : (
      <Button
        ref={addButton.ref}
        variant="filled"
        leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
        onClick={() => setForm({ opened: true, model: null })}
      >
        Add model
      </Button>
    );

  /**
   * Opens the dialog that tests a model before it becomes the default. If the model is null, makes
   * the built-in analyst the default.
   */
  function setDefault(model: AiModel | null): void {
    choice.reset();
    if (model !== null) {
      trial.reset();
      trial.mutate(model);
      setUse({ opened: true, model });
      return;
    }
    const changed = list?.find(({ is_default }) => is_default);
    if (changed !== undefined) choice.mutate({ model: changed, is_default: false });
  }
  const { variables } = choice;
  const settingDefault =
    choice.isPending && variables ? (variables.is_default ? variables.model.id : null) : undefined;

  return (
    <SettingsPage width="normal">
      <PermissionGate needs="manage" notice>
        {models.isError ? (
          <ErrorState
            error={models.error}
            title="Failed to fetch AI models"
            onRetry={() => void models.refetch()}
            retrying={models.isFetching}
          />
        ) : null}
        {choice.isError && !use.opened ? (
          <ErrorState error={choice.error} title="The default could not be changed" />
        ) : null}
        {list === undefined ? (
          models.isError ? null : (
            <Card>
              <Loading label="Loading AI models">
                <RowsSkeleton rows={3} />
              </Loading>
            </Card>
          )
        ) : list.length === 0 ? (
          <EmptyState icon={IconSparkles} title="The built-in analyst works without a key" action={add}>
            It judges each pair by rules and quotes its evidence. Add a language model to have it judge those
            that say the same thing in other words.{isIncluded === false ? ` ${lacking}` : ''}
          </EmptyState>
        ) : (
          <>
            <div className={classes.bar}>
              {isIncluded === false ? <p>{lacking}</p> : null}
              {add}
            </div>
            <Card>
              <ModelTable
                models={list}
                settingDefault={settingDefault}
                onSetDefault={setDefault}
                onEdit={(model) => setForm({ opened: true, model })}
                onDelete={(model) => setRemoval({ opened: true, model })}
                retrying={retry.isPending ? retry.variables?.id : undefined}
                onRetry={(model) =>
                  retry.mutate(model, {
                    onSuccess: ({ success, message }) =>
                      showToast({ id: model.id, kind: success ? 'done' : 'failed', text: message }),
                  })
                }
              />
            </Card>
            {retry.isError ? <ErrorState error={retry.error} title="The model could not be tested" /> : null}
            {prices === undefined ? null : (
              <p className={classes.asOf}>
                Prices come from the providers’ lists as of {dayText(prices.as_of)}. Edit a model to enter
                your own.
              </p>
            )}
          </>
        )}
        <ModelDialog
          {...form}
          onClose={() => setForm({ ...form, opened: false })}
          onAddClosed={addButton.focus}
        />
        <UseModel
          {...use}
          trial={trial}
          choice={choice}
          onUse={(model) =>
            choice.mutate({ model, is_default: true }, { onSuccess: () => setUse({ opened: false, model }) })
          }
          onClose={() => setUse({ ...use, opened: false })}
        />
        <DeleteModel
          opened={removal.opened}
          item={removal.model}
          onClose={() => setRemoval({ ...removal, opened: false })}
          onRemoved={addButton.focus}
        />
      </PermissionGate>
    </SettingsPage>
  );
}

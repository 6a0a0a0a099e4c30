import { Button, Checkbox, Modal, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMediaQuery } from '@mantine/hooks';
import { AI_PROVIDERS, type AiModel, aiProvider } from '@winnow/contract/ai-model';
import { useState } from 'react';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { fieldErrorsOf } from '../../../api/session/field-errors.ts';
import { useProviderModels, useSaveModel, useTestModel } from '../../../features/models/queries.ts';
import { FormMessage } from '../../../ui/fields/form-message.tsx';
import { showFirstError } from '../../../ui/fields/show-first-error.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { showToast } from '../../../ui/toasts/toast.tsx';
import forms from '../form.module.css';
import { Estimate } from './estimate.tsx';
import {
  CONNECTION_FIELDS,
  initialValues,
  isListed,
  isSuggested,
  MODEL_FIELDS,
  type ModelValues,
  modelChoices,
  OTHER,
  priceOf,
  problemsOf,
  saveInput,
  testInput,
  valuesOfProvider,
} from './model-form.ts';
import { PriceFields } from './price-fields.tsx';

const PROVIDER_CHOICES = aiProvider.options.map((value) => ({ value, label: AI_PROVIDERS[value].label }));

export type ModelDialogProps = {
  opened: boolean;
  /** The model to edit; null to add one. */
  model: AiModel | null;
  onClose: () => void;
  /**
   * Called after the dialog that adds a model has closed. The button that opened it may have moved,
   * so the focus must be set again.
   */
  onAddClosed: () => void;
};

/**
 * Dialog that adds or edits a model. A click outside does not close it, so that input is not lost.
 */
export function ModelDialog({ opened, model, onClose, onAddClosed }: ModelDialogProps) {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={model === null ? 'Add Model' : 'Edit Model'}
      size={520}
      yOffset="12dvh"
      fullScreen={narrow}
      closeOnClickOutside={false}
      {...(model === null ? { returnFocus: false, onExitTransitionEnd: onAddClosed } : {})}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <ModelForm model={model} onClose={onClose} />
    </Modal>
  );
}

function ModelForm({ model, onClose }: Omit<ModelDialogProps, 'opened' | 'onAddClosed'>) {
  const saving = useOneAtATime(useSaveModel());
  const trial = useOneAtATime(useTestModel());
  const names = useOneAtATime(useProviderModels());
  const [unlisted, setUnlisted] = useState<string | null>(null);
  const form = useForm<ModelValues>({
    initialValues: initialValues(model),
    validate: (values) => problemsOf(model, values),
    onValuesChange: (values, previous) => {
      setUnlisted(null);
      if (CONNECTION_FIELDS.every((field) => values[field] === previous[field])) return;
      trial.reset();
      if (values.is_default) form.setFieldValue('is_default', false);
    },
  });
  const [isFree, setIsFree] = useState(() => !isSuggested(form.values));
  const { provider_name, model_identifier } = form.values;
  const choices = modelChoices(provider_name, names.data?.models ?? [], model_identifier);

  const tell = (error: unknown) => {
    form.setErrors(fieldErrorsOf(error, MODEL_FIELDS));
    showFirstError();
  };
  const save = (values: ModelValues) =>
    saving.mutate(saveInput(model, values), {
      onSuccess: ({ id, name }) => {
        showToast({ id, kind: 'done', text: `${model === null ? 'Added' : 'Saved'} ${name}.` });
        onClose();
      },
      onError: tell,
    });
  /**
   * Loads the names of the provider's models. Calls `onListed` with null if no key is available or
   * the request fails.
   */
  const loadNames = (onListed: (models: readonly string[] | null) => void = () => undefined) => {
    const { api_url, api_key } = form.getValues();
    const hasKey = api_key !== '' || model?.has_api_key === true || !AI_PROVIDERS[provider_name].needsKey;
    if (!hasKey || !URL.canParse(api_url)) return onListed(null);
    const connection = { provider_name: form.getValues().provider_name, api_url, api_key };
    const request = model === null ? connection : { ...connection, model_id: model.id };
    names.mutate(request, {
      onSuccess: ({ models }) => onListed(models),
      onError: () => onListed(null),
    });
  };
  /**
   * Saves the model. If the provider does not list it, first warns the user, who can then save it
   * anyway.
   */
  const checkAndSave = (values: ModelValues) => {
    const isKnown = model?.model_identifier === values.model_identifier;
    if (unlisted !== null || isKnown) return save(values);
    loadNames((listed) => {
      if (listed === null || isListed(listed, values.model_identifier)) save(values);
      else setUnlisted(values.model_identifier);
    });
  };
  const tryOut = (values: ModelValues) => trial.mutate(testInput(model, values), { onError: tell });

  const price = priceOf(form.values);
  const failure = saving.error ?? trial.error;
  return (
    <form noValidate onSubmit={form.onSubmit(checkAndSave, showFirstError)}>
      <Stack gap="md">
        <TextInput data-autofocus label="Name" autoComplete="off" {...form.getInputProps('name')} />
        <Select
          label="Provider"
          data={PROVIDER_CHOICES}
          allowDeselect={false}
          value={provider_name}
          onChange={(value) => {
            const chosen = aiProvider.safeParse(value);
            if (!chosen.success) return;
            names.reset();
            form.setValues(valuesOfProvider(chosen.data));
            setIsFree(modelChoices(chosen.data).length === 0);
          }}
          error={form.errors.provider_name}
        />
        {choices.length === 0 ? null : (
          <Select
            label="Model"
            data={choices}
            searchable
            allowDeselect={false}
            value={isFree ? OTHER : model_identifier}
            onChange={(value) => {
              setIsFree(value === OTHER);
              form.setFieldValue('model_identifier', value === OTHER ? '' : (value ?? ''));
            }}
          />
        )}
        {isFree ? (
          <TextInput
            label="Model name"
            description="Exactly as the provider spells it."
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('model_identifier')}
          />
        ) : null}
        <TextInput
          label="API URL"
          type="url"
          inputMode="url"
          autoComplete="off"
          {...(provider_name === 'custom'
            ? {
                description:
                  'Any server compatible with the OpenAI chat API, such as https://models.example.com/v1.',
              }
            : {})}
          {...form.getInputProps('api_url')}
        />
        <PasswordInput
          label="API Key"
          autoComplete="new-password"
          placeholder={model?.has_api_key === true ? 'Leave blank to keep existing key' : ''}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the API key' }}
          {...(AI_PROVIDERS[provider_name].needsKey ? {} : { description: 'If the server needs one.' })}
          {...form.getInputProps('api_key')}
          onBlur={({ relatedTarget }) => {
            // Ignore the blur if a button takes the focus. Loading the list would disable or move
            // the button before the click ends. Safari reports no target for such a click.
            if (relatedTarget === null || relatedTarget instanceof HTMLButtonElement) return;
            if (form.getValues().api_key !== '') loadNames();
          }}
        />
        <PriceFields form={form} />
        <p className={forms.note}>
          When the model is used, titles and descriptions of issues are sent to this address. Flows also send
          what their prompts and tools include, such as comments. It only advises on pairs and issues. What it
          writes in a flow is proposed, unless that flow may write directly.
        </p>
      </Stack>
      <div className={forms.result} aria-live="polite">
        {trial.data === undefined ? null : (
          <FormMessage tone={trial.data.success ? 'success' : 'danger'}>{trial.data.message}</FormMessage>
        )}
        {trial.data?.success === true && model?.is_default !== true ? (
          <>
            <Checkbox
              mt="sm"
              label="Use for reviews and scores"
              {...form.getInputProps('is_default', { type: 'checkbox' })}
            />
            <Estimate
              request={{
                ...(model === null ? {} : { model_id: model.id }),
                provider_name,
                model_identifier,
                price,
              }}
            />
          </>
        ) : null}
        {unlisted === null ? null : (
          <FormMessage tone="danger">
            {`${AI_PROVIDERS[provider_name].label} does not list ${unlisted}. Check the name, or save it anyway.`}
          </FormMessage>
        )}
        {failure !== null && Object.keys(fieldErrorsOf(failure, MODEL_FIELDS)).length === 0 ? (
          <ErrorState error={failure} />
        ) : null}
      </div>
      <div className={forms.buttons}>
        <Button
          loading={trial.isPending}
          onClick={() => {
            if (form.validate().hasErrors) showFirstError();
            else tryOut(form.getValues());
          }}
        >
          Test
        </Button>
        <span className={forms.grow} />
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="filled" loading={saving.isPending || names.isPending}>
          {unlisted !== null ? 'Save anyway' : model === null ? 'Add' : 'Save'}
        </Button>
      </div>
    </form>
  );
}

import { Button, Checkbox, Select, Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type CreatedApiKey, SCOPES, scope } from '@winnow/contract/api-key';
import { fieldErrorsOf } from '../../../api/session/field-errors.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import forms from '../form.module.css';
import classes from './api-keys.module.css';
import {
  createInput,
  EXPIRY_CHOICES,
  expiryText,
  INITIAL_VALUES,
  KEY_FIELDS,
  type KeyValues,
  keySchema,
} from './key-form.ts';
import type { useCreateApiKey } from './queries.ts';

export type CreateKeyProps = {
  creation: ReturnType<typeof useCreateApiKey>;
  onCreated: (created: CreatedApiKey) => void;
  onClose: () => void;
};

/** Form that creates an API key, with fields for name, expiry and scopes. */
export function CreateKey({ creation, onCreated, onClose }: CreateKeyProps) {
  const form = useForm<KeyValues>({
    initialValues: INITIAL_VALUES,
    validate: schemaResolver(keySchema, { sync: true }),
  });
  const create = (values: KeyValues) =>
    creation.mutate(createInput(values, Date.now()), {
      onSuccess: onCreated,
      onError: (error) => form.setErrors(fieldErrorsOf(error, KEY_FIELDS)),
    });
  const { error } = creation;
  return (
    <form noValidate onSubmit={form.onSubmit(create)}>
      <Stack gap="md">
        <TextInput
          data-autofocus
          label="Name"
          description="Where the key is used, such as Laptop or Build server. Changes made with the key show this name."
          autoComplete="off"
          maxLength={100}
          {...form.getInputProps('name')}
        />
        <Select
          label="Expires"
          data={EXPIRY_CHOICES}
          allowDeselect={false}
          description={expiryText(form.values.expiry, Date.now())}
          {...form.getInputProps('expiry')}
        />
        <Checkbox.Group label="Scopes" {...form.getInputProps('scopes')}>
          <div className={classes.scopeChoices}>
            {scope.options.map((option) => (
              <Checkbox
                key={option}
                value={option}
                label={SCOPES[option].label}
                description={SCOPES[option].description}
              />
            ))}
          </div>
        </Checkbox.Group>
        <p className={forms.note}>No key can read or change your account, trackers, models, or other keys.</p>
      </Stack>
      {error !== null && Object.keys(fieldErrorsOf(error, KEY_FIELDS)).length === 0 ? (
        <div className={classes.failure}>
          <ErrorState error={error} />
        </div>
      ) : null}
      <div className={classes.buttons}>
        <Button onClick={onClose} disabled={creation.isPending}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant="filled"
          disabled={form.values.name.trim() === ''}
          loading={creation.isPending}
        >
          Create
        </Button>
      </div>
    </form>
  );
}

import { Button, Group, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { connectableTrackerType, TRACKER_TYPES, UNCHANGED_API_KEY } from '@winnow/contract/tracker';
import { TrackerIcon } from '../../../features/trackers/tracker-icon.tsx';
import { FormMessage } from '../../../ui/fields/form-message.tsx';
import { showFirstError } from '../../../ui/fields/show-first-error.ts';
import { useFocusSoon } from '../../../ui/fields/use-focus-soon.ts';
import type { ConnectionValues } from './connection-form.ts';
import classes from './dialog.module.css';
import { TokenHelp } from './token-help.tsx';
import { WebhookSection } from './webhook-section.tsx';

const TYPE_CHOICES = connectableTrackerType.options.map((value) => ({
  value,
  label: TRACKER_TYPES[value].label,
}));

/** Form fields that can have the initial focus. */
export type ConnectionField = 'name' | 'api_key';

export type ConnectionStepProps = {
  form: UseFormReturnType<ConnectionValues>;
  startAt: ConnectionField;
  /** Id of the tracker to edit; null to add one. */
  trackerId: string | null;
  checking: boolean;
  /** Error of the last connection check; null if none. */
  error: string | null;
  onNext: (values: ConnectionValues) => void;
  onCancel: () => void;
};

/** Step 1 of the tracker dialog: address and credentials of the tracker. */
export function ConnectionStep({
  form,
  startAt,
  trackerId,
  checking,
  error,
  onNext,
  onCancel,
}: ConnectionStepProps) {
  const editing = trackerId !== null;
  const firstField = useFocusSoon<HTMLInputElement>();
  const autofocus = { ref: firstField, 'data-autofocus': true };
  const { type, url } = form.values;
  return (
    <form noValidate onSubmit={form.onSubmit(onNext, showFirstError)}>
      <Stack gap="md">
        <TextInput
          {...(startAt === 'name' ? autofocus : {})}
          label="Name"
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <Select
          label="Type"
          data={TYPE_CHOICES}
          disabled={editing}
          leftSection={<TrackerIcon type={type} size={14} />}
          value={type}
          onChange={(value) => {
            const chosen = connectableTrackerType.safeParse(value);
            if (!chosen.success) return;
            form.setValues({ type: chosen.data, url: TRACKER_TYPES[chosen.data].defaultUrl });
          }}
          error={form.errors.type}
        />
        <TextInput label="URL" type="url" inputMode="url" autoComplete="off" {...form.getInputProps('url')} />
        {type === 'jira' ? (
          <TextInput
            label="Jira Username"
            autoComplete="off"
            description="The email address of your Atlassian account. Leave it empty for a personal access token of Jira Data Center."
            {...form.getInputProps('username')}
          />
        ) : null}
        <div>
          <PasswordInput
            {...(startAt === 'api_key' ? autofocus : {})}
            label="API Key"
            autoComplete="new-password"
            placeholder={editing ? UNCHANGED_API_KEY : ''}
            aria-describedby="tracker-token-help"
            visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the API key' }}
            {...form.getInputProps('api_key')}
          />
          <p className={classes.help} id="tracker-token-help">
            <TokenHelp type={type} url={url} />
          </p>
        </div>
        {trackerId === null ? null : <WebhookSection trackerId={trackerId} type={type} />}
      </Stack>
      {error === null ? null : (
        <div className={classes.message}>
          <FormMessage tone="danger">{error}</FormMessage>
        </div>
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="filled" loading={checking}>
          Next
        </Button>
      </Group>
    </form>
  );
}

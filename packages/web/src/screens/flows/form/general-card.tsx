import { Switch, Textarea, TextInput } from '@mantine/core';
import { Card } from '../../../ui/card.tsx';
import classes from './form.module.css';
import { IconPicker } from './icon-picker.tsx';
import type { FlowForm } from './use-flow-form.ts';

/** Form fields for the name, description, icon and on/off switch of a flow. */
export function GeneralCard({ form }: { form: FlowForm }) {
  return (
    <Card
      title="General"
      inset
      actions={
        <Switch
          label="Enabled"
          size="xs"
          className={classes.enabled ?? ''}
          {...form.getInputProps('is_enabled', { type: 'checkbox' })}
        />
      }
    >
      <div className={classes.fields}>
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          autoComplete="off"
          maxLength={100}
          {...form.getInputProps('name')}
        />
        <Textarea
          label="Description"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={1_000}
          {...form.getInputProps('description')}
        />
        <IconPicker
          value={form.values.icon}
          onChange={(icon) => form.setFieldValue('icon', icon)}
          error={form.errors.icon}
        />
      </div>
    </Card>
  );
}

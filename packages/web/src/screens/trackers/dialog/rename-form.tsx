import { Button, Group, Modal, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type Tracker, trackerName } from '@winnow/contract/tracker';
import { z } from 'zod';
import { fieldErrorsOf } from '../../../api/session/field-errors.ts';
import { useSaveTracker } from '../../../features/trackers/queries.ts';
import { useFocusSoon } from '../../../ui/fields/use-focus-soon.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import classes from './dialog.module.css';

const FIELDS = ['name'] as const;

/** Form that renames the sample backlog. It has no connection and no scope that could be edited. */
export function RenameForm({ tracker, onClose }: { tracker: Tracker; onClose: () => void }) {
  const nameField = useFocusSoon<HTMLInputElement>();
  const saving = useSaveTracker();
  const form = useForm({
    initialValues: { name: tracker.name },
    validate: schemaResolver(z.object({ name: trackerName }), { sync: true }),
  });
  const fieldErrors = fieldErrorsOf(saving.error, FIELDS);
  return (
    <>
      <Modal.Header className={classes.header ?? ''}>
        <Modal.Title>Edit Tracker</Modal.Title>
        <Modal.CloseButton aria-label="Close" />
      </Modal.Header>
      <Modal.Body>
        <form
          noValidate
          onSubmit={form.onSubmit(({ name }) =>
            saving.mutate(
              { trackerId: tracker.id, body: { name: name.trim() } },
              { onSuccess: onClose, onError: (error) => form.setErrors(fieldErrorsOf(error, FIELDS)) },
            ),
          )}
        >
          <TextInput
            ref={nameField}
            data-autofocus
            label="Name"
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          {saving.isError && fieldErrors.name === undefined ? (
            <div className={classes.message}>
              <ErrorState error={saving.error} />
            </div>
          ) : null}
          <Group justify="flex-end" gap="xs" mt="lg">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="filled" loading={saving.isPending}>
              Save
            </Button>
          </Group>
        </form>
      </Modal.Body>
    </>
  );
}

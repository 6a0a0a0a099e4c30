import { Button, Group, Modal, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { workspaceCreate } from '@winnow/contract/workspace';
import { useOneAtATime } from '../../api/query/one-at-a-time.ts';
import { fieldErrorsOf } from '../../api/session/field-errors.ts';
import { switchWorkspace } from '../../api/session/session.ts';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { useCreateWorkspace } from './queries.ts';

const FIELDS = ['name'] as const;

/** Asks for the name of a new workspace, creates it and switches to it. */
export function CreateWorkspace({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const form = useForm({
    initialValues: { name: '' },
    validate: schemaResolver(workspaceCreate, { sync: true }),
  });
  const creation = useOneAtATime(useCreateWorkspace());
  const { error } = creation;
  const close = () => {
    if (creation.isPending) return;
    form.reset();
    creation.reset();
    onClose();
  };
  const create = ({ name }: { name: string }) =>
    creation.mutate(name, {
      onSuccess: ({ id }) => switchWorkspace(id),
      onError: (failure) => form.setErrors(fieldErrorsOf(failure, FIELDS)),
    });
  return (
    <Modal opened={opened} onClose={close} title="Create a workspace" size="sm">
      <form noValidate onSubmit={form.onSubmit(create)}>
        <TextInput
          data-autofocus
          label="Name"
          description="For example the name of your team. Trackers, flows and keys belong to one workspace."
          autoComplete="off"
          maxLength={80}
          {...form.getInputProps('name')}
        />
        {error !== null && Object.keys(fieldErrorsOf(error, FIELDS)).length === 0 ? (
          <ErrorState error={error} />
        ) : null}
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button onClick={close} disabled={creation.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" loading={creation.isPending}>
            Create
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

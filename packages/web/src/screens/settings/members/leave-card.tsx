import { Button, Group, Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { WorkspaceSettings } from '@winnow/contract/workspace';
import { useState } from 'react';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { fieldErrorsOf } from '../../../api/session/field-errors.ts';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import forms from '../form.module.css';
import { useDeleteWorkspace, useLeave } from './queries.ts';

const FIELDS = ['name', 'current_password'] as const;

/** Leaves or deletes the workspace. The personal workspace is deleted with the account. */
export function LeaveCard({ workspace }: { workspace: WorkspaceSettings }) {
  const [leaving, setLeaving] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const leave = useOneAtATime(useLeave());
  const { name, personal, role, members } = workspace;
  if (personal && members === 1) return null;
  return (
    <Card title="Leave or delete" inset>
      <p className={forms.note}>
        {personal
          ? 'This is your personal workspace. If you leave it, you get a new one. It is deleted with your account, under Profile.'
          : 'If you leave, you lose access immediately. Deleting removes all data of the workspace and cancels its subscription.'}
      </p>
      <div className={forms.buttons}>
        <Button color="danger" onClick={() => setLeaving(true)}>
          Leave…
        </Button>
        {role === 'owner' && !personal ? (
          <Button color="danger" onClick={() => setDeleting(true)}>
            Delete workspace…
          </Button>
        ) : null}
      </div>
      <ConfirmDialog
        opened={leaving}
        title="Leave the workspace"
        confirmLabel="Leave"
        destructive
        pending={leave.isPending}
        error={leave.error}
        onClose={() => {
          setLeaving(false);
          leave.reset();
        }}
        onConfirm={() => leave.mutate(undefined)}
      >
        You lose access to {name}. Your API keys for it are revoked, and your flows in it are switched off.
      </ConfirmDialog>
      <DeleteDialog name={name} opened={deleting} onClose={() => setDeleting(false)} />
    </Card>
  );
}

function DeleteDialog({ name, opened, onClose }: { name: string; opened: boolean; onClose: () => void }) {
  const form = useForm({
    initialValues: { name: '', current_password: '' },
    validate: {
      name: (typed) => (typed.trim() === name ? null : 'This is not the name of the workspace.'),
      current_password: (typed) => (typed === '' ? 'Enter your current password.' : null),
    },
  });
  const removal = useOneAtATime(useDeleteWorkspace());
  const { error } = removal;
  const close = () => {
    if (removal.isPending) return;
    form.reset();
    removal.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title="Delete workspace" size="sm">
      <form
        noValidate
        onSubmit={form.onSubmit((values) =>
          removal.mutate(values, {
            onError: (failure) => form.setErrors(fieldErrorsOf(failure, FIELDS)),
          }),
        )}
      >
        <Stack gap="md">
          <p>All data of {name} is permanently deleted, and its members lose access immediately.</p>
          <TextInput
            label="Name of the workspace"
            description={`Type ${name} to confirm`}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('name')}
          />
          <PasswordInput
            label="Current Password"
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
            {...form.getInputProps('current_password')}
          />
          {error !== null && Object.keys(fieldErrorsOf(error, FIELDS)).length === 0 ? (
            <ErrorState error={error} />
          ) : null}
        </Stack>
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button onClick={close} disabled={removal.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" color="danger" loading={removal.isPending}>
            Delete everything
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

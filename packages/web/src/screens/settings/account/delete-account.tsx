import { Button, Group, Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { AccountDeletion, CurrentUser } from '@winnow/contract/account';
import { useState } from 'react';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { ApiError } from '../../../api/session/api-error.ts';
import { api, signOutBy } from '../../../api/session/session.ts';
import { Card } from '../../../ui/card.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import classes from './account.module.css';
import { DeletionConsequences } from './deletion-consequences.tsx';

/** Form that deletes the account. The user must type the username and the password to confirm. */
export function DeleteAccount({ user }: { user: CurrentUser }) {
  const [isOpen, setOpen] = useState(false);
  const form = useForm({
    initialValues: { username: '', password: '' },
    validate: {
      username: (typed) => (typed === user.username ? null : 'That is not your username.'),
      password: (typed) => (typed === '' ? 'Enter your current password.' : null),
    },
  });
  const removal = useOneAtATime(
    useMutation({
      mutationFn: (body: AccountDeletion) => signOutBy(() => api('DELETE', '/auth/account', { body })),
      onError: (error) => {
        if (isWrongPassword(error)) form.setFieldError('password', error.detail);
      },
    }),
  );
  const close = () => {
    if (removal.isPending) return;
    setOpen(false);
    form.reset();
    removal.reset();
  };
  return (
    <Card title="Delete account" inset>
      <p className={classes.words}>
        Deletes your account and all its data, cancels your subscription immediately without a refund, and
        removes Winnow's webhooks from your trackers. Issues in your trackers are not changed. This cannot be
        undone, so export your data first.
      </p>
      <Button color="danger" onClick={() => setOpen(true)}>
        Delete account…
      </Button>
      <Modal opened={isOpen} onClose={close} title="Delete account" size="sm">
        <form
          noValidate
          onSubmit={form.onSubmit(({ username, password }) =>
            removal.mutate({ username, current_password: password }),
          )}
        >
          <Stack gap="md" className={classes.dialog ?? ''}>
            <p className={classes.words}>
              All data of <strong>{user.username}</strong> is permanently deleted, and you are signed out.
            </p>
            <DeletionConsequences />
            <TextInput
              label="Your username"
              description={`Type ${user.username} to confirm`}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              data-autofocus
              {...form.getInputProps('username')}
            />
            <PasswordInput
              label="Current Password"
              autoComplete="current-password"
              visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
              {...form.getInputProps('password')}
            />
            {removal.isError && !isWrongPassword(removal.error) ? <ErrorState error={removal.error} /> : null}
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
    </Card>
  );
}

/**
 * True if the password is wrong. This error is displayed at the password field, without a reference
 * number.
 */
function isWrongPassword(error: Error): error is ApiError {
  return error instanceof ApiError && error.code === 'wrong_password';
}

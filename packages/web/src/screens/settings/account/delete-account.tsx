import { Button, Group, Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { AccountDeletion, CurrentUser } from '@winnow/contract/account';
import { useState } from 'react';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { ApiError, sentenceOf } from '../../../api/session/api-error.ts';
import { api, signOutBy } from '../../../api/session/session.ts';
import { Card } from '../../../ui/card.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { canProveByPasskey, codeHint, hasFactor } from '../security/second-factor/factor-texts.ts';
import { factorOf, useSecondFactors } from '../security/second-factor/queries.ts';
import classes from './account.module.css';
import { DeletionConsequences } from './deletion-consequences.tsx';

/** Form that deletes the account. The user must type the username and the password to confirm. */
export function DeleteAccount({ user }: { user: CurrentUser }) {
  const [isOpen, setOpen] = useState(false);
  const factors = useSecondFactors().data;
  const needsFactor = factors !== undefined && hasFactor(factors);
  const form = useForm({
    initialValues: { username: '', password: '', code: '' },
    validate: {
      username: (typed) => (typed === user.username ? null : 'That is not your username.'),
      password: (typed) => (typed === '' ? 'Enter your current password.' : null),
      code: (typed) =>
        needsFactor && typed.trim() === '' && !canProveByPasskey(factors) ? 'Enter the code.' : null,
    },
  });
  const removal = useOneAtATime(
    useMutation({
      mutationFn: async ({ typedCode, ...named }: TypedDeletion) => {
        const body = { ...named, ...(needsFactor ? await factorOf(typedCode) : {}) };
        await signOutBy(() => api('DELETE', '/auth/account', { body }));
      },
      onError: (error) => {
        const field = wrongFieldOf(error);
        if (field !== null) form.setFieldError(field, sentenceOf(error));
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
          onSubmit={form.onSubmit(({ username, password, code }) =>
            removal.mutate({ username, current_password: password, typedCode: code }),
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
            {needsFactor ? (
              <TextInput
                label="Code"
                description={codeHint(factors)}
                autoComplete="one-time-code"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={40}
                {...form.getInputProps('code')}
              />
            ) : null}
            {removal.isError && wrongFieldOf(removal.error) === null ? (
              <ErrorState error={removal.error} />
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
    </Card>
  );
}

/** Account deletion with the typed code. An empty one means a passkey. */
type TypedDeletion = Pick<AccountDeletion, 'username' | 'current_password'> & { typedCode: string };

/** Returns the field of a wrong password or code, which is reported there without a reference. */
function wrongFieldOf(error: Error): 'password' | 'code' | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'wrong_password') return 'password';
  return error.code === 'wrong_code' ? 'code' : null;
}

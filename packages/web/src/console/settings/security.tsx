import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { MINIMUM_PASSWORD_LENGTH, type PasswordChange } from '@winnow/contract/account';
import { useOneAtATime } from '../../app/one-at-a-time.ts';
import { sentenceOf } from '../../app/session/api-error.ts';
import { useCurrentUser } from '../../app/session/current-user.ts';
import { api } from '../../app/session/session.ts';
import { Card } from '../../ui/card.tsx';
import { FormMessage } from '../../ui/form-message.tsx';
import { showFirstError } from '../../ui/show-first-error.ts';
import { passwordProblems } from './password-problems.ts';
import classes from './profile.module.css';
import { SettingsPage } from './settings-page.tsx';

const EMPTY = { current: '', wanted: '', confirmed: '' };

/** Sets another password. Other sessions end with it; this one goes on. */
function PasswordForm() {
  const user = useCurrentUser();
  const form = useForm({ initialValues: EMPTY, validate: passwordProblems });
  const change = useOneAtATime(
    useMutation({
      mutationFn: (body: PasswordChange) => api('PUT', '/auth/users/me/password', { body }),
      onSuccess: () => form.reset(),
    }),
  );
  return (
    <form
      className={classes.form}
      noValidate
      onInput={() => change.reset()}
      onSubmit={form.onSubmit(
        ({ current, wanted }) => change.mutate({ current_password: current, new_password: wanted }),
        showFirstError,
      )}
    >
      {/* Where a password manager sees whose password it is. */}
      <input
        className="vh"
        tabIndex={-1}
        aria-hidden
        autoComplete="username"
        readOnly
        value={user.data?.username ?? ''}
      />
      <Stack gap="md">
        <PasswordInput
          label="Current Password"
          autoComplete="current-password"
          {...shown('the current password')}
          {...form.getInputProps('current')}
        />
        <PasswordInput
          label="New Password"
          autoComplete="new-password"
          description={`At least ${MINIMUM_PASSWORD_LENGTH} characters`}
          {...shown('the new password')}
          {...form.getInputProps('wanted')}
        />
        <PasswordInput
          label="Confirm New Password"
          autoComplete="new-password"
          {...shown('the new password again')}
          {...form.getInputProps('confirmed')}
        />
      </Stack>
      <Group gap="sm" mt="lg">
        <Button type="submit" variant="filled" loading={change.isPending}>
          Change Password
        </Button>
        {change.isSuccess ? <FormMessage tone="success">Password changed successfully.</FormMessage> : null}
        {change.isError ? (
          <FormMessage tone="danger">{`Failed to change password: ${sentenceOf(change.error)}`}</FormMessage>
        ) : null}
      </Group>
    </form>
  );
}

/** The name of the button that shows what was typed. */
function shown(what: string) {
  return { visibilityToggleButtonProps: { 'aria-label': `Show or hide ${what}` } };
}

/** Settings: the password. */
export function SecurityScreen() {
  return (
    <SettingsPage width="normal">
      <Card title="Change Password" inset>
        <PasswordForm />
      </Card>
    </SettingsPage>
  );
}

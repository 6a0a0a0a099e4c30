import { Button, Group, Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type CurrentUser, currentUser, type ProfileUpdate, profileUpdate } from '@winnow/contract/account';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';
import { useCurrentUser } from '../../features/account/current-user.ts';
import { VerifyNotice } from '../../features/account/verify-notice.tsx';
import { SettingsPage } from '../../features/settings/settings-page.tsx';
import { Card } from '../../ui/card.tsx';
import { FormMessage } from '../../ui/fields/form-message.tsx';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { Loading, TextSkeleton } from '../../ui/states/skeletons.tsx';
import { DeleteAccount } from './account/delete-account.tsx';
import { YourData } from './account/your-data.tsx';
import classes from './profile.module.css';

function ProfileForm({ user }: { user: CurrentUser }) {
  const cache = useQueryClient();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { full_name: user.full_name ?? '' },
    validate: schemaResolver(profileUpdate, { sync: true }),
  });
  const save = useMutation({
    mutationFn: (body: ProfileUpdate) => api('PUT', '/auth/users/me', { body, schema: currentUser }),
    onSuccess: (updated) => {
      cache.setQueryData(queryKeys.account.me(), updated);
      form.setInitialValues({ full_name: updated.full_name ?? '' });
      form.reset();
    },
  });
  return (
    <form
      className={classes.form}
      noValidate
      onInput={() => save.reset()}
      onSubmit={form.onSubmit(({ full_name }) => save.mutate({ full_name: full_name.trim() || null }))}
    >
      <Stack gap="md">
        <TextInput label="Username" value={user.username} readOnly variant="filled" />
        <TextInput label="Email" value={user.email} readOnly variant="filled" />
        <TextInput
          label="Full name"
          autoComplete="name"
          key={form.key('full_name')}
          {...form.getInputProps('full_name')}
        />
      </Stack>
      <Group gap="sm" mt="lg">
        <Button type="submit" variant="filled" loading={save.isPending}>
          Save
        </Button>
        {save.isSuccess ? <FormMessage tone="success">Profile updated successfully.</FormMessage> : null}
        {save.isError ? <FormMessage tone="danger">Failed to update profile.</FormMessage> : null}
      </Group>
    </form>
  );
}

function ProfileSkeleton() {
  return (
    <Loading label="Loading your profile">
      <div className={classes.form}>
        {['username', 'email', 'name'].map((field) => (
          <div className={classes.field} key={field}>
            <TextSkeleton width={80} />
            <TextSkeleton width="100%" height={32} />
          </div>
        ))}
      </div>
    </Loading>
  );
}

/** Profile screen of the settings: edits account details, exports data, and deletes the account. */
export function ProfileScreen() {
  const user = useCurrentUser();
  return (
    <SettingsPage width="normal">
      <VerifyNotice />
      {user.isError ? (
        <ErrorState
          error={user.error}
          title="Failed to load account details."
          onRetry={() => void user.refetch()}
          retrying={user.isFetching}
        />
      ) : (
        <>
          <Card title="Your details" inset>
            {user.data ? <ProfileForm user={user.data} key={user.data.id} /> : <ProfileSkeleton />}
          </Card>
          <YourData />
          {user.data ? <DeleteAccount user={user.data} /> : null}
        </>
      )}
    </SettingsPage>
  );
}

import { Button, Checkbox, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { MIN_PASSWORD_CHARS } from '@winnow/contract/account';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { ApiError, sentenceOf } from '../../../api/session/api-error.ts';
import { fieldErrorsOf } from '../../../api/session/field-errors.ts';
import { useCurrentUser } from '../../../features/account/current-user.ts';
import { StrengthMeter } from '../../../features/passwords/strength-meter.tsx';
import { useStrength } from '../../../features/passwords/use-strength.ts';
import { FormMessage } from '../../../ui/fields/form-message.tsx';
import { showFirstError } from '../../../ui/fields/show-first-error.ts';
import classes from '../profile.module.css';
import { passwordProblems } from './password-problems.ts';
import { useChangePassword } from './queries.ts';
import { canProveByPasskey, codeHint, hasFactor } from './second-factor/factor-texts.ts';
import { useSecondFactors } from './second-factor/queries.ts';
import choices from './security.module.css';

const EMPTY_VALUES = {
  ...{ current: '', wanted: '', confirmed: '', code: '' },
  ...{ revokesKeys: false, stopsFlows: false },
};

/** Changes the password. Other sessions end; the user can also revoke keys and stop flows. */
export function PasswordForm() {
  const { data: user } = useCurrentUser();
  const factors = useSecondFactors().data;
  const needsFactor = factors !== undefined && hasFactor(factors);
  const form = useForm({
    initialValues: EMPTY_VALUES,
    validate: (values) => ({
      ...passwordProblems(values),
      ...(needsFactor && values.code.trim() === '' && !canProveByPasskey(factors)
        ? { code: 'Enter the code.' }
        : {}),
    }),
  });
  const change = useOneAtATime(useChangePassword());
  const { wanted } = form.values;
  const identity = [user?.username ?? '', user?.email ?? '', user?.full_name ?? ''];
  const strength = useStrength(wanted, identity);
  const submit = (values: typeof EMPTY_VALUES) =>
    change.mutate(
      {
        current_password: values.current,
        new_password: values.wanted,
        ...(needsFactor ? { typedCode: values.code } : {}),
        revoke_api_keys: values.revokesKeys,
        switch_off_flows: values.stopsFlows,
      },
      {
        onSuccess: () => form.reset(),
        onError: (error) => {
          const { new_password } = fieldErrorsOf(error, ['new_password']);
          if (new_password !== undefined) form.setFieldError('wanted', new_password);
          if (isWrongCode(error)) form.setFieldError('code', sentenceOf(error));
        },
      },
    );
  return (
    <form
      className={classes.form}
      noValidate
      onInput={() => change.reset()}
      onSubmit={form.onSubmit(submit, showFirstError)}
    >
      {/* Tells password managers which account the password belongs to. */}
      <input
        className="vh"
        tabIndex={-1}
        aria-hidden
        autoComplete="username"
        readOnly
        value={user?.username ?? ''}
      />
      <Stack gap="md">
        <PasswordInput
          label="Current Password"
          autoComplete="current-password"
          {...toggleProps('the current password')}
          {...form.getInputProps('current')}
        />
        <div>
          <PasswordInput
            label="New Password"
            autoComplete="new-password"
            description={`At least ${MIN_PASSWORD_CHARS} characters`}
            {...toggleProps('the new password')}
            {...form.getInputProps('wanted')}
          />
          {wanted === '' || form.errors.wanted ? null : <StrengthMeter strength={strength} />}
        </div>
        <PasswordInput
          label="Confirm New Password"
          autoComplete="new-password"
          {...toggleProps('the new password again')}
          {...form.getInputProps('confirmed')}
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
        <fieldset className={choices.choices}>
          <legend>With the new password</legend>
          <Checkbox label="End other sessions" description="Always done." checked disabled readOnly />
          <Checkbox
            label="Revoke API keys"
            description="Scripts and coding tools need new keys."
            {...form.getInputProps('revokesKeys', { type: 'checkbox' })}
          />
          <Checkbox
            label="Switch off flows that write, or that use your own models or MCP servers"
            description="Their running executions stop. Switch them on again under Flows."
            {...form.getInputProps('stopsFlows', { type: 'checkbox' })}
          />
        </fieldset>
      </Stack>
      <Group gap="sm" mt="lg">
        <Button type="submit" variant="filled" loading={change.isPending}>
          Change Password
        </Button>
        {change.isSuccess ? <FormMessage tone="success">Password changed successfully.</FormMessage> : null}
        {change.isError && !isWrongCode(change.error) ? (
          <FormMessage tone="danger">{`Failed to change password: ${sentenceOf(change.error)}`}</FormMessage>
        ) : null}
      </Group>
    </form>
  );
}

/** True for a wrong code, which is reported at its field. */
function isWrongCode(error: Error): boolean {
  return error instanceof ApiError && error.code === 'wrong_code';
}

/** Returns the accessible name for the button that reveals a password. */
function toggleProps(what: string) {
  return { visibilityToggleButtonProps: { 'aria-label': `Show or hide ${what}` } };
}

import { MINIMUM_PASSWORD_LENGTH } from '@winnow/contract/account';
import { useState } from 'react';
import { AccessForm } from '../../access/access-form.tsx';
import { Outcome } from '../../access/outcome.tsx';
import { useAccessForm } from '../../access/use-access-form.ts';
import { loadSession } from '../../session/visitor.ts';
import { Alert } from '../../ui/alert.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { failureOf, newPasswordTwice } from './new-password.ts';

/** The new password, twice; `token` is the one-time secret of the link. */
export function NewPasswordForm({ token }: { token: string }) {
  const [isChanged, setChanged] = useState(false);
  const [isMessageShown, setMessageShown] = useState(true);
  const form = useAccessForm({
    schema: newPasswordTwice,
    once: true,
    send: async ({ new_password }) => {
      const { publicApi } = await loadSession();
      await publicApi('POST', '/auth/reset-password', { body: { token, new_password } });
      setChanged(true);
    },
  });
  if (isChanged) {
    return (
      <Outcome>
        {isMessageShown ? (
          <Alert tone="success" onClose={() => setMessageShown(false)}>
            Your password has been reset successfully. You can now log in.
          </Alert>
        ) : null}
        <ButtonLink href="/login" kind="primary" size="lg" wide>
          Sign in
        </ButtonLink>
      </Outcome>
    );
  }
  return (
    <AccessForm form={form} action="Reset Password" failureOf={failureOf}>
      <PasswordField
        label="New Password"
        name="new_password"
        required
        autoComplete="new-password"
        hint={`At least ${MINIMUM_PASSWORD_LENGTH} characters`}
        error={form.errors.new_password}
      />
      <PasswordField
        label="Confirm New Password"
        name="confirmation"
        required
        autoComplete="new-password"
        error={form.errors.confirmation}
      />
    </AccessForm>
  );
}

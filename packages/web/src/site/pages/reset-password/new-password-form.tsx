import { type EndedAccess, passwordResetDone } from '@winnow/contract/account';
import { useState } from 'react';
import { AccessForm } from '../../access/access-form.tsx';
import { NewPasswordField } from '../../access/new-password-field.tsx';
import { Outcome } from '../../access/outcome.tsx';
import { useAccessForm } from '../../access/use-access-form.ts';
import { loadSession } from '../../session/visitor.ts';
import { Alert } from '../../ui/alert.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { failureOf, newPasswordTwice } from './new-password.ts';
import { RevokedAccess } from './revoked-access.tsx';

/**
 * The form for the new password and its confirmation. `token` is the one-time secret of the link.
 */
export function NewPasswordForm({ token }: { token: string }) {
  const [ended, setEnded] = useState<EndedAccess | null>(null);
  const [isMessageShown, setMessageShown] = useState(true);
  const form = useAccessForm({
    schema: newPasswordTwice,
    once: true,
    send: async ({ new_password }) => {
      const { publicApi } = await loadSession();
      const body = { token, new_password };
      const done = await publicApi('POST', '/auth/reset-password', { body, schema: passwordResetDone });
      setEnded(done.ended);
    },
  });
  if (ended !== null) {
    return (
      <Outcome>
        {isMessageShown ? (
          <Alert tone="success" onClose={() => setMessageShown(false)}>
            Your password has been reset successfully. You can now log in.
          </Alert>
        ) : null}
        <RevokedAccess ended={ended} />
        <ButtonLink href="/login" kind="primary" size="lg" wide>
          Sign in
        </ButtonLink>
      </Outcome>
    );
  }
  return (
    <AccessForm form={form} action="Reset Password" failureOf={failureOf}>
      <NewPasswordField label="New Password" name="new_password" error={form.errors.new_password} />
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

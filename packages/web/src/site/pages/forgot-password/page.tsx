import { forgotPasswordRequest } from '@winnow/contract/account';
import { useState } from 'react';
import { Link } from 'wouter';
import { AccessForm } from '../../access/access-form.tsx';
import { AccessFrame } from '../../access/access-frame.tsx';
import type { Failure } from '../../access/failure.ts';
import { useAccessForm } from '../../access/use-access-form.ts';
import { loadSession } from '../../session/visitor.ts';
import { Alert } from '../../ui/alert.tsx';
import { TextField } from '../../ui/field.tsx';

const failureOf = (): Failure => ({ title: 'An unexpected error occurred. Please try again.' });

/**
 * Page to request a link for choosing a new password. The response never reveals whether an account
 * with the email address exists.
 */
export function Page() {
  const [isSent, setSent] = useState(false);
  const form = useAccessForm({
    schema: forgotPasswordRequest,
    send: async (body) => {
      setSent(false);
      const { publicApi } = await loadSession();
      await publicApi('POST', '/auth/forgot-password', { body });
      setSent(true);
    },
  });
  return (
    <AccessFrame
      title="Forgot your password?"
      lead="Enter your email address. We will send you a link to choose a new password, or your invitation again."
      footer={
        <Link className="link" href="/login">
          Back to sign in
        </Link>
      }
    >
      {isSent ? (
        <Alert tone="success" onClose={() => setSent(false)}>
          If an account with that email exists, a password reset link has been sent.
        </Alert>
      ) : null}
      <AccessForm form={form} action="Send Reset Link" failureOf={failureOf}>
        <TextField
          label="Email"
          name="email"
          type="email"
          required
          autoComplete="email"
          error={form.errors.email}
        />
      </AccessForm>
    </AccessFrame>
  );
}

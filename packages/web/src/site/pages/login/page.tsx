import { loginRequest, tokenPair } from '@winnow/contract/account';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { takeReturnPath } from '../../../api/session/return-path.ts';
import { AccessForm } from '../../access/access-form.tsx';
import { AccessFrame } from '../../access/access-frame.tsx';
import { useAccessForm } from '../../access/use-access-form.ts';
import { useAddress } from '../../access/use-address.ts';
import { useVisitorOnly } from '../../access/use-visitor-only.ts';
import { loadSession, useSessionLost } from '../../session/visitor.ts';
import { Alert } from '../../ui/alert.tsx';
import { PasswordField, TextField } from '../../ui/field.tsx';
import { failureOf, isCodeMissing } from './failure.ts';
import classes from './page.module.css';

/**
 * Page to sign in with a password and a username or email address. Users with an authenticator app
 * then enter a code.
 */
export function Page() {
  useVisitorOnly();
  const isRegistered = useAddress('registered')?.get('registered') === 'true';
  const isLost = useSessionLost();
  const codeField = useRef<HTMLInputElement>(null);
  const [needsCode, setNeedsCode] = useState(false);
  useEffect(() => {
    if (needsCode) codeField.current?.focus();
  }, [needsCode]);
  const form = useAccessForm({
    schema: loginRequest,
    limitedBy: 'username',
    once: true,
    send: async (body) => {
      const { publicApi, startSession } = await loadSession();
      const tokens = await publicApi('POST', '/auth/token/json', { body, schema: tokenPair }).catch(
        (error: unknown) => {
          if (isCodeMissing(error)) setNeedsCode(true);
          throw error;
        },
      );
      startSession(tokens);
      // `replace` removes the sign-in page from the history, so that Back in the console does not
      // return to it.
      window.location.replace(takeReturnPath(window.localStorage));
    },
  });
  const shown = isCodeMissing(form.failure) ? { ...form, failure: undefined } : form;
  return (
    <AccessFrame
      title="Sign in"
      lead="Find the duplicates in your backlog, and decide what is written back."
      footer={
        <>
          No account yet?{' '}
          <Link className="link" href="/register">
            Create an account
          </Link>
        </>
      }
    >
      {isLost && !isRegistered && form.failure === undefined ? (
        <Alert tone="info" title="You were signed out">
          Your session has ended. Sign in to continue where you left off.
        </Alert>
      ) : null}
      {isRegistered && form.failure === undefined ? (
        <Alert tone="success">Your account has been created successfully. Please sign in.</Alert>
      ) : null}
      <AccessForm form={shown} action="Sign in" failureOf={failureOf}>
        <TextField
          label="Username or email"
          name="username"
          required
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          onInput={() => setNeedsCode(false)}
          error={form.errors.username}
        />
        <PasswordField
          label="Password"
          name="password"
          required
          autoComplete="current-password"
          error={form.errors.password}
        />
        {needsCode ? (
          <TextField
            ref={codeField}
            label="Code"
            name="code"
            required
            hint="From your authenticator app, or a recovery code."
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            error={form.errors.code}
          />
        ) : null}
        {shown.failure === undefined || needsCode ? null : (
          <p className={classes.hint}>
            If you have not confirmed your email address yet, sign in with your username.
          </p>
        )}
        <p className={classes.forgot}>
          <Link className="link" href="/forgot-password">
            Forgot your password?
          </Link>
        </p>
      </AccessForm>
    </AccessFrame>
  );
}

import { type LoginRequest, loginRequest, type TokenPair, tokenPair } from '@winnow/contract/account';
import type { PasskeyAssertion } from '@winnow/contract/passkey';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { z } from 'zod';
import { takeReturnPath } from '../../../api/session/return-path.ts';
import { AccessForm } from '../../access/access-form.tsx';
import { AccessFrame } from '../../access/access-frame.tsx';
import { useAccessForm } from '../../access/use-access-form.ts';
import { useAddress } from '../../access/use-address.ts';
import { useVisitorOnly } from '../../access/use-visitor-only.ts';
import { loadSession, useSessionLost } from '../../session/visitor.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { PasswordField, TextField } from '../../ui/field.tsx';
import { type AskedFactor, failureOf, isAtField, missingFactorOf, withField } from './failure.ts';
import classes from './page.module.css';
import {
  askForPasskey,
  signInWithPasskey,
  useCanUsePasskeys,
  usePasskeyAutofill,
} from './passkey-sign-in.ts';

/**
 * Sign-in with username or email address and password, or with a passkey alone. A user with a
 * second factor is then asked for a code or a passkey.
 */
export function Page() {
  useVisitorOnly();
  const isRegistered = useAddress('registered')?.get('registered') === 'true';
  const isLost = useSessionLost();
  const canUsePasskeys = useCanUsePasskeys();
  const codeField = useRef<HTMLInputElement>(null);
  const [asked, setAsked] = useState<AskedFactor | null>(null);
  useEffect(() => {
    if (asked !== null) codeField.current?.focus();
  }, [asked]);
  const alone = usePasskeyAlone(canUsePasskeys);
  const form = useAccessForm({
    schema: asked === 'code' ? loginRequest : OPTIONAL_CODE,
    limitedBy: 'username',
    once: true,
    send: async ({ code = '', ...named }) => {
      alone.dismiss();
      const { publicApi } = await loadSession();
      const request = (factor: Pick<LoginRequest, 'code' | 'passkey'>) =>
        publicApi('POST', '/auth/token/json', { body: { ...named, ...factor }, schema: tokenPair });
      const askFirst = asked === 'passkey' && code === '' && canUsePasskeys;
      const factor = askFirst ? { passkey: await askForPasskey() } : code === '' ? {} : { code };
      const tokens = await request(factor).catch(async (error: unknown) => {
        const missing = missingFactorOf(error);
        if (missing === null) throw withField(error);
        setAsked(missing);
        if (missing === 'passkey' && canUsePasskeys) return request({ passkey: await askForPasskey() });
        throw asked === null ? error : withField(error);
      });
      await enter(tokens);
    },
  });
  const isShown = missingFactorOf(form.failure) === null && !isAtField(form.failure);
  const shown = isShown ? form : { ...form, failure: undefined };
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
      <AccessForm form={shown} action={asked === 'passkey' ? 'Continue' : 'Sign in'} failureOf={failureOf}>
        <TextField
          label="Username or email"
          name="username"
          required
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
          onInput={() => setAsked(null)}
          error={form.errors.username}
        />
        <PasswordField
          label="Password"
          name="password"
          required
          autoComplete="current-password"
          error={form.errors.password}
        />
        {asked === null ? null : (
          <TextField
            ref={codeField}
            label={asked === 'code' ? 'Code' : 'Recovery code'}
            name="code"
            required={asked === 'code'}
            hint={hintOf(asked, canUsePasskeys)}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            error={form.errors.code}
          />
        )}
        {shown.failure === undefined || asked !== null ? null : (
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
      {canUsePasskeys ? (
        <div className={classes.passkey}>
          {alone.failure === undefined ? null : (
            <Alert tone="danger" title={failureOf(alone.failure).title} onClose={alone.dismiss} />
          )}
          <Button size="lg" wide isBusy={alone.isBusy} onClick={alone.signIn}>
            Sign in with a passkey
          </Button>
        </div>
      ) : null}
    </AccessFrame>
  );
}

/** The code is optional for a user who can confirm with a passkey instead. */
const OPTIONAL_CODE = loginRequest.extend({ code: z.literal('').or(loginRequest.shape.code) });

function hintOf(asked: AskedFactor, canUsePasskeys: boolean): string {
  if (asked === 'code') return 'From your authenticator app, or a recovery code.';
  return canUsePasskeys
    ? 'Leave it empty to continue with your passkey.'
    : 'Your passkeys do not work in this browser or at this address.';
}

/** Stores the session and opens the console. */
async function enter(tokens: TokenPair): Promise<void> {
  const { startSession } = await loadSession();
  startSession(tokens);
  // Replaces the history entry, so that Back in the console does not return to the sign-in.
  window.location.replace(takeReturnPath(window.localStorage));
}

/** Signs in with a passkey alone: by a button, or as suggestion in the username field. */
function usePasskeyAlone(canUsePasskeys: boolean) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  const run = async (getPasskey: () => Promise<PasskeyAssertion>) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await enter(await signInWithPasskey(await getPasskey()));
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  usePasskeyAutofill(canUsePasskeys, (passkey) => run(async () => passkey));
  return {
    isBusy,
    failure,
    dismiss: () => setFailure(undefined),
    signIn: () => void run(() => askForPasskey()),
  };
}

import { onboardingRequest, tokenPair } from '@winnow/contract/account';
import { takeReturnPath } from '../../../api/session/return-path.ts';
import { AccessForm } from '../../access/access-form.tsx';
import { NewPasswordField } from '../../access/new-password-field.tsx';
import { useAccessForm } from '../../access/use-access-form.ts';
import { loadSession } from '../../session/visitor.ts';
import { TextField } from '../../ui/field.tsx';
import { failureOf } from './failure.ts';

const choices = onboardingRequest.pick({ username: true, password: true });

export interface OnboardingFormProps {
  email: string;
  proposedUsername: string;
  /** The one-time secret from the invitation link. */
  token: string;
}

/** Asks an invited user for username and password, then signs them in and opens the console. */
export function OnboardingForm({ email, proposedUsername, token }: OnboardingFormProps) {
  const form = useAccessForm({
    schema: choices,
    once: true,
    send: async (chosen) => {
      const { isSignedIn, publicApi, signOut, startSession } = await loadSession();
      const body = { ...chosen, email, token };
      const pair = await publicApi('POST', '/auth/complete-onboarding', { body, schema: tokenPair });
      // Ends any other session in this browser, and removes the return path that it stored. The new
      // account then starts at the first screen.
      if (isSignedIn()) signOut();
      takeReturnPath(window.localStorage);
      startSession(pair);
      window.location.replace('/console');
    },
  });
  return (
    <AccessForm form={form} action="Complete Registration" failureOf={failureOf}>
      <TextField label="Email" type="email" autoComplete="email" readOnly value={email} />
      <TextField
        label="Username"
        name="username"
        required
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={proposedUsername}
        error={form.errors.username}
      />
      <NewPasswordField label="Password" name="password" error={form.errors.password} identity={[email]} />
    </AccessForm>
  );
}

import { registeredUser, registerRequest } from '@winnow/contract/account';
import { Link, useLocation } from 'wouter';
import { AccessForm } from '../../access/access-form.tsx';
import { AccessFrame } from '../../access/access-frame.tsx';
import { NewPasswordField } from '../../access/new-password-field.tsx';
import { useAccessForm } from '../../access/use-access-form.ts';
import { useVisitorOnly } from '../../access/use-visitor-only.ts';
import { loadSession } from '../../session/visitor.ts';
import { TextField } from '../../ui/field.tsx';
import { failureOf } from './failure.ts';

/** Creates an account, then continues with the sign-in. */
export function Page() {
  useVisitorOnly();
  const [, goTo] = useLocation();
  const form = useAccessForm({
    schema: registerRequest,
    once: true,
    send: async (body) => {
      const { publicApi } = await loadSession();
      await publicApi('POST', '/auth/register', { body, schema: registeredUser });
      goTo('/login?registered=true');
    },
  });
  return (
    <AccessFrame
      title="Create your account"
      lead="Connect a tracker or explore with sample data. Nothing is changed in your tracker until you approve it."
      footer={
        <>
          Already have an account?{' '}
          <Link className="link" href="/login">
            Sign in
          </Link>
        </>
      }
    >
      <AccessForm form={form} action="Sign up" failureOf={failureOf}>
        <TextField
          label="Username"
          name="username"
          required
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={form.errors.username}
        />
        <TextField
          label="Email"
          name="email"
          type="email"
          required
          autoComplete="email"
          error={form.errors.email}
        />
        <NewPasswordField label="Password" name="password" error={form.errors.password} />
      </AccessForm>
    </AccessFrame>
  );
}

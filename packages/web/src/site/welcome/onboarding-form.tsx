import { Button, PasswordInput, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import {
  MINIMUM_PASSWORD_LENGTH,
  type RegisterRequest,
  registerRequest,
  type TokenPair,
  tokenPair,
} from '@winnow/contract/account';
import { ApiError } from '../../app/session/api-error.ts';
import { takeReturnPath } from '../../app/session/return-path.ts';
import { isSignedIn, publicApi, signOut, startSession } from '../../app/session/session.ts';
import { fieldErrorsOf } from '../field-errors.ts';
import { FormFailure } from '../form-failure.tsx';
import classes from './onboarding-form.module.css';

const FAILED = 'Failed to complete onboarding.';
const FIELDS = ['username', 'password'] as const;

const choices = registerRequest.pick({ username: true, password: true });
type Choices = Pick<RegisterRequest, 'username' | 'password'>;

/** Ends whatever session this browser had, and begins the one of the new account at its first screen. */
function beginAtConsole(pair: TokenPair): void {
  if (isSignedIn()) signOut();
  // A kept way back is somebody else's: this account has never been anywhere.
  takeReturnPath(window.localStorage);
  startSession(pair);
}

/** What the server said, in its words; what it said about a field stands at the field. */
function Failure({ error }: { error: unknown }) {
  const atFields = Object.keys(fieldErrorsOf(error, FIELDS)).length > 0;
  if (atFields || !(error instanceof ApiError)) return <FormFailure title={FAILED} detail={null} />;
  const ownWords = error.code === 'unreachable' || error.code === 'unexpected_answer';
  return ownWords ? (
    <FormFailure title={FAILED} detail={error.detail} />
  ) : (
    <FormFailure title={error.detail} detail={null} />
  );
}

export type OnboardingFormProps = {
  email: string;
  proposedUsername: string;
  /** The one-time secret of the link. */
  token: string;
};

/** Username and password of an invited person. Once accepted, they are signed in and taken to the console. */
export function OnboardingForm({ email, proposedUsername, token }: OnboardingFormProps) {
  const form = useForm<Choices>({
    mode: 'uncontrolled',
    initialValues: { username: proposedUsername, password: '' },
    validate: schemaResolver(choices, { sync: true }),
  });
  const complete = useMutation({
    mutationFn: (values: Choices) =>
      publicApi('POST', '/auth/complete-onboarding', {
        body: { ...values, email, token },
        schema: tokenPair,
      }),
    onSuccess: beginAtConsole,
    onError: (error) => form.setErrors(fieldErrorsOf(error, FIELDS)),
  });
  return (
    <>
      {complete.isError ? <Failure error={complete.error} /> : null}
      <form onSubmit={form.onSubmit((values) => complete.mutate(values))} noValidate>
        <TextInput
          label="Email"
          type="email"
          size="md"
          autoComplete="email"
          readOnly
          value={email}
          classNames={{ input: classes.fixed }}
        />
        <TextInput
          label="Username"
          size="md"
          mt="md"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          key={form.key('username')}
          {...form.getInputProps('username')}
        />
        <PasswordInput
          label="Password"
          description={`At least ${MINIMUM_PASSWORD_LENGTH} characters`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          size="md"
          mt="md"
          autoComplete="new-password"
          aria-required
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" variant="filled" size="lg" fullWidth mt="lg" loading={complete.isPending}>
          Complete Registration
        </Button>
      </form>
    </>
  );
}

import { Alert, Button, PasswordInput, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { IconCircleCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type LoginRequest, loginRequest, tokenPair } from '@winnow/contract/account';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { ApiError, sentenceOf } from '../../app/session/api-error.ts';
import { publicApi, startSession } from '../../app/session/session.ts';
import { AccessFrame } from '../access-frame.tsx';
import { FormFailure } from '../form-failure.tsx';
import { useWait } from '../use-wait.ts';
import { waitText } from '../wait-text.ts';

const WRONG = 'Invalid username or password';

/** True once the address says `?registered=true`; the flag is then taken out of the address. */
function useRegisteredFlag(): boolean {
  const [parameters, setParameters] = useSearchParams();
  const [registered, setRegistered] = useState(false);
  const flag = parameters.get('registered');
  useEffect(() => {
    if (flag === null) return;
    setRegistered(flag === 'true');
    setParameters(
      (current) => {
        const rest = new URLSearchParams(current);
        rest.delete('registered');
        return rest;
      },
      { replace: true },
    );
  }, [flag, setParameters]);
  return registered;
}

/** What a refused sign-in tells: never which of the two was wrong. */
function failureText(error: unknown): string {
  const credentials = error instanceof ApiError && [400, 401, 422].includes(error.status);
  return credentials ? WRONG : sentenceOf(error);
}

/** Sign in with username or e-mail and password. */
export function LoginScreen() {
  const registered = useRegisteredFlag();
  const [secondsLeft, wait] = useWait();
  const form = useForm<LoginRequest>({
    mode: 'uncontrolled',
    initialValues: { username: '', password: '' },
    validate: schemaResolver(loginRequest, { sync: true }),
    validateInputOnBlur: false,
  });
  const signIn = useMutation({
    mutationFn: (values: LoginRequest) =>
      publicApi('POST', '/auth/token/json', { body: values, schema: tokenPair }),
    onSuccess: startSession,
    onError: (error) => {
      if (error instanceof ApiError && error.status === 429) wait(error.retryAfterSeconds ?? 60);
    },
  });
  const limited = secondsLeft > 0;
  const showFailure = signIn.isError && !(signIn.error instanceof ApiError && signIn.error.status === 429);
  return (
    <AccessFrame
      title="Sign in"
      lead="Find the duplicates in your backlog, and decide what is written back."
      footer={
        <>
          No account yet?{' '}
          <Link className="link" to="/register">
            Sign up
          </Link>
        </>
      }
    >
      {registered ? (
        <Alert color="success" mb="md" role="status" icon={<IconCircleCheck size={16} aria-hidden />}>
          Your account has been created successfully. Please sign in.
        </Alert>
      ) : null}
      {limited ? (
        <FormFailure title="Too many attempts" detail={`Wait ${waitText(secondsLeft)}, then try again.`} />
      ) : null}
      {showFailure && !limited ? <FormFailure title={failureText(signIn.error)} detail={null} /> : null}
      <form onSubmit={form.onSubmit((values) => signIn.mutate(values))} noValidate>
        <TextInput
          label="Username or e-mail"
          size="md"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          key={form.key('username')}
          {...form.getInputProps('username')}
        />
        <PasswordInput
          label="Password"
          size="md"
          mt="md"
          autoComplete="current-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button
          type="submit"
          variant="filled"
          size="lg"
          fullWidth
          mt="lg"
          loading={signIn.isPending}
          disabled={limited}
        >
          Sign in
        </Button>
      </form>
    </AccessFrame>
  );
}

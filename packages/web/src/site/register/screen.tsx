import { Button, PasswordInput, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import {
  MINIMUM_PASSWORD_LENGTH,
  type RegisterRequest,
  registeredUser,
  registerRequest,
} from '@winnow/contract/account';
import { Link, useNavigate } from 'react-router';
import { ApiError, sentenceOf } from '../../app/session/api-error.ts';
import { publicApi } from '../../app/session/session.ts';
import { AccessFrame } from '../access-frame.tsx';
import { fieldErrorsOf } from '../field-errors.ts';
import { FormFailure } from '../form-failure.tsx';
import { useWait } from '../use-wait.ts';
import { waitText } from '../wait-text.ts';

const FAILED = 'Failed to create an account';
const FIELDS = ['username', 'email', 'password'] as const;

/** Create an account, then sign in. */
export function RegisterScreen() {
  const navigate = useNavigate();
  const [secondsLeft, wait] = useWait();
  const form = useForm<RegisterRequest>({
    mode: 'uncontrolled',
    initialValues: { username: '', email: '', password: '' },
    validate: schemaResolver(registerRequest, { sync: true }),
  });
  const register = useMutation({
    mutationFn: (values: RegisterRequest) =>
      publicApi('POST', '/auth/register', { body: values, schema: registeredUser }),
    onSuccess: () => void navigate('/login?registered=true'),
    onError: (error) => {
      form.setErrors(fieldErrorsOf(error, FIELDS));
      if (error instanceof ApiError && error.status === 429) wait(error.retryAfterSeconds ?? 60);
    },
  });
  const limited = secondsLeft > 0;
  const atFields = Object.keys(fieldErrorsOf(register.error, FIELDS)).length > 0;
  const detail = limited
    ? `Too many attempts. Wait ${waitText(secondsLeft)}, then try again.`
    : atFields
      ? null
      : sentenceOf(register.error);
  return (
    <AccessFrame
      title="Create your account"
      lead="Connect a tracker or explore with sample data. Nothing is written before you have seen it."
      footer={
        <>
          Already have an account?{' '}
          <Link className="link" to="/login">
            Sign in
          </Link>
        </>
      }
    >
      {register.isError ? <FormFailure title={FAILED} detail={detail} /> : null}
      <form onSubmit={form.onSubmit((values) => register.mutate(values))} noValidate>
        <TextInput
          label="Username"
          size="md"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          key={form.key('username')}
          {...form.getInputProps('username')}
        />
        <TextInput
          label="E-mail"
          type="email"
          size="md"
          mt="md"
          autoComplete="email"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          description={`At least ${MINIMUM_PASSWORD_LENGTH} characters`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          size="md"
          mt="md"
          autoComplete="new-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button
          type="submit"
          variant="filled"
          size="lg"
          fullWidth
          mt="lg"
          loading={register.isPending}
          disabled={limited}
        >
          Sign up
        </Button>
      </form>
    </AccessFrame>
  );
}

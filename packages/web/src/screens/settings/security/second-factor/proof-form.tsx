import { Button, PasswordInput, Stack } from '@mantine/core';
import type { SecondFactors } from '@winnow/contract/second-factor';
import { type FormEvent, useState } from 'react';
import { ApiError, sentenceOf } from '../../../../api/session/api-error.ts';
import { useInitialFocus } from '../../../../ui/dialogs/use-initial-focus.ts';
import { ErrorState } from '../../../../ui/states/error-state.tsx';
import keys from '../../api-keys/api-keys.module.css';
import { CodeForm, type CodeFormProps } from './code-form.tsx';
import { canProveByPasskey, codeHint, hasFactor } from './factor-texts.ts';
import type { TypedProof } from './queries.ts';

export type ProofFormProps = Omit<CodeFormProps, 'description' | 'emptyAction' | 'onSubmit'> & {
  factors: SecondFactors;
  onSubmit: (proof: TypedProof) => void;
};

/**
 * Asks for a proof of the user: a code or a passkey of a user with a second factor, the password of
 * any other.
 */
export function ProofForm({ factors, onSubmit, ...props }: ProofFormProps) {
  if (!hasFactor(factors)) return <PasswordForm {...props} onSubmit={(password) => onSubmit({ password })} />;
  return (
    <CodeForm
      {...props}
      description={codeHint(factors)}
      emptyAction={canProveByPasskey(factors) ? `${props.action} with passkey` : undefined}
      onSubmit={(code) => onSubmit({ code })}
    />
  );
}

type PasswordFormProps = Omit<ProofFormProps, 'factors' | 'onSubmit'> & {
  onSubmit: (password: string) => void;
};

function PasswordForm({ children, action, pending, error, onSubmit, onCancel }: PasswordFormProps) {
  const [password, setPassword] = useState('');
  const field = useInitialFocus<HTMLInputElement>();
  const isWrong = error instanceof ApiError && error.code === 'wrong_password';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!pending && password !== '') onSubmit(password);
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        {children}
        <PasswordInput
          ref={field}
          data-autofocus
          label="Current Password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the current password' }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={isWrong ? sentenceOf(error) : null}
        />
      </Stack>
      {error === null || isWrong ? null : (
        <div className={keys.failure}>
          <ErrorState error={error} />
        </div>
      )}
      <div className={keys.buttons}>
        <Button onClick={onCancel} disabled={pending}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" disabled={password === ''} loading={pending}>
          {action}
        </Button>
      </div>
    </form>
  );
}

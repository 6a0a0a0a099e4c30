import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError, sentenceOf } from '../../../../api/session/api-error.ts';
import { useInitialFocus } from '../../../../ui/dialogs/use-initial-focus.ts';
import { ErrorState } from '../../../../ui/states/error-state.tsx';
import keys from '../../api-keys/api-keys.module.css';

export type CodeFormProps = {
  /** Content above the field. */
  children: ReactNode;
  description: string;
  /** A verb: 'Add', 'Remove'. */
  action: string;
  /** Label of the button while the field is empty. Without it, a code is required. */
  emptyAction?: string | undefined;
  destructive?: boolean;
  pending: boolean;
  /** The error of the last attempt; null if there is none. */
  error: Error | null;
  onSubmit: (code: string) => void;
  onCancel: () => void;
};

/** Asks for a code of the authenticator app, or a recovery code. */
export function CodeForm(props: CodeFormProps) {
  const { children, description, action, emptyAction, destructive = false } = props;
  const { pending, error, onSubmit, onCancel } = props;
  const [code, setCode] = useState('');
  const field = useInitialFocus<HTMLInputElement>();
  const isEmpty = code.trim() === '';
  const canSubmit = !isEmpty || emptyAction !== undefined;
  const isWrong = error instanceof ApiError && error.code === 'wrong_code';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!pending && canSubmit) onSubmit(code);
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        {children}
        <TextInput
          ref={field}
          data-autofocus
          label="Code"
          description={description}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
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
        <Button
          type="submit"
          variant="filled"
          color={destructive ? 'danger' : 'accent'}
          disabled={!canSubmit}
          loading={pending}
        >
          {isEmpty ? (emptyAction ?? action) : action}
        </Button>
      </div>
    </form>
  );
}

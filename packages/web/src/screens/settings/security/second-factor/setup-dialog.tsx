import { Button, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useOneAtATime } from '../../../../api/query/one-at-a-time.ts';
import { ApiError, sentenceOf } from '../../../../api/session/api-error.ts';
import { ErrorState } from '../../../../ui/states/error-state.tsx';
import keys from '../../api-keys/api-keys.module.css';
import { Copyable } from '../../api-keys/copyable.tsx';
import { CodeForm } from './code-form.tsx';
import { FactorModal } from './factor-modal.tsx';
import { QrCode } from './qr-code.tsx';
import { useConfirmAuthenticator, useStartAuthenticator } from './queries.ts';
import classes from './second-factor.module.css';

/** Characters of a group, as apps show a secret to type. */
const GROUP = /.{4}/g;

export type SetupDialogProps = { opened: boolean; onClose: () => void };

/** Adds an authenticator app: the password, the QR code with the first code, the recovery codes. */
export function SetupDialog({ opened, onClose }: SetupDialogProps) {
  const start = useOneAtATime(useStartAuthenticator());
  const confirm = useOneAtATime(useConfirmAuthenticator());
  const setup = start.data;
  return (
    <FactorModal
      opened={opened}
      title="Add an authenticator app"
      codes={confirm.data?.recovery_codes ?? null}
      pending={confirm.isPending}
      onClose={onClose}
      onClosed={() => {
        start.reset();
        confirm.reset();
      }}
    >
      {setup === undefined ? (
        <PasswordStep start={start} onCancel={onClose} />
      ) : (
        <CodeForm
          description="The 6 digits that the app shows now."
          action="Add"
          pending={confirm.isPending}
          error={confirm.error}
          onSubmit={(code) => confirm.mutate(code)}
          onCancel={onClose}
        >
          <p className={classes.note}>
            Scan the QR code with your authenticator app, then enter the code that it shows.
          </p>
          <QrCode text={setup.uri} label="QR code for your authenticator app" />
          <Copyable
            label="Setup key, if the app cannot scan"
            text={setup.secret.match(GROUP)?.join(' ') ?? setup.secret}
            onCopied={() => undefined}
          />
        </CodeForm>
      )}
    </FactorModal>
  );
}

type PasswordStepProps = { start: ReturnType<typeof useStartAuthenticator>; onCancel: () => void };

function PasswordStep({ start, onCancel }: PasswordStepProps) {
  const [password, setPassword] = useState('');
  const { error } = start;
  const isWrong = error instanceof ApiError && error.code === 'wrong_password';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password !== '') start.mutate(password);
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <p className={classes.note}>
          You need an app that shows codes, such as Aegis, 1Password or Google Authenticator. When it is
          added, your other devices are signed out.
        </p>
        <PasswordInput
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
        <Button onClick={onCancel} disabled={start.isPending}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" disabled={password === ''} loading={start.isPending}>
          Continue
        </Button>
      </div>
    </form>
  );
}

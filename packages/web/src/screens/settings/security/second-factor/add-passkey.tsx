import { Button, Stack, TextInput } from '@mantine/core';
import { type PasskeySetup, passkeyName } from '@winnow/contract/passkey';
import type { SecondFactors } from '@winnow/contract/second-factor';
import { type FormEvent, useState } from 'react';
import { useOneAtATime } from '../../../../api/query/one-at-a-time.ts';
import { useInitialFocus } from '../../../../ui/dialogs/use-initial-focus.ts';
import { ErrorState } from '../../../../ui/states/error-state.tsx';
import keys from '../../api-keys/api-keys.module.css';
import { FactorDialog } from './factor-dialog.tsx';
import { hasFactor } from './factor-texts.ts';
import { ProofForm } from './proof-form.tsx';
import { useAddPasskey, useStartPasskey } from './queries.ts';
import classes from './second-factor.module.css';

export type PasskeyDialogProps = {
  opened: boolean;
  factors: SecondFactors;
  onClose: () => void;
  onClosed: () => void;
  onError: (error: Error) => void;
};

/** Adds a passkey: the proof, the name with the browser's dialog, the recovery codes. */
export function AddPasskey({ opened, factors, onClose, onClosed, onError }: PasskeyDialogProps) {
  const start = useOneAtATime(useStartPasskey());
  const add = useOneAtATime(useAddPasskey());
  const setup = start.data;
  return (
    <FactorDialog
      opened={opened}
      title="Add a passkey"
      codes={add.data?.recovery_codes ?? null}
      pending={add.isPending}
      onClose={onClose}
      onClosed={() => {
        start.reset();
        add.reset();
        onClosed();
      }}
    >
      {setup === undefined ? (
        <ProofForm
          factors={factors}
          action="Continue"
          pending={start.isPending}
          error={start.error}
          onSubmit={(proof) => start.mutate(proof, { onError })}
          onCancel={onClose}
        >
          <p className={classes.note}>
            {hasFactor(factors)
              ? 'First confirm that it is you.'
              : 'From then on, signing in with your password also needs a passkey or a recovery code. Your other devices are signed out.'}
          </p>
        </ProofForm>
      ) : (
        <NameStep
          setup={setup}
          pending={add.isPending}
          error={add.error}
          onCreate={(name) =>
            add.mutate(
              { name, options: setup.options },
              {
                onError,
                onSuccess: ({ recovery_codes }) => {
                  if (recovery_codes === null) onClose();
                },
              },
            )
          }
          onCancel={onClose}
        />
      )}
    </FactorDialog>
  );
}

type NameStepProps = {
  setup: PasskeySetup;
  pending: boolean;
  error: Error | null;
  onCreate: (name: string) => void;
  onCancel: () => void;
};

function NameStep({ setup, pending, error, onCreate, onCancel }: NameStepProps) {
  const [name, setName] = useState(setup.suggested_name);
  const [problem, setProblem] = useState<string | null>(null);
  const field = useInitialFocus<HTMLInputElement>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const checked = passkeyName.safeParse(name);
    setProblem(checked.error?.issues[0]?.message ?? null);
    if (checked.success && !pending) onCreate(checked.data);
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <p className={classes.note}>Your browser asks next where to store the passkey.</p>
        <TextInput
          ref={field}
          label="Name"
          description="So that you recognize the passkey in the list."
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problem}
        />
      </Stack>
      {error === null ? null : (
        <div className={keys.failure}>
          <ErrorState error={error} />
        </div>
      )}
      <div className={keys.buttons}>
        <Button onClick={onCancel} disabled={pending}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" loading={pending}>
          Create passkey
        </Button>
      </div>
    </form>
  );
}

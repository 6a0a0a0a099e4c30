import { TextInput } from '@mantine/core';
import { type Passkey, passkeyName } from '@winnow/contract/passkey';
import { useState } from 'react';
import { useOneAtATime } from '../../../../api/query/one-at-a-time.ts';
import type { PasskeyDialogProps } from './add-passkey.tsx';
import { FactorDialog } from './factor-dialog.tsx';
import { ProofForm } from './proof-form.tsx';
import { useRemovePasskey, useRenamePasskey } from './queries.ts';
import classes from './second-factor.module.css';

type Props = PasskeyDialogProps & { passkey: Passkey };

/** Renames a passkey. */
export function RenamePasskey({ opened, factors, passkey, onClose, onClosed, onError }: Props) {
  const rename = useOneAtATime(useRenamePasskey());
  const [name, setName] = useState(passkey.name);
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <FactorDialog
      opened={opened}
      title="Rename the passkey"
      codes={null}
      pending={rename.isPending}
      onClose={onClose}
      onClosed={() => {
        rename.reset();
        setName(passkey.name);
        setProblem(null);
        onClosed();
      }}
    >
      <ProofForm
        factors={factors}
        action="Rename"
        pending={rename.isPending}
        error={rename.error}
        onSubmit={(proof) => {
          const checked = passkeyName.safeParse(name);
          setProblem(checked.error?.issues[0]?.message ?? null);
          if (!checked.success) return;
          rename.mutate({ id: passkey.id, name: checked.data, proof }, { onError, onSuccess: onClose });
        }}
        onCancel={onClose}
      >
        <TextInput
          label="Name"
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problem}
        />
      </ProofForm>
    </FactorDialog>
  );
}

/** Removes a passkey. */
export function RemovePasskey(props: Props & { onRemoved: () => void }) {
  const { opened, factors, passkey, onClose, onClosed, onError, onRemoved } = props;
  const remove = useOneAtATime(useRemovePasskey());
  const isLast = factors.passkeys.length === 1 && factors.authenticator_added_at === null;
  return (
    <FactorDialog
      opened={opened}
      title="Remove the passkey"
      codes={null}
      pending={remove.isPending}
      onClose={onClose}
      onClosed={() => {
        remove.reset();
        onClosed();
      }}
    >
      <ProofForm
        factors={factors}
        action="Remove"
        destructive
        pending={remove.isPending}
        error={remove.error}
        onSubmit={(proof) => remove.mutate({ id: passkey.id, proof }, { onError, onSuccess: onRemoved })}
        onCancel={onClose}
      >
        <p className={classes.note}>
          <strong>{passkey.name}</strong> stops working. Delete it in your device or password manager too.
          {isLast ? ' Signing in then needs the password only. The recovery codes stop working.' : ''}
        </p>
      </ProofForm>
    </FactorDialog>
  );
}

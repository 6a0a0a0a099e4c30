import type { SecondFactors } from '@winnow/contract/second-factor';
import { useOneAtATime } from '../../../../api/query/one-at-a-time.ts';
import { Copyable } from '../../api-keys/copyable.tsx';
import { CodeForm } from './code-form.tsx';
import { FactorDialog } from './factor-dialog.tsx';
import { ProofForm } from './proof-form.tsx';
import { QrCode } from './qr-code.tsx';
import { useConfirmAuthenticator, useStartAuthenticator } from './queries.ts';
import classes from './second-factor.module.css';

/** Characters of a group, as apps show a secret to type. */
const GROUP_CHARS = 4;

export type SetupDialogProps = {
  opened: boolean;
  factors: SecondFactors;
  onClose: () => void;
  onClosed: () => void;
  onError: (error: Error) => void;
};

/** Adds an authenticator app: the proof, the QR code with the first code, the recovery codes. */
export function SetupDialog({ opened, factors, onClose, onClosed, onError }: SetupDialogProps) {
  const start = useOneAtATime(useStartAuthenticator());
  const confirm = useOneAtATime(useConfirmAuthenticator());
  const setup = start.data;
  return (
    <FactorDialog
      opened={opened}
      title="Add an authenticator app"
      codes={confirm.data?.recovery_codes ?? null}
      pending={confirm.isPending}
      onClose={onClose}
      onClosed={() => {
        start.reset();
        confirm.reset();
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
            You need an app that shows codes, such as Aegis, 1Password or Google Authenticator. When it is
            added, your other devices are signed out.
          </p>
        </ProofForm>
      ) : (
        <CodeForm
          description="The 6 digits that the app shows now."
          action="Add"
          pending={confirm.isPending}
          error={confirm.error}
          onSubmit={(code) =>
            confirm.mutate(code, {
              onError,
              onSuccess: ({ recovery_codes }) => {
                if (recovery_codes === null) onClose();
              },
            })
          }
          onCancel={onClose}
        >
          <p className={classes.note}>
            Scan the QR code with your authenticator app, then enter the code that it shows.
          </p>
          <QrCode text={setup.uri} label="QR code for your authenticator app" />
          <Copyable
            label="Setup key, if the app cannot scan"
            text={setup.secret}
            groupChars={GROUP_CHARS}
            onCopied={() => undefined}
          />
        </CodeForm>
      )}
    </FactorDialog>
  );
}

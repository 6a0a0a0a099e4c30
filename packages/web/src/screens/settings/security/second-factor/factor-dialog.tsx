import type { ReactNode } from 'react';
import { SecretDialog } from '../../api-keys/secret-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const CODES_LOST = {
  question: 'Leave without the recovery codes? They are only shown once.',
  keep: 'Stay',
  discard: 'Leave',
};

export type FactorDialogProps = {
  opened: boolean;
  title: string;
  /** Recovery codes to show instead of the form; null before there are any. */
  codes: readonly string[] | null;
  /** True while a request runs whose response may contain new codes. */
  pending: boolean;
  onClose: () => void;
  /** Called after the closing animation. */
  onClosed: () => void;
  /** The form that leads to the codes. */
  children: ReactNode;
};

/** A dialog about a second factor, which may end with recovery codes that are shown once. */
export function FactorDialog({ codes, ...props }: FactorDialogProps) {
  return (
    <SecretDialog
      {...props}
      width={440}
      secret={
        codes && { title: 'Your recovery codes', show: (on) => <RecoveryCodes codes={codes} {...on} /> }
      }
      texts={CODES_LOST}
    />
  );
}

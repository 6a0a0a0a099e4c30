import { Button, TextInput } from '@mantine/core';
import type { ResolutionPayload } from '@winnow/contract/change';
import { useState } from 'react';
import dialog from '../../../features/write-dialog/write-dialog.module.css';
import { useInitialFocus } from '../../../ui/dialogs/use-initial-focus.ts';
import classes from './resolve-dialog.module.css';
import type { Resolving } from './use-resolve.ts';

/** Maximum characters of a reason, as in the ledger. */
const MAX_REASON_CHARS = 2_000;

export type ProposeFormProps = {
  /** The resolution with the hashes of the preview; null without a current preview. */
  payload: ResolutionPayload | null;
  resolving: Resolving;
  onCancel: () => void;
};

/** Form that proposes a resolution for approval, with an optional reason. */
export function ProposeForm({ payload, resolving, onCancel }: ProposeFormProps) {
  const [reason, setReason] = useState('');
  const first = useInitialFocus<HTMLInputElement>();
  const trimmed = reason.trim();
  return (
    <div className={dialog.footer}>
      <TextInput
        ref={first}
        className={classes.reason ?? ''}
        label="Reason (optional)"
        placeholder="Shown to the approver"
        maxLength={MAX_REASON_CHARS}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Button onClick={onCancel} disabled={resolving.pending}>
        Cancel
      </Button>
      <Button
        variant="filled"
        className={dialog.confirm ?? ''}
        disabled={payload === null && !resolving.pending}
        loading={resolving.pending}
        onClick={() => {
          if (payload !== null) resolving.propose(trimmed === '' ? payload : { ...payload, reason: trimmed });
        }}
      >
        Propose
      </Button>
    </div>
  );
}

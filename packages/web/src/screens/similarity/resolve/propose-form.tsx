import { Button, TextInput } from '@mantine/core';
import type { ResolutionPayload } from '@winnow/contract/change';
import { useState } from 'react';
import dialog from '../../../features/write-dialog/write-dialog.module.css';
import { useInitialFocus } from '../../../ui/dialogs/use-initial-focus.ts';
import classes from './resolve-dialog.module.css';
import type { Resolving } from './use-resolve.ts';

/** As long as the ledger takes it. */
const LONGEST_REASON = 2_000;

export type ProposeFormProps = {
  /** With the hashes of the preview; null while there is none that is current. */
  payload: ResolutionPayload | null;
  resolving: Resolving;
  onCancel: () => void;
};

/** Leaves a decision to somebody else, with a word on why. */
export function ProposeForm({ payload, resolving, onCancel }: ProposeFormProps) {
  const [reason, setReason] = useState('');
  const first = useInitialFocus<HTMLInputElement>();
  const said = reason.trim();
  return (
    <div className={dialog.footer}>
      <TextInput
        ref={first}
        className={classes.reason ?? ''}
        label="Reason (optional)"
        placeholder="For whoever approves it"
        maxLength={LONGEST_REASON}
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
          if (payload !== null) resolving.propose(said === '' ? payload : { ...payload, reason: said });
        }}
      >
        Propose
      </Button>
    </div>
  );
}

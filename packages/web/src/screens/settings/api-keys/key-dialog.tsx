import type { CreatedApiKey } from '@winnow/contract/api-key';
import { useState } from 'react';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { CreateKey } from './create-key.tsx';
import { NewKey } from './new-key.tsx';
import { useCreateApiKey } from './queries.ts';
import { SecretDialog } from './secret-dialog.tsx';

const KEY_LOST = {
  question: 'Leave without the key? It is only shown once.',
  keep: 'Stay',
  discard: 'Leave',
};

export type KeyDialogProps = {
  opened: boolean;
  onClose: () => void;
  /** Called after the closing animation. */
  onClosed: () => void;
};

/**
 * Dialog that creates an API key and shows it once. It closes only after the user copied the key,
 * pressed Done, or confirmed to leave without the key.
 */
export function KeyDialog({ opened, onClose, onClosed }: KeyDialogProps) {
  const creation = useOneAtATime(useCreateApiKey());
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  return (
    <SecretDialog
      opened={opened}
      title="Create API Key"
      width={520}
      pending={creation.isPending}
      secret={created && { title: 'Your new API key', show: (on) => <NewKey created={created} {...on} /> }}
      texts={KEY_LOST}
      onClose={onClose}
      onClosed={() => {
        setCreated(null);
        creation.reset();
        onClosed();
      }}
    >
      <CreateKey creation={creation} onCreated={setCreated} onClose={onClose} />
    </SecretDialog>
  );
}

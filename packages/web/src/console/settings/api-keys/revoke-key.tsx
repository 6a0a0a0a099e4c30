import type { ApiKey } from '@winnow/contract/api-key';
import { useOneAtATime } from '../../../app/one-at-a-time.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import classes from './api-keys.module.css';
import { useRevokeApiKey } from './queries.ts';

export type RevokeKeyProps = {
  opened: boolean;
  /** Stays set while the dialog closes. */
  apiKey: ApiKey | null;
  onClose: () => void;
  /** After the key is gone, and with it the button that opened the dialog. */
  onRevoked: () => void;
};

/** Asks before a key ends. */
export function RevokeKey({ opened, apiKey, onClose, onRevoked }: RevokeKeyProps) {
  const revocation = useOneAtATime(useRevokeApiKey());
  function close(): void {
    revocation.reset();
    onClose();
  }
  return (
    <ConfirmDialog
      opened={opened && apiKey !== null}
      title="Revoke API key"
      confirmLabel="Revoke"
      destructive
      pending={revocation.isPending}
      error={revocation.error}
      onClose={close}
      onConfirm={() => {
        if (apiKey === null) return;
        revocation.mutate(apiKey, {
          onSuccess: () => {
            close();
            onRevoked();
          },
        });
      }}
    >
      <p>Are you sure you want to revoke this API key?</p>
      <p className={classes.consequence}>
        {apiKey?.name} (<code>{apiKey?.prefix}…</code>) stops working at once, and cannot be brought back.
      </p>
    </ConfirmDialog>
  );
}

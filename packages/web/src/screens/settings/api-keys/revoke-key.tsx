import type { ApiKey } from '@winnow/contract/api-key';
import { RemovalDialog, type RemovalProps } from '../../../ui/dialogs/removal-dialog.tsx';
import forms from '../form.module.css';
import { useRevokeApiKey } from './queries.ts';

/** Asks before a key is revoked. */
export function RevokeKey(props: RemovalProps<ApiKey>) {
  const apiKey = props.item;
  return (
    <RemovalDialog {...props} title="Revoke API key" confirmLabel="Revoke" removal={useRevokeApiKey()}>
      <p>Are you sure you want to revoke this API key?</p>
      <p className={forms.consequence}>
        {apiKey?.name} (<code>{apiKey?.prefix}…</code>) stops working immediately and cannot be restored.
      </p>
    </RemovalDialog>
  );
}

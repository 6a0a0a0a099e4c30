import { Button } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import type { ApiKey } from '@winnow/contract/api-key';
import { useState } from 'react';
import { ConfirmFirst, useMustConfirmEmail } from '../../../features/account/confirm-first.tsx';
import { SettingsPage } from '../../../features/settings/settings-page.tsx';
import { PermissionNotice, usePermission } from '../../../features/workspaces/permission.tsx';
import { Card } from '../../../ui/card.tsx';
import { RemovalDialog, type RemovalProps } from '../../../ui/dialogs/removal-dialog.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../ui/states/skeletons.tsx';
import { useMovingButton } from '../../../ui/use-moving-button.ts';
import forms from '../form.module.css';
import classes from './api-keys.module.css';
import { KeyDialog } from './key-dialog.tsx';
import { KeyTable } from './key-table.tsx';
import { useApiKeys, useRevokeApiKey } from './queries.ts';

/** State of the dialog that revokes a key. The key stays set until the closing animation ends. */
type Revocation = { opened: boolean; item: ApiKey | null };

/** API Keys screen of the settings. */
export function ApiKeysScreen() {
  const { allowed, reason } = usePermission('manage');
  if (allowed) return <ManagedKeys />;
  return (
    <SettingsPage width="normal">
      <PermissionNotice reason={reason} />
    </SettingsPage>
  );
}

function ManagedKeys() {
  const keys = useApiKeys();
  const [creating, setCreating] = useState(false);
  const [revocation, setRevocation] = useState<Revocation>({ opened: false, item: null });
  const createButton = useMovingButton();
  const mustConfirm = useMustConfirmEmail();
  const list = keys.data;
  const create = (
    <Button
      ref={createButton.ref}
      variant="filled"
      leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
      disabled={mustConfirm}
      onClick={() => setCreating(true)}
    >
      Create API key
    </Button>
  );
  const connect = (
    <Button component="a" href="/docs#mcp">
      Connect a coding tool
    </Button>
  );

  return (
    <SettingsPage width="normal">
      <ConfirmFirst what="create API keys" />
      {keys.isError ? (
        <ErrorState
          error={keys.error}
          title="Failed to fetch API keys"
          onRetry={() => void keys.refetch()}
          retrying={keys.isFetching}
        />
      ) : null}
      {list === undefined ? (
        keys.isError ? null : (
          <Card>
            <Loading label="Loading API keys">
              <RowsSkeleton rows={3} />
            </Loading>
          </Card>
        )
      ) : list.length === 0 ? (
        <EmptyState
          icon={IconKey}
          title="No API keys yet"
          action={
            <span className={classes.starts}>
              {create}
              {connect}
            </span>
          }
        >
          With a key, scripts and MCP coding tools can search your backlog and propose or write changes,
          within the scopes you grant.
        </EmptyState>
      ) : (
        <>
          <div className={classes.bar}>
            {create}
            {connect}
          </div>
          <Card>
            <KeyTable keys={list} onRevoke={(item) => setRevocation({ opened: true, item })} />
          </Card>
        </>
      )}
      <KeyDialog opened={creating} onClose={() => setCreating(false)} onClosed={createButton.focus} />
      <RevokeKey
        {...revocation}
        onClose={() => setRevocation({ ...revocation, opened: false })}
        onRemoved={createButton.focus}
      />
    </SettingsPage>
  );
}

/** Asks for confirmation before revoking a key. */
function RevokeKey(props: RemovalProps<ApiKey>) {
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

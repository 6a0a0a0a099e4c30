import { Button } from '@mantine/core';
import { IconPlus, IconTools } from '@tabler/icons-react';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import type { McpServer } from '@winnow/contract/mcp-server';
import { useState } from 'react';
import { useCheckServer, useMcpServers } from '../../../features/mcp-servers/queries.ts';
import { SettingsPage } from '../../../features/settings/settings-page.tsx';
import { PermissionGate } from '../../../features/workspaces/permission.tsx';
import { Card } from '../../../ui/card.tsx';
import { TABLE_ROLES } from '../../../ui/data-list/table-roles.ts';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../ui/states/skeletons.tsx';
import { showToast } from '../../../ui/toasts/toast.tsx';
import { useMovingButton } from '../../../ui/use-moving-button.ts';
import table from '../settings-list.module.css';
import { DeleteServer } from './delete-server.tsx';
import classes from './mcp-servers.module.css';
import { ServerDialog } from './server-dialog.tsx';
import { ServerRow } from './server-row.tsx';

/** State of a dialog. The server stays set until the closing animation ends. */
type Dialog = { opened: boolean; server: McpServer | null };
const CLOSED_DIALOG: Dialog = { opened: false, server: null };

/** Shows a toast if a saved server does not work. */
function reportFailure({ id, name, status, status_message }: McpServer): void {
  if (status !== 'error') return;
  showToast({
    id,
    kind: 'failed',
    text: `${name} is stored, but it is failing. ${status_message ?? ''}`.trim(),
  });
}

/** MCP Servers screen of the settings: lists the servers whose tools flows can use. */
export function McpServersScreen() {
  const servers = useMcpServers();
  const check = useCheckServer();
  const [form, setForm] = useState(CLOSED_DIALOG);
  const [removal, setRemoval] = useState(CLOSED_DIALOG);
  const addButton = useMovingButton();
  const list = servers.data;
  const hasOwnOnly = list?.every(({ id }) => id === MCP_SERVER_NAME) === true;
  const add = (
    <Button
      ref={addButton.ref}
      variant="filled"
      leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
      onClick={() => setForm({ opened: true, server: null })}
    >
      Add server
    </Button>
  );

  return (
    <SettingsPage width="normal">
      <PermissionGate needs="manage" notice>
        {servers.isError ? (
          <ErrorState
            error={servers.error}
            title="Failed to fetch MCP servers"
            onRetry={() => void servers.refetch()}
            retrying={servers.isFetching}
          />
        ) : null}
        {check.isError ? <ErrorState error={check.error} title="The server could not be checked" /> : null}
        {list === undefined ? (
          servers.isError ? null : (
            <Card>
              <Loading label="Loading MCP servers">
                <RowsSkeleton rows={3} />
              </Loading>
            </Card>
          )
        ) : (
          <>
            {hasOwnOnly ? null : <div className={classes.bar}>{add}</div>}
            <Card>
              <table
                {...TABLE_ROLES.table}
                className={`${table.table} ${classes.columns}`}
                aria-label="MCP servers"
              >
                <thead {...TABLE_ROLES.group} className={table.head}>
                  <tr {...TABLE_ROLES.row} className={table.headRow}>
                    <th {...TABLE_ROLES.head}>Name</th>
                    <th {...TABLE_ROLES.head}>Status</th>
                    <th {...TABLE_ROLES.head}>Tools</th>
                    <th {...TABLE_ROLES.head}>
                      <span className="vh">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody {...TABLE_ROLES.group} className={table.body}>
                  {list.map((server) => (
                    <ServerRow
                      key={server.id}
                      server={server}
                      checking={check.isChecking(server.id)}
                      onCheck={() => check.mutate(server.id)}
                      onEdit={() => setForm({ opened: true, server })}
                      onDelete={() => setRemoval({ opened: true, server })}
                    />
                  ))}
                </tbody>
              </table>
            </Card>
            {hasOwnOnly ? (
              <EmptyState icon={IconTools} title="Flows can use tools of other servers too" action={add}>
                Add an MCP server, such as that of your wiki or your chat, and choose in a flow whether it may
                use its tools.
              </EmptyState>
            ) : null}
          </>
        )}
        <ServerDialog
          {...form}
          onClose={() => setForm({ ...form, opened: false })}
          onAddClosed={addButton.focus}
          onSaved={({ id }) => check.mutate(id, { onSuccess: reportFailure })}
        />
        <DeleteServer
          opened={removal.opened}
          item={removal.server}
          onClose={() => setRemoval({ ...removal, opened: false })}
          onRemoved={addButton.focus}
        />
      </PermissionGate>
    </SettingsPage>
  );
}

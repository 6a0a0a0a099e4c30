import type { McpServer } from '@winnow/contract/mcp-server';
import { useOneAtATime } from '../../../app/one-at-a-time.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import classes from './mcp-servers.module.css';
import { useDeleteServer, useFlowsUsing } from './queries.ts';

export type DeleteServerProps = {
  opened: boolean;
  /** Stays set while the dialog closes. */
  server: McpServer | null;
  onClose: () => void;
  /** After the server is gone, and with it the button that opened the dialog. */
  onDeleted: () => void;
};

/** Asks before a server and its secret are removed, and says which flows then lack its tools. */
export function DeleteServer({ opened, server, onClose, onDeleted }: DeleteServerProps) {
  const removal = useOneAtATime(useDeleteServer());
  function close(): void {
    removal.reset();
    onClose();
  }
  return (
    <ConfirmDialog
      opened={opened && server !== null}
      title="Delete MCP server"
      confirmLabel="Delete"
      destructive
      pending={removal.isPending}
      error={removal.error}
      onClose={close}
      onConfirm={() => {
        if (server === null) return;
        removal.mutate(server, {
          onSuccess: () => {
            close();
            onDeleted();
          },
        });
      }}
    >
      {server === null ? null : <Consequence server={server} />}
    </ConfirmDialog>
  );
}

/** What goes with the server. Which flows use it is asked for when the dialog opens. */
function Consequence({ server }: { server: McpServer }) {
  const flows = useFlowsUsing(server);
  return (
    <>
      <p>Are you sure you want to delete the MCP server "{server.name}"?</p>
      <p className={classes.consequence}>
        {server.has_secret ? 'Its secret goes with it. ' : ''}
        {flows === undefined ? '' : usedBy(flows)}
      </p>
    </>
  );
}

function usedBy(flows: readonly string[]): string {
  if (flows.length === 0) return 'No flow uses its tools.';
  return `${flows.length === 1 ? 'This flow uses' : 'These flows use'} its tools: ${flows.join(', ')}.`;
}

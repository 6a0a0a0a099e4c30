import type { McpServer } from '@winnow/contract/mcp-server';
import { useDeleteServer, useFlowsUsing } from '../../../features/mcp-servers/queries.ts';
import { RemovalDialog, type RemovalProps } from '../../../ui/dialogs/removal-dialog.tsx';
import forms from '../form.module.css';

/** Asks for confirmation before deleting an MCP server, and lists the flows that use its tools. */
export function DeleteServer(props: RemovalProps<McpServer>) {
  return (
    <RemovalDialog {...props} title="Delete MCP server" removal={useDeleteServer()}>
      {props.item === null ? null : <Consequence server={props.item} />}
    </RemovalDialog>
  );
}

/** States what is deleted with the server, and which flows use its tools. */
function Consequence({ server }: { server: McpServer }) {
  const flows = useFlowsUsing(server);
  return (
    <>
      <p>Are you sure you want to delete the MCP server "{server.name}"?</p>
      <p className={forms.consequence}>
        {server.has_secret ? 'Its secret is deleted too. ' : ''}
        {flows === undefined ? '' : usedBy(flows)}
      </p>
    </>
  );
}

function usedBy(flows: readonly string[]): string {
  if (flows.length === 0) return 'No flow uses its tools.';
  return `${flows.length === 1 ? 'This flow uses' : 'These flows use'} its tools: ${flows.join(', ')}.`;
}

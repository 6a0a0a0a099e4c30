import type { FlowDefinition } from '@winnow/contract/flow';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import { lackOf } from './check.ts';
import type { FlowRow } from './store.ts';

/** What of what a flow is bound to is there. */
export interface Found {
  tracker: { name: string; is_active: boolean } | null;
  hasOrganization: boolean;
  hasProject: boolean;
  hasModel: boolean;
  /** Names of the MCP servers. */
  servers: readonly string[];
}

/** On what a flow was not started last, and why; null where it missed nothing. */
export function missedOf({
  missed_at: at,
  missed_on: on,
}: Pick<FlowRow, 'missed_at' | 'missed_on'>): string | null {
  if (at === null) return null;
  const minute = at.toISOString().slice(0, 16).replace('T', ' ');
  return `It did not start on ${on} (${minute} UTC), as it took too long to look for the expressions that flows filter by. See in the preview which take long, and make them simpler.`;
}

/** Why a flow cannot start, in a sentence; null while it can. Whether it is switched on is another matter. */
export function problemOf(definition: FlowDefinition, found: Found): string | null {
  if (definition.trigger_event_source !== null) {
    if (found.tracker === null) return 'Its tracker was removed. Choose another one.';
    if (!found.tracker.is_active) return `Its tracker ${found.tracker.name} is switched off.`;
  }
  if (definition.trigger_organization_id !== null && !found.hasOrganization)
    return 'Its organization is not connected any more. Choose another one.';
  if (definition.trigger_project_id !== null && !found.hasProject)
    return 'Its project is not connected any more. Choose another one.';
  if (definition.ai_model_id !== null && !found.hasModel)
    return 'Its language model was removed. Choose another one, or the built-in analyst.';
  const gone = definition.allowed_mcp_servers.find(
    (name) => name !== MCP_SERVER_NAME && !found.servers.includes(name),
  );
  if (gone !== undefined) return `The MCP server “${gone}” was removed. Take it out of the flow’s tools.`;
  return lackOf(definition);
}

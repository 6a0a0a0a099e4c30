import type { ServerChange } from '../mcp-servers/service.ts';
import type { FlowRest } from '../schema/flow-tables.ts';
import type { Db } from '../schema/tables.ts';
import { listPresets, savePreset } from './preset-store.ts';
import { everyDefinition, saveDefinition } from './store.ts';

/**
 * Has an account's flows and presets follow what became of an MCP server: they know it by its new name; what they allow it
 * without asking is not handed on to another address, and nothing that they say of it to another server of its name. Pass
 * the transaction in which it becomes so.
 */
export async function followServer(db: Db, accountId: string, change: ServerChange): Promise<void> {
  for (const { id, definition } of await everyDefinition(db, accountId)) {
    const after = followed(definition, change);
    if (after !== null) await saveDefinition(db, accountId, id, after);
  }
  for (const { id, definition, created_at: createdAt } of await listPresets(db, accountId)) {
    const after = followed(definition, change);
    if (after !== null) await savePreset(db, accountId, id, after, createdAt);
  }
}

/** What a flow does from then on; null where that is what it did. A server that was removed stays named, so that the flow says so. */
function followed<Rest extends FlowRest>(rest: Rest, change: ServerChange): Rest | null {
  const { allowed_mcp_servers: servers, tool_policies: policies } = rest;
  const prefix = `${change.name}/`;
  const isNamed =
    servers.includes(change.name) || Object.keys(policies).some((key) => key.startsWith(prefix));
  if (!isNamed) return null;
  return {
    ...rest,
    allowed_mcp_servers:
      change.became === 'renamed'
        ? servers.map((name) => (name === change.name ? change.to : name))
        : servers,
    tool_policies: Object.fromEntries(
      Object.entries(policies).flatMap(([key, policy]): [string, typeof policy][] => {
        if (!key.startsWith(prefix)) return [[key, policy]];
        if (change.became === 'removed') return [];
        if (change.became === 'renamed') return [[`${change.to}/${key.slice(prefix.length)}`, policy]];
        return policy === 'allow' ? [] : [[key, policy]];
      }),
    ),
  };
}

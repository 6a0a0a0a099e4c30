import type { ServerChange } from '../mcp-servers/index.ts';
import type { StoredDefinition } from '../schema/flow-tables.ts';
import type { Db } from '../schema/tables.ts';
import { listPresets, savePreset } from './preset-store.ts';
import { listDefinitions, saveDefinition } from './store.ts';

/**
 * Updates all flows and presets that refer to a changed MCP server. Call it in the transaction of
 * the change.
 *
 * Renaming a server renames it in the flows. A new address removes permissions to call the server's
 * tools without approval. Removing a server removes all policies for its tools.
 */
export async function updateServerReferences(db: Db, accountId: string, change: ServerChange): Promise<void> {
  for (const { id, definition } of await listDefinitions(db, accountId)) {
    const after = followed(definition, change);
    if (after !== null) await saveDefinition(db, accountId, id, after);
  }
  for (const { id, definition, created_at: createdAt } of await listPresets(db, accountId)) {
    const after = followed(definition, change);
    if (after !== null) await savePreset(db, accountId, id, after, createdAt);
  }
}

/**
 * Returns the updated definition; null if it does not refer to the server. A removed server remains
 * named in it, so that the flow reports the problem.
 */
function followed<Rest extends StoredDefinition>(rest: Rest, change: ServerChange): Rest | null {
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

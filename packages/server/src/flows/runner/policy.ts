import { type FlowDefinition, type ToolPolicy, usualPolicy, type WriteMode } from '@winnow/contract/flow';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';

/** A tool as a flow's policies see it. */
export interface ToolFacts {
  server: string;
  name: string;
  /** It changes nothing; of an outside tool what its server says. */
  isReading: boolean;
}

/** A flow's policy for a tool: what was chosen; else allowed, but for outside tools that may write, which ask. */
export function policyOf(
  policies: FlowDefinition['tool_policies'],
  { server, name, isReading }: ToolFacts,
): ToolPolicy {
  const key = `${server}/${name}`;
  const chosen = Object.hasOwn(policies, key) ? policies[key] : undefined;
  return chosen ?? usualPolicy({ isOwn: server === MCP_SERVER_NAME, isReading });
}

/**
 * What becomes of a call: `run` it as it is; write through the ledger at once (`apply`) or for somebody to approve
 * (`propose`); only say what would have been (`pretend`); or refuse it (`deny`).
 */
export type Fate = 'run' | 'apply' | 'propose' | 'pretend' | 'deny';

/** What becomes of a call of one of our own tools. `isInside`: all that it would write to is in the event's project. */
export function fateOfOurs(
  tool: ToolFacts,
  policy: ToolPolicy,
  { isInside, writeMode, dryRun }: { isInside: boolean; writeMode: WriteMode; dryRun: boolean },
): Fate {
  if (policy === 'deny') return 'deny';
  if (tool.isReading) return 'run';
  if (dryRun) return 'pretend';
  return policy === 'allow' && isInside && writeMode === 'apply' ? 'apply' : 'propose';
}

/** What becomes of a call of an outside tool, which no ledger can take back. */
export function fateOfOutside(
  tool: ToolFacts,
  policy: ToolPolicy,
  { dryRun }: { dryRun: boolean },
): Exclude<Fate, 'apply'> {
  if (policy === 'deny') return 'deny';
  if (policy === 'allow' && (tool.isReading || !dryRun)) return 'run';
  return dryRun ? 'pretend' : 'propose';
}

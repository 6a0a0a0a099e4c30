import { defaultPolicy, type FlowDefinition, type ToolPolicy, type WriteMode } from '@winnow/contract/flow';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';

/** Facts about a tool that determine its policy. */
export interface ToolFacts {
  server: string;
  name: string;
  /** True if the tool changes nothing. For an external tool, this is what its server claims. */
  isReading: boolean;
}

/**
 * Returns the flow's policy for a tool. By default, Winnow's own tools and external tools that only
 * read are allowed. Other external tools require approval.
 */
export function policyOf(
  policies: FlowDefinition['tool_policies'],
  { server, name, isReading }: ToolFacts,
): ToolPolicy {
  const key = `${server}/${name}`;
  const chosen = Object.hasOwn(policies, key) ? policies[key] : undefined;
  return chosen ?? defaultPolicy({ isOwn: server === MCP_SERVER_NAME, isReading });
}

/**
 * Decision about a call. `run`: execute it as requested. `apply` or `propose`: write through the
 * ledger. `pretend`: only simulate it. `deny`: refuse it.
 */
export type CallDecision = 'run' | 'apply' | 'propose' | 'pretend' | 'deny';

/**
 * Decides about a call of one of Winnow's own tools. `isInside` is true if all its targets are in
 * the project of the event.
 */
export function decideOwnCall(
  tool: ToolFacts,
  policy: ToolPolicy,
  { isInside, writeMode, dryRun }: { isInside: boolean; writeMode: WriteMode; dryRun: boolean },
): CallDecision {
  if (policy === 'deny') return 'deny';
  if (tool.isReading) return 'run';
  if (dryRun) return 'pretend';
  return policy === 'allow' && isInside && writeMode === 'apply' ? 'apply' : 'propose';
}

/** Decides about a call of an external tool. The ledger cannot undo such a call. */
export function decideExternalCall(
  tool: ToolFacts,
  policy: ToolPolicy,
  { dryRun }: { dryRun: boolean },
): Exclude<CallDecision, 'apply'> {
  if (policy === 'deny') return 'deny';
  if (policy === 'allow' && (tool.isReading || !dryRun)) return 'run';
  return dryRun ? 'pretend' : 'propose';
}

import { defaultPolicy, type FlowDefinition, type ToolPolicy, type WriteMode } from '@winnow/contract/flow';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';

/** The facts about a tool that determine its policy. */
export interface ToolFacts {
  server: string;
  name: string;
  /** True if it changes nothing; for external tools, according to their server. */
  isReading: boolean;
}

/**
 * Returns the policy of a flow for a tool. By default, tools are allowed, except external tools
 * that may write, which require approval.
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
 * Outcome of a call: `run` it unchanged; `apply` or `propose` its write through the ledger; only
 * `pretend`; or `deny` it.
 */
export type CallDecision = 'run' | 'apply' | 'propose' | 'pretend' | 'deny';

/**
 * Decides what happens to a call of Winnow's own tools. `isInside` is true if all targets are in
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

/** Decides what happens to a call of an external tool, which the ledger cannot undo. */
export function decideExternalCall(
  tool: ToolFacts,
  policy: ToolPolicy,
  { dryRun }: { dryRun: boolean },
): Exclude<CallDecision, 'apply'> {
  if (policy === 'deny') return 'deny';
  if (policy === 'allow' && (tool.isReading || !dryRun)) return 'run';
  return dryRun ? 'pretend' : 'propose';
}

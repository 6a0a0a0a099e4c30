import type { FlowDefinition } from '@winnow/contract/flow';

/** Prefix of Winnow's own tools. Their writes follow the write mode of the flow. */
const OWN_SERVER = 'winnow/';

/**
 * Returns a definition whose writes all wait for approval, for a flow whose owner may not write
 * anymore.
 */
export function withoutWrites<D extends Pick<FlowDefinition, 'write_mode' | 'tool_policies'>>(
  definition: D,
): D {
  const policies = Object.entries(definition.tool_policies).map(
    ([tool, policy]) => [tool, policy === 'allow' ? 'ask' : policy] as const,
  );
  return { ...definition, write_mode: 'propose', tool_policies: Object.fromEntries(policies) };
}

/**
 * True if a flow may write without approval: to trackers, or with external tools that it may call.
 * External tools always count as writing, because only their server knows what they do.
 */
export function mayWriteUnapproved({
  write_mode,
  tool_policies,
}: Pick<FlowDefinition, 'write_mode' | 'tool_policies'>): boolean {
  const allowsOutsideTool = Object.entries(tool_policies).some(
    ([tool, policy]) => policy === 'allow' && !tool.startsWith(OWN_SERVER),
  );
  return write_mode === 'apply' || allowsOutsideTool;
}

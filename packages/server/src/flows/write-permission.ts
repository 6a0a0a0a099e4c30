import type { FlowDefinition } from '@winnow/contract/flow';

/** Prefix of Winnow's own tools. Their writes follow the write mode of the flow. */
const OWN_SERVER = 'winnow/';

/**
 * True if a flow may write to trackers, or call external tools, without approval. External tools
 * count as writing, because only their server knows their effect.
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

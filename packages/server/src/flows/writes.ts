import type { FlowDefinition } from '@winnow/contract/flow';

/** The server of our own tools, whose writes follow the flow's write mode. */
const OWN_SERVER = 'winnow/';

/**
 * True if a flow may write without approval: to trackers, or with tools of other MCP servers that it is allowed to call. Such
 * a tool may only read; the flow counts as writing all the same, because only its server could tell.
 */
export function writesUnapproved({
  write_mode,
  tool_policies,
}: Pick<FlowDefinition, 'write_mode' | 'tool_policies'>): boolean {
  const allowsOutsideTool = Object.entries(tool_policies).some(
    ([tool, policy]) => policy === 'allow' && !tool.startsWith(OWN_SERVER),
  );
  return write_mode === 'apply' || allowsOutsideTool;
}

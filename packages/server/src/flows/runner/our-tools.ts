import type { ActionTaken } from '@winnow/contract/flow';
import {
  FLOW_TOOLS,
  type FlowToolName,
  MCP_TOOLS,
  type WritingTool,
  type Written,
} from '@winnow/contract/mcp';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import type { Target } from '../../agent-tools/write-target.ts';

export function isFlowTool(name: string): name is FlowToolName {
  return FLOW_TOOLS.some((tool) => tool === name);
}

/** One of our own tools as the record calls it. */
export function labelOf(name: FlowToolName): string {
  return `${MCP_SERVER_NAME}/${name}`;
}

function pretendedText(name: WritingTool): string {
  return `${MCP_TOOLS[name].title}: nothing was written, since this is a dry run.`;
}

/** What a writing tool would have done in a dry run, as it answers. */
export function pretendedAnswer(name: WritingTool, { key }: Target): Written {
  return {
    status: 'proposed',
    summary: `${pretendedText(name)} Go on as if it was proposed.`,
    ...(key === null ? {} : { issue_key: key }),
  };
}

/** What a call would have done in a dry run, for the list of what the execution did. */
export function pretendedAction(label: string, name: WritingTool, { key }: Target): ActionTaken {
  return { action: label, target_key: key, summary: pretendedText(name), change_id: null };
}

import type { ActionTaken } from '@winnow/contract/flow';
import {
  FLOW_TOOLS,
  type FlowToolName,
  MCP_TOOLS,
  type WritingTool,
  type Written,
} from '@winnow/contract/mcp';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import type { Target } from '../../agent-tools/index.ts';

export function isFlowTool(name: string): name is FlowToolName {
  return FLOW_TOOLS.some((tool) => tool === name);
}

/** Returns the name of one of Winnow's tools for logs, such as `winnow/get_issue`. */
export function labelOf(name: FlowToolName): string {
  return `${MCP_SERVER_NAME}/${name}`;
}

function pretendedText(name: WritingTool): string {
  return `${MCP_TOOLS[name].title}: nothing was written because this is a dry run.`;
}

/** Returns the result that a writing tool has in a dry run. */
export function dryRunResult(name: WritingTool, { key }: Target): Written {
  return {
    status: 'proposed',
    summary: `${pretendedText(name)} Continue as if it was proposed.`,
    ...(key === null ? {} : { issue_key: key }),
  };
}

/** Describes the simulated effect of a call, for the list of actions of a dry run. */
export function dryRunAction(label: string, name: WritingTool, { key }: Target): ActionTaken {
  return { action: label, target_key: key, summary: pretendedText(name), change_id: null };
}

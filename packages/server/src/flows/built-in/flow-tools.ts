import type {
  FlowToolName,
  MCP_SCHEMAS,
  McpOutput,
  McpToolName,
  ReadingTool,
  WritingTool,
  Written,
} from '@winnow/contract/mcp';
import type { z } from 'zod';

/** What a tool is given; what may be left out may be left out. */
export type ToolInput<T extends McpToolName> = z.input<(typeof MCP_SCHEMAS)[T]['input']>;

/**
 * What an execution may do with our own tools, within the flow's policies: each use is written into the execution's log. Null
 * where the flow's policy denies the tool.
 *
 * @throws {AppError} when the tool cannot do it.
 */
export interface FlowTools {
  /** Whether the flow's policy lets the tool be used at all. */
  may(tool: FlowToolName): boolean;
  read<T extends ReadingTool>(tool: T, input: ToolInput<T>): Promise<McpOutput<T> | null>;
  /**
   * Writes through the ledger in the flow's name. `about` says what of: the same is not written twice by one tool and action,
   * should the execution be begun again. In a dry run nothing is written: what would be is logged and answered as proposed,
   * without a change. `tellsOf`: the projects whose issues the text tells of; one that tells of another than the event's is
   * proposed, whatever the flow may do.
   */
  write<T extends WritingTool>(
    tool: T,
    input: ToolInput<T>,
    about: string,
    tellsOf?: readonly string[],
  ): Promise<Written | null>;
}

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

/** Arguments of a tool before defaults are applied. */
export type ToolInput<T extends McpToolName> = z.input<(typeof MCP_SCHEMAS)[T]['input']>;

/**
 * Access of an execution to Winnow's own tools, within the policies of the flow. Each call is
 * logged. Results are null if the policy denies the tool.
 *
 * @throws {AppError} if the call fails
 */
export interface FlowTools {
  /** True if the policy of the flow allows the tool. */
  may(tool: FlowToolName): boolean;
  read<T extends ReadingTool>(tool: T, input: ToolInput<T>): Promise<McpOutput<T> | null>;
  /**
   * Writes through the ledger in the name of the flow.
   *
   * `about` identifies the target, so that a restarted execution does not write twice. In a dry
   * run, nothing is written, and the result is logged as proposed without a change. `tellsOf` lists
   * the projects whose issues the text mentions. If the text mentions another project, the change
   * is only proposed.
   */
  write<T extends WritingTool>(
    tool: T,
    input: ToolInput<T>,
    about: string,
    tellsOf?: readonly string[],
  ): Promise<Written | null>;
}

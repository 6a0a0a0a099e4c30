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

/** Arguments of a tool, before defaults are applied. */
export type ToolInput<T extends McpToolName> = z.input<(typeof MCP_SCHEMAS)[T]['input']>;

/**
 * Access of an execution to Winnow's own tools, within the policies of its flow. Each call is
 * logged. A call returns null if the policy denies the tool.
 *
 * @throws {AppError} if the call fails
 */
export interface FlowTools {
  /** True if the flow's policy allows the tool. */
  may(tool: FlowToolName): boolean;
  read<T extends ReadingTool>(tool: T, input: ToolInput<T>): Promise<McpOutput<T> | null>;
  /**
   * Writes through the ledger, with the flow as actor. In a dry run, writes nothing and logs the
   * write as proposed.
   *
   * `about` identifies the target, so that a restarted execution does not write twice. `tellsOf`
   * lists the projects whose issues the text mentions. If one of them is not the project of the
   * execution, the change is only proposed.
   */
  write<T extends WritingTool>(
    tool: T,
    input: ToolInput<T>,
    about: string,
    tellsOf?: readonly string[],
  ): Promise<Written | null>;
}

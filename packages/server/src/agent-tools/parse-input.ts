import { MCP_SCHEMAS, type McpInput, type McpToolName } from '@winnow/contract/mcp';
import type { z } from 'zod';
import { invalid } from '../platform/errors.ts';

const SCHEMAS: { readonly [T in McpToolName]: { input: z.ZodType<McpInput<T>> } } = MCP_SCHEMAS;

/**
 * Validates the arguments of a tool call and returns them.
 * @throws {AppError} `invalid` with a message that lists the problems
 */
export function parseInput<T extends McpToolName>(name: T, given: unknown): McpInput<T> {
  const { input }: { input: z.ZodType<McpInput<T>> } = SCHEMAS[name];
  const parsed = input.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  const message = `Invalid arguments. ${problems.join(' ')} Correct them and call again.`;
  throw invalid([{ path: '', message }]);
}

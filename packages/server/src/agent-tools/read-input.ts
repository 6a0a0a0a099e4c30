import { MCP_SCHEMAS, type McpInput, type McpToolName } from '@winnow/contract/mcp';
import type { z } from 'zod';
import { invalid } from '../platform/errors.ts';

const SCHEMAS: { readonly [T in McpToolName]: { input: z.ZodType<McpInput<T>> } } = MCP_SCHEMAS;

/** The arguments of a call of a tool. @throws {AppError} 422 with a sentence that says what is wrong with them */
export function readInput<T extends McpToolName>(name: T, given: unknown): McpInput<T> {
  const { input }: { input: z.ZodType<McpInput<T>> } = SCHEMAS[name];
  const parsed = input.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  const message = `The arguments do not fit. ${problems.join(' ')} Call again with others.`;
  throw invalid([{ path: '', message }]);
}

import { MCP_SERVER_LIMITS } from '@winnow/contract/mcp-server';
import { z } from 'zod';
import { cleanOf, type McpConnection } from './connection.ts';
import { type Conversing, converse } from './converse.ts';
import { McpServerError } from './mcp-server-error.ts';
import type { OutsideAnswer } from './outside-tools.ts';
import { readAnswer } from './read-answer.ts';
import { type Listing, readTools } from './read-tools.ts';

const LIST_WITHIN_MS = 10_000;
const CALL_WITHIN_MS = 30_000;
/** Nobody has so many pages of tools; a server that never comes to an end is left then. */
const MOST_PAGES = 20;

/** Each tool is looked at for itself, so that one which is not as it should be does not take the others along. */
const toolsPage = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/**
 * Asks a server for its tools.
 *
 * @throws {McpServerError} when it does not list them in time.
 */
export function listTools(connection: McpConnection, way: Conversing): Promise<Listing> {
  return converse(connection, way, way.listWithinMs ?? LIST_WITHIN_MS, async (client, options) => {
    if (client.getServerCapabilities()?.tools === undefined) {
      throw new McpServerError(`${connection.name} is an MCP server without tools.`);
    }
    let listed: unknown[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < MOST_PAGES && listed.length <= MCP_SERVER_LIMITS.tools; pages += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const page = await client.request({ method: 'tools/list', params }, toolsPage, options);
      listed = [...listed, ...page.tools];
      if (page.nextCursor === undefined) break;
      cursor = page.nextCursor;
    }
    return readTools(listed, cleanOf(connection));
  });
}

/**
 * Has a server use one of its tools.
 *
 * @throws {McpServerError} when it does not answer in time, or cannot be called.
 * @throws the signal's reason when it is aborted.
 */
export async function callTool(
  connection: McpConnection,
  way: Conversing,
  name: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<OutsideAnswer> {
  const result = await converse(
    connection,
    way,
    way.callWithinMs ?? CALL_WITHIN_MS,
    (client, options) => client.callTool({ name, arguments: args }, options),
    signal,
  );
  return readAnswer(result, cleanOf(connection));
}

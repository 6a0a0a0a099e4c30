import { MCP_SERVER_LIMITS } from '@winnow/contract/mcp-server';
import { z } from 'zod';
import { type McpConnection, sanitizerFor } from './connection.ts';
import type { ExternalResult } from './external-tools.ts';
import { McpServerError } from './mcp-server-error.ts';
import { type SessionOptions, withSession } from './session.ts';
import { type Listing, readToolList } from './tool-list.ts';
import { readToolResult } from './tool-result.ts';

const LIST_TIMEOUT_MS = 10_000;
const CALL_TIMEOUT_MS = 30_000;
/**
 * Maximum number of pages read from a server's tool list. A faulty server may return an endless
 * list.
 */
const MAX_TOOL_PAGES = 20;

/**
 * Tools are validated individually later, so that an invalid one does not make the whole list fail.
 */
const toolsPage = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/**
 * Lists the tools of a server.
 *
 * @throws {McpServerError} if the server has no tools, or if it does not list them in time
 */
export function listTools(connection: McpConnection, way: SessionOptions): Promise<Listing> {
  return withSession(connection, way, way.listTimeoutMs ?? LIST_TIMEOUT_MS, async (client, options) => {
    if (client.getServerCapabilities()?.tools === undefined) {
      throw new McpServerError(`${connection.name} is an MCP server without tools.`);
    }
    let listed: unknown[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < MAX_TOOL_PAGES && listed.length <= MCP_SERVER_LIMITS.tools; pages += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const page = await client.request({ method: 'tools/list', params }, toolsPage, options);
      listed = [...listed, ...page.tools];
      if (page.nextCursor === undefined) break;
      cursor = page.nextCursor;
    }
    return readToolList(listed, sanitizerFor(connection));
  });
}

/**
 * Calls a tool of a server.
 *
 * @throws {McpServerError} if the server cannot be called or does not respond in time
 * @throws the signal's abort reason if the signal is aborted
 */
export async function callTool(
  connection: McpConnection,
  way: SessionOptions,
  name: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ExternalResult> {
  const result = await withSession(
    connection,
    way,
    way.callTimeoutMs ?? CALL_TIMEOUT_MS,
    (client, options) => client.callTool({ name, arguments: args }, options),
    signal,
  );
  return readToolResult(result, sanitizerFor(connection));
}

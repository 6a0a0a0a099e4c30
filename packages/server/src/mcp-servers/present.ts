import { FLOW_TOOLS, isReadingTool, MCP_TOOLS } from '@winnow/contract/mcp';
import { MCP_PATH, MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import type { McpServer, McpServerTool } from '@winnow/contract/mcp-server';
import type { McpServerRow } from './store.ts';

/** Converts a server to its API form, without the secret. */
export function presentMcpServer(server: McpServerRow): McpServer {
  return {
    id: server.id,
    name: server.name,
    url: server.url,
    transport: 'streamable_http',
    auth_type: server.auth_type,
    header_name: server.header_name,
    has_secret: server.sealed_secret !== null,
    status: server.status,
    status_message: server.status_message,
    checked_at: server.checked_at?.toISOString() ?? null,
    tools: server.tools,
  };
}

/** Winnow's own tools that flows may use. */
const OWN_TOOLS: McpServerTool[] = FLOW_TOOLS.map((name) => {
  const { title, description } = MCP_TOOLS[name];
  return { name, title, description, read_only: isReadingTool(name) };
});

/**
 * Returns the API form of Winnow's own MCP server.
 * @param publicUrl public URL of this installation
 */
export function presentOwnServer(publicUrl: string): McpServer {
  return {
    id: MCP_SERVER_NAME,
    name: MCP_SERVER_NAME,
    url: new URL(MCP_PATH, publicUrl).href,
    transport: 'streamable_http',
    auth_type: 'none',
    header_name: null,
    has_secret: false,
    status: 'ok',
    status_message: null,
    checked_at: null,
    tools: OWN_TOOLS,
  };
}

/** Where agents reach Winnow, below the address of the site. */
export const MCP_PATH = '/mcp';
/** How the server calls itself in the configuration of an agent. */
export const MCP_SERVER_NAME = 'winnow';

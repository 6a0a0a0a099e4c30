/** Path of the MCP endpoint, below the address of the site. */
export const MCP_PATH = '/mcp';
/** Name of the server in the configuration of an agent. */
export const MCP_SERVER_NAME = 'winnow';

/** Path of the MCP endpoint, relative to the site's URL. */
export const MCP_PATH = '/mcp';
/** Name of Winnow's MCP server in the configuration of an agent. */
export const MCP_SERVER_NAME = 'winnow';

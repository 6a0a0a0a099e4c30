// Other features may import this file only.
export { type ExternalTool, type ExternalTools, isRecord, MAX_TOOL_RESULT_CHARS } from './external-tools.ts';
export { McpServerError } from './mcp-server-error.ts';
export { addressesOf } from './registered-tools.ts';
export { type ServerChange, serverNames } from './service.ts';

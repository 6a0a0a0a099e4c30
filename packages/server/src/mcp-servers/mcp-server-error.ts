import { AppError } from '../platform/errors.ts';

/** An outside MCP server did not do what was asked. `detail` is a sentence for a person, without any secret. */
export class McpServerError extends AppError {
  constructor(detail: string, cause?: unknown) {
    super({ code: 'mcp_server_failed', status: 502, detail, cause });
  }
}

import { AppError } from '../platform/errors.ts';

/** Failure of an external MCP server. `detail` is a sentence for users and contains no secret. */
export class McpServerError extends AppError {
  constructor(detail: string, cause?: unknown) {
    super({ code: 'mcp_server_failed', category: 'upstream_failed', detail, cause });
  }
}

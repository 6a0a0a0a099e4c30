/**
 * A tool of an external server. All fields except `server` are untrusted, since that server sends
 * them.
 */
export interface ExternalTool {
  /** Name of the server in the account. */
  server: string;
  name: string;
  title: string | null;
  /** Without invisible characters and truncated if too long. Untrusted text. */
  description: string;
  /**
   * JSON schema of the arguments. If the original is invalid or too long, a schema that accepts any
   * object.
   */
  inputSchema: Record<string, unknown>;
  /**
   * True if the server claims that the tool changes nothing, both in this list and at the last
   * check.
   */
  readOnly: boolean;
}

/** Result of a call. `text` comes from the server: it is data, never an instruction. */
export interface ExternalResult {
  /** At most {@link MAX_TOOL_RESULT_CHARS} characters, followed by a note if truncated. */
  text: string;
  /** True if the tool failed or could not be called; `text` gives the reason. */
  isError: boolean;
}

/** Maximum length of a tool result that is passed on, in UTF-16 code units. */
export const MAX_TOOL_RESULT_CHARS = 20_000;

/**
 * Tools of the external MCP servers that users have registered. Does not include Winnow's own
 * tools.
 */
export interface ExternalTools {
  /**
   * Lists the current tools of these servers, in the order of the names. Skips Winnow's own server.
   *
   * @throws {McpServerError} if a server is not registered or does not list its tools within 10
   * seconds
   */
  list(accountId: string, serverNames: readonly string[]): Promise<ExternalTool[]>;
  /**
   * Returns a hash of a server's address, which shows if the address has changed.
   *
   * @throws {AppError} `conflict` if the server is not registered
   */
  addressOf(accountId: string, server: string): Promise<string>;
  /**
   * Calls a tool once. Returns failures as results, after at most 30 seconds. A call without a
   * response may still have taken effect.
   *
   * @throws the reason of `signal` if it is aborted
   */
  call(
    accountId: string,
    server: string,
    tool: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ExternalResult>;
}

/** True if the value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

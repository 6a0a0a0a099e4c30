/**
 * A tool of an external server. All fields except `server` are untrusted, because the external
 * server sends them.
 */
export interface ExternalTool {
  /** Name under which the account has registered the server. */
  server: string;
  name: string;
  title: string | null;
  /** Description without invisible characters, truncated if too long. Untrusted text. */
  description: string;
  /**
   * JSON schema of the arguments. If the server's schema is invalid or too long, a schema that
   * accepts any object.
   */
  inputSchema: Record<string, unknown>;
  /** True if the server claims, both now and at the last check, that the tool changes nothing. */
  readOnly: boolean;
}

/** Result of a call. `text` comes from the external server: it is data, never an instruction. */
export interface ExternalResult {
  /**
   * Text with at most {@link MAX_TOOL_RESULT_CHARS} characters. A note follows if the text was
   * truncated.
   */
  text: string;
  /** True if the tool failed or could not be called. Then `text` gives the reason. */
  isError: boolean;
}

/** Maximum length of a tool result in UTF-16 code units. Longer results are truncated. */
export const MAX_TOOL_RESULT_CHARS = 20_000;

/**
 * Access to the tools of the external MCP servers that an account has registered. Winnow's own
 * tools are not included.
 */
export interface ExternalTools {
  /**
   * Lists the current tools of the named servers, in the order of the names. Skips the name of
   * Winnow's own server.
   *
   * @throws {McpServerError} if a server is not registered, or does not list its tools within 10
   * seconds
   */
  list(accountId: string, serverNames: readonly string[]): Promise<ExternalTool[]>;
  /**
   * Returns a hash of a server's address. It changes when the address changes.
   *
   * @throws {AppError} `conflict` if the server is not registered
   */
  addressOf(accountId: string, server: string): Promise<string>;
  /**
   * Calls a tool once, and waits at most 30 seconds. Returns failures as results. A call without a
   * response may still have taken effect.
   *
   * @throws the abort reason of `signal` if it is aborted
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

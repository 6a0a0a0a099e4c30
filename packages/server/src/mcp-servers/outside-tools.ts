/** A tool of an outside server. All of it but `server` is what that server says of itself. */
export interface OutsideTool {
  /** The name under which the account knows the server. */
  server: string;
  name: string;
  title: string | null;
  /** Cleaned of what a person could not see, and cut where it is overlong; it stays the word of a stranger. */
  description: string;
  /** JSON schema of the arguments. A schema that is overlong or none at all comes as one that takes any object. */
  inputSchema: Record<string, unknown>;
  /** Whether the server says that the tool changes nothing, and said so when somebody had it checked. */
  readOnly: boolean;
}

/** What became of a call. `text` is the word of a stranger: data, never an instruction. */
export interface OutsideAnswer {
  /** At most {@link LONGEST_ANSWER} characters, and then a note of ours that it was cut. */
  text: string;
  /** The tool failed, or it could not be called; `text` then says why. */
  isError: boolean;
}

/** The longest text of a tool's answer that is passed on, in UTF-16 code units. */
export const LONGEST_ANSWER = 20_000;

/** The tools of servers that an account has registered, as flows use them. Our own are not among them. */
export interface OutsideTools {
  /**
   * The tools that the servers of these names have now, in the order of the names; names of ours are passed over.
   * Rejects with a `McpServerError`, whose `detail` is a sentence, when a server is not registered any more or does not
   * list its tools within 10 seconds.
   */
  list(accountId: string, serverNames: readonly string[]): Promise<OutsideTool[]>;
  /**
   * Stands for where the server of this name is now: another one as soon as its address is changed. 409 when none of the
   * name is registered any more.
   */
  addressOf(accountId: string, server: string): Promise<string>;
  /**
   * Calls one tool. Whatever the server does is an answer, at the latest after 30 seconds; rejects only with the reason of
   * `signal` when that is aborted. Calls once: what was not answered may have been carried out all the same.
   */
  call(
    accountId: string,
    server: string,
    tool: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<OutsideAnswer>;
}

/** Whether a value is a JSON object, as the arguments and the schema of a tool are. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

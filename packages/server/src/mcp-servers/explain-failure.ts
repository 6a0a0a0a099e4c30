import type * as Protocol from '@modelcontextprotocol/client';
import { sentenceSaid } from '../platform/errors.ts';
import { outboundErrorIn } from '../platform/outbound/outbound-errors.ts';
import type { Breach } from './bounded-transport.ts';
import { cleanOf, type McpConnection } from './connection.ts';
import { McpServerError } from './mcp-server-error.ts';

type Library = Pick<
  typeof Protocol,
  'InsufficientScopeError' | 'ProtocolError' | 'SdkError' | 'SdkErrorCode' | 'SdkHttpError'
>;

/** The server was too slow. */
export function tooSlow({ name }: McpConnection, withinMs: number): McpServerError {
  const seconds = Math.ceil(withinMs / 1000);
  const time = seconds === 1 ? '1 second' : `${seconds} seconds`;
  return new McpServerError(`${name} did not answer within ${time}. Try again in a while.`);
}

/** The server answered with more than is looked at, or with nothing. */
export function breached({ name }: McpConnection, breach: Breach): McpServerError {
  return new McpServerError(
    breach === 'too many values'
      ? `${name} answers with more values than are accepted.`
      : `${name} ended its answer before it had begun. Try again.`,
  );
}

/**
 * What a failed conversation means. The library's own errors hold what the server answered, word for word, so none of them is
 * kept as a cause.
 */
export function explainFailure(error: unknown, connection: McpConnection, library: Library): McpServerError {
  if (error instanceof McpServerError) return error;
  const outbound = outboundErrorIn(error);
  if (outbound !== null) return new McpServerError(outbound.detail, outbound);
  if (error instanceof library.InsufficientScopeError) return ofStatus(403, connection);
  if (error instanceof library.SdkHttpError) return ofStatus(error.status, connection);
  const { name } = connection;
  if (error instanceof library.ProtocolError) {
    const said = sentenceSaid(cleanOf(connection)(error.message));
    return new McpServerError(`${name} refuses: ${said}`, new Error(`${error.name} ${error.code}`));
  }
  const cause = new Error(error instanceof library.SdkError ? error.code : nameOf(error));
  if (error instanceof library.SdkError && error.code === library.SdkErrorCode.UnsupportedResultType) {
    return new McpServerError(`${name} wants to ask a person first, which is not possible here.`, cause);
  }
  return new McpServerError(
    `${name} does not answer in a form of the Model Context Protocol that Winnow knows. Check that the address is that of a server with streamable HTTP.`,
    cause,
  );
}

function ofStatus(status: number, { name, secret, authType }: McpConnection): McpServerError {
  const cause = new Error(`HTTP ${status}`);
  if (status === 401 || status === 403) {
    const what =
      secret === ''
        ? 'asks who calls. Choose how it is told, and enter the secret.'
        : `does not accept the ${authType === 'bearer' ? 'bearer token' : 'header'} it is shown. Enter it again.`;
    return new McpServerError(`${name} ${what} (${status})`, cause);
  }
  if (status === 429)
    return new McpServerError(`${name} is at its limit. Try again in a while. (429)`, cause);
  if (status >= 500)
    return new McpServerError(`${name} fails just now. Try again in a while. (${status})`, cause);
  return new McpServerError(
    `${name} has no MCP server at this address. Check the address. (${status})`,
    cause,
  );
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

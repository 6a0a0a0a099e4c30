import type * as Protocol from '@modelcontextprotocol/client';
import { upstreamMessage } from '../platform/errors.ts';
import { outboundErrorIn } from '../platform/outbound/outbound-errors.ts';
import type { ResponseFault } from './bounded-transport.ts';
import { type McpConnection, sanitizerFor } from './connection.ts';
import { McpServerError } from './mcp-server-error.ts';

type Library = Pick<
  typeof Protocol,
  'InsufficientScopeError' | 'ProtocolError' | 'SdkError' | 'SdkErrorCode' | 'SdkHttpError'
>;

/** Creates the error for a server that does not respond in time. */
export function timeoutError({ name }: McpConnection, withinMs: number): McpServerError {
  const seconds = Math.ceil(withinMs / 1000);
  const time = seconds === 1 ? '1 second' : `${seconds} seconds`;
  return new McpServerError(`${name} did not respond within ${time}. Try again later.`);
}

/** Creates the error for a response with too many values, or for a missing response. */
export function responseFaultError({ name }: McpConnection, breach: ResponseFault): McpServerError {
  return new McpServerError(
    breach === 'too many values'
      ? `${name} returned more values than allowed.`
      : `${name} closed the response without sending anything. Try again.`,
  );
}

/**
 * Converts the error of a session to one with a sentence for users. The original error is not
 * attached as the cause, because it quotes the server's response.
 */
export function explainFailure(error: unknown, connection: McpConnection, library: Library): McpServerError {
  if (error instanceof McpServerError) return error;
  const outbound = outboundErrorIn(error);
  if (outbound !== null) return new McpServerError(outbound.detail, outbound);
  if (error instanceof library.InsufficientScopeError) return ofStatus(403, connection);
  if (error instanceof library.SdkHttpError) return ofStatus(error.status, connection);
  const { name } = connection;
  if (error instanceof library.ProtocolError) {
    const said = upstreamMessage(sanitizerFor(connection)(error.message));
    return new McpServerError(`${name} refused: ${said}`, new Error(`${error.name} ${error.code}`));
  }
  const cause = new Error(error instanceof library.SdkError ? error.code : nameOf(error));
  if (error instanceof library.SdkError && error.code === library.SdkErrorCode.UnsupportedResultType) {
    return new McpServerError(`${name} wants to ask a person first, which is not supported.`, cause);
  }
  return new McpServerError(
    `${name} did not return a valid response of the Model Context Protocol. Check that the address belongs to a server with streamable HTTP.`,
    cause,
  );
}

function ofStatus(status: number, { name, secret, authType }: McpConnection): McpServerError {
  const cause = new Error(`HTTP ${status}`);
  if (status === 401 || status === 403) {
    const what =
      secret === ''
        ? 'requires authentication. Choose a method and enter the secret.'
        : `does not accept the ${authType === 'bearer' ? 'bearer token' : 'header'}. Enter it again.`;
    return new McpServerError(`${name} ${what} (${status})`, cause);
  }
  if (status === 429)
    return new McpServerError(
      `${name} reports that its rate limit is reached. Try again later. (429)`,
      cause,
    );
  if (status >= 500) return new McpServerError(`${name} is failing. Try again later. (${status})`, cause);
  return new McpServerError(
    `${name} has no MCP server at this address. Check the address. (${status})`,
    cause,
  );
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

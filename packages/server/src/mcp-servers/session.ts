import type { Client, RequestOptions } from '@modelcontextprotocol/client';
import { BoundedTransport } from './bounded-transport.ts';
import { authHeadersOf, type McpConnection } from './connection.ts';
import { explainFailure, responseFaultError, timeoutError } from './session-errors.ts';

/** Limits of each HTTP request in a session. */
export const MCP_CALL_LIMITS = {
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 30_000,
  maxResponseBytes: 1024 * 1024,
};
/** Maximum time in milliseconds that a server may take to end a session. */
const END_SESSION_TIMEOUT_MS = 1_000;

/** Options for connecting to external servers. */
export interface SessionOptions {
  /** Sends HTTP requests to external servers. It refuses forbidden addresses. */
  fetch: typeof fetch;
  version: string;
  /** Time limit for listing tools, in milliseconds. Default: 10 seconds. */
  listTimeoutMs?: number;
  /** Time limit for a tool call, in milliseconds. Default: 30 seconds. */
  callTimeoutMs?: number;
}

/**
 * Connects to a server of protocol version 2025 or 2026, runs `ask` and disconnects. Sessions share
 * no state.
 *
 * @throws {McpServerError} if the server fails, or does not respond within `withinMs`
 * @throws the signal's abort reason if the signal is aborted
 */
export async function withSession<T>(
  connection: McpConnection,
  { fetch, version }: SessionOptions,
  withinMs: number,
  ask: (client: Client, options: RequestOptions) => Promise<T>,
  signal: AbortSignal = new AbortController().signal,
): Promise<T> {
  signal.throwIfAborted();
  // Imported on demand. The library is slow to load, and many installations use no external server.
  const library = await import('@modelcontextprotocol/client');
  const time = AbortSignal.timeout(withinMs);
  const broken = new AbortController();
  const over = AbortSignal.any([signal, time, broken.signal]);
  const transport = new BoundedTransport(
    new library.StreamableHTTPClientTransport(new URL(connection.url), {
      fetch: reportingBrokenResponses(fetch, (error) => broken.abort(error)),
      requestInit: { headers: authHeadersOf(connection) },
      // Our `fetch` follows redirects itself, and removes the secret when the host changes.
      redirectPolicy: 'follow',
    }),
    (breach) => broken.abort(responseFaultError(connection, breach)),
  );
  const client = new library.Client(
    { name: 'winnow', title: 'Winnow', version },
    {
      versionNegotiation: { mode: 'auto' },
      // The server's schemas are not used for validation: a regular expression in one of them could
      // run forever.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
      inputRequired: { autoFulfill: false },
    },
  );
  const options = { signal: over, timeout: withinMs };
  try {
    return await unlessAborted(
      over,
      client.connect(transport, options).then(() => ask(client, options)),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (time.aborted) throw timeoutError(connection, withinMs);
    throw explainFailure(broken.signal.aborted ? broken.signal.reason : error, connection, library);
  } finally {
    if (!over.aborted && transport.sessionId !== undefined) {
      await transport.terminateSession().catch(() => undefined);
    }
    await transport.close();
  }
}

/**
 * Wraps the `fetch` that the library uses. Reports a broken response immediately: the library would
 * otherwise wait until its timeout. Does not open the stream for messages that the server sends on
 * its own.
 */
function reportingBrokenResponses(out: typeof fetch, onBroken: (error: unknown) => void) {
  return async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const goesOn = new Headers(init.headers).has('last-event-id');
    if (init.method === 'GET' && !goesOn) return new Response(null, { status: 405 });
    if (init.method === 'DELETE')
      return out(url, { ...init, signal: AbortSignal.timeout(END_SESSION_TIMEOUT_MS) });
    try {
      const answer = await out(url, init);
      return answer.body === null ? answer : new Response(watched(answer.body, onBroken), answer);
    } catch (error) {
      onBroken(error);
      throw error;
    }
  };
}

function watched(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onBroken: (error: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const piece = await reader.read();
          if (piece.done) controller.close();
          else controller.enqueue(piece.value);
        } catch (error) {
          onBroken(error);
          controller.error(error);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

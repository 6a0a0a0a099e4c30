import type { Client, RequestOptions } from '@modelcontextprotocol/client';
import { BoundedTransport } from './bounded-transport.ts';
import { credentialsOf, type McpConnection } from './connection.ts';
import { breached, explainFailure, tooSlow } from './explain-failure.ts';

/** Bounds of the calls out that a conversation is made of. */
export const MCP_CALL_LIMITS = {
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 30_000,
  maxResponseBytes: 1024 * 1024,
};
/** So long a server has to hear that a session is over. */
const GOODBYE_MS = 1_000;

/** Whom servers are told they speak with, and how. */
export interface Conversing {
  /** The only way out to them. */
  fetch: typeof fetch;
  version: string;
  /** So long a server may take to list its tools; 10 seconds. */
  listWithinMs?: number;
  /** So long one call may take; 30 seconds. */
  callWithinMs?: number;
}

/**
 * Connects to a server of 2025 or of 2026, has something asked, and leaves. Nothing is kept from one conversation to the
 * next.
 *
 * @throws {McpServerError} whatever goes wrong on the other side, at the latest after `withinMs`.
 * @throws the signal's reason when it is aborted.
 */
export async function converse<T>(
  connection: McpConnection,
  { fetch, version }: Conversing,
  withinMs: number,
  ask: (client: Client, options: RequestOptions) => Promise<T>,
  signal: AbortSignal = new AbortController().signal,
): Promise<T> {
  signal.throwIfAborted();
  // The protocol's library takes a while to load, and many an installation has no outside server.
  const library = await import('@modelcontextprotocol/client');
  const time = AbortSignal.timeout(withinMs);
  const broken = new AbortController();
  const over = AbortSignal.any([signal, time, broken.signal]);
  const transport = new BoundedTransport(
    new library.StreamableHTTPClientTransport(new URL(connection.url), {
      fetch: tellingWhatBreaks(fetch, (error) => broken.abort(error)),
      requestInit: { headers: credentialsOf(connection) },
      // The way out follows redirects itself, and takes no secret along to another host.
      redirectPolicy: 'follow',
    }),
    (breach) => broken.abort(breached(connection, breach)),
  );
  const client = new library.Client(
    { name: 'winnow', title: 'Winnow', version },
    {
      versionNegotiation: { mode: 'auto' },
      // Schemas of strangers are not run: an expression in one could take forever.
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
    if (time.aborted) throw tooSlow(connection, withinMs);
    throw explainFailure(broken.signal.aborted ? broken.signal.reason : error, connection, library);
  } finally {
    if (!over.aborted && transport.sessionId !== undefined) {
      await transport.terminateSession().catch(() => undefined);
    }
    await transport.close();
  }
}

/**
 * The way out as the library is to use it. A question that breaks off is told at once, since the library would wait for its
 * answer until the time is over. The stream on which a server may speak unasked is not opened.
 */
function tellingWhatBreaks(out: typeof fetch, onBroken: (error: unknown) => void) {
  return async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const goesOn = new Headers(init.headers).has('last-event-id');
    if (init.method === 'GET' && !goesOn) return new Response(null, { status: 405 });
    if (init.method === 'DELETE') return out(url, { ...init, signal: AbortSignal.timeout(GOODBYE_MS) });
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

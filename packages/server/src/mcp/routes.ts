import { Readable } from 'node:stream';
import { MCP_PATH } from '@winnow/contract/mcp-address';
import { MCP_METHOD } from '@winnow/contract/usage';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ActorOf } from '../changes/index.ts';
import { forbidden } from '../platform/errors.ts';
import type { App } from '../platform/http/app.ts';
import { type Authentication, principalOf } from '../platform/http/auth.ts';
import { BODY_LIMIT_BYTES } from '../platform/http/body-limits.ts';
import { calledTool, endpointOf, isErrorMessage, watchForErrors } from './api-call.ts';
import { registerKeyHelp, withKeyHelp } from './key-help.ts';
import { isOurHost, isOurOrigin } from './origin.ts';
import type { McpServerOptions } from './server.ts';

/** Response headers that the HTTP server sets itself. */
const CONNECTION_HEADERS = new Set(['connection', 'content-length', 'transfer-encoding']);

let protocol: ReturnType<typeof importProtocol> | null = null;

/**
 * Imports the protocol library on demand. It is slow to load, and many installations have no
 * agents.
 */
function loadProtocol(): ReturnType<typeof importProtocol> {
  protocol ??= importProtocol();
  return protocol;
}

async function importProtocol() {
  const [{ createMcpHandler }, { createMcpServer }, { unreadableBody, refusalOf }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./server.ts'),
    import('./refusals.ts'),
  ]);
  return { createMcpHandler, createMcpServer, unreadableBody, refusalOf };
}

/** Tools that may read a whole project. Concurrent calls of these tools are limited per account. */
const HEAVY_TOOLS: ReadonlySet<string> = new Set(['detect_dependencies']);

/**
 * Registers the MCP endpoint for agents: Streamable HTTP without sessions, for protocol versions
 * 2025 and 2026. Each request is authenticated separately, so a revoked key is refused immediately.
 */
export function registerMcpRoutes(
  app: App,
  options: McpServerOptions & { auth: Authentication; actorOf: ActorOf; publicUrl: string },
): void {
  const { auth, actorOf, publicUrl, ...server } = options;

  function expectOurs(request: FastifyRequest): void {
    const { host, origin } = request.headers;
    if (!isOurHost(host, publicUrl)) {
      throw forbidden(
        'Unknown host name. The operator can set PUBLIC_URL to the public address of this server.',
        'foreign_host',
      );
    }
    if (!isOurOrigin(origin, publicUrl)) {
      throw forbidden('Requests from pages of other sites are not allowed.', 'foreign_origin');
    }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const principal = principalOf(request);
    const apiCall = { method: MCP_METHOD, endpoint: endpointOf(request.body), hasFailed: false };
    request.apiCall = apiCall;
    const { createMcpHandler, createMcpServer, refusalOf } = await loadProtocol();
    const refusal = await refusalOf(request.body);
    if (refusal !== null) {
      apiCall.hasFailed = true;
      return reply.code(refusal.status).type('application/json').send(refusal.message);
    }
    const called = calledTool(request.body);
    if (called !== null && HEAVY_TOOLS.has(called)) await app.takeFairShare(principal.accountId, reply);
    const serve = () => createMcpServer(server, principal, () => actorOf(principal), called);
    const handler = createMcpHandler(serve, {
      maxSubscriptions: 0,
      onerror: (error) => server.log.info({ error }, 'A request to /mcp was refused.'),
    });
    const gone = new AbortController();
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) gone.abort();
    });
    const response = await handler.fetch(asWebRequest(request, publicUrl, gone.signal), {
      parsedBody: request.body,
    });
    for (const [name, value] of response.headers) {
      if (!CONNECTION_HEADERS.has(name)) reply.header(name, value);
    }
    reply.code(response.status);
    if (response.body === null) return reply.send('');
    if (isStream(response)) {
      const messages = watchForErrors(response.body, () => {
        apiCall.hasFailed = true;
      });
      return reply.send(Readable.from(messages, { objectMode: false }));
    }
    // Buffers responses that are not streams. Content-Length is then set, and small bodies are not
    // compressed.
    const answered = Buffer.from(await response.arrayBuffer());
    apiCall.hasFailed ||= isErrorMessage(answered);
    return reply.send(answered);
  }

  /** Sends a JSON-RPC error if the request body cannot be read. Rethrows all other errors. */
  async function explainUnreadable(error: unknown, _request: FastifyRequest, reply: FastifyReply) {
    const { unreadableBody } = await loadProtocol();
    const refusal = unreadableBody(error);
    if (refusal === null) throw error;
    server.log.info({ error }, 'The body of a request to /mcp cannot be read.');
    return reply.code(refusal.status).type('application/json').send(refusal.message);
  }

  app.route({
    // GET and DELETE are only needed for sessions, which this endpoint does not have.
    method: 'POST',
    url: MCP_PATH,
    bodyLimit: BODY_LIMIT_BYTES.authenticated,
    onRequest: [async (request) => expectOurs(request), withKeyHelp(auth.authorize, publicUrl)],
    schema: { hide: true },
    errorHandler: explainUnreadable,
    handler: answer,
  });
  registerKeyHelp(app, publicUrl);
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

function asWebRequest(request: FastifyRequest, publicUrl: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request(new URL(MCP_PATH, publicUrl), { method: request.method, headers, signal });
}

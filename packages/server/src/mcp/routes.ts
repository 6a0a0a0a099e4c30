import { Readable } from 'node:stream';
import { MCP_PATH } from '@winnow/contract/mcp-address';
import { MCP_METHOD } from '@winnow/contract/usage';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ActorOf } from '../changes/routes.ts';
import { badRequest, forbidden } from '../platform/errors.ts';
import type { App } from '../platform/http/app.ts';
import { type Authentication, principalOf } from '../platform/http/auth.ts';
import { askedFor, calledTool, isOfError, namesTooMuch, noticingErrors } from './api-call.ts';
import { registerKeyHelp, withKeyHelp } from './key-help.ts';
import { isOurHost, isOurOrigin } from './origin.ts';
import type { McpServerOptions } from './server.ts';

/** Headers of an answer that the connection decides itself. */
const OF_THE_CONNECTION = new Set(['connection', 'content-length', 'transfer-encoding']);

let protocol: ReturnType<typeof importProtocol> | null = null;

/** The protocol's library takes a while to load, and many an installation has no agent. */
function loadProtocol(): ReturnType<typeof importProtocol> {
  protocol ??= importProtocol();
  return protocol;
}

async function importProtocol() {
  const [{ createMcpHandler }, { createMcpServer }, { refusalOfParams }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./server.ts'),
    import('./malformed-params.ts'),
  ]);
  return { createMcpHandler, createMcpServer, refusalOfParams };
}

/**
 * The endpoint that agents connect to: Streamable HTTP, without sessions, for clients of 2025 and of 2026. Each request is
 * authenticated for itself, so a key that is revoked is refused from the next one on.
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
        'This server is not called so. The operator can set PUBLIC_URL to the address it is reached at.',
        'foreign_host',
      );
    }
    if (!isOurOrigin(origin, publicUrl)) {
      throw forbidden('Pages of other sites may not use this server.', 'foreign_origin');
    }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const principal = principalOf(request);
    const apiCall = { method: MCP_METHOD, endpoint: askedFor(request.body), hasFailed: false };
    request.apiCall = apiCall;
    // One request is one call, of those that a key may make.
    if (Array.isArray(request.body)) throw badRequest('Send one message at a time, not an array of them.');
    if (namesTooMuch(request.body)) throw badRequest('A name or an address in this message is too long.');
    const { createMcpHandler, createMcpServer, refusalOfParams } = await loadProtocol();
    const refusal = await refusalOfParams(request.body);
    if (refusal !== null) {
      apiCall.hasFailed = true;
      return reply.code(refusal.status).type('application/json').send(refusal.message);
    }
    const called = calledTool(request.body);
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
      if (!OF_THE_CONNECTION.has(name)) reply.header(name, value);
    }
    reply.code(response.status);
    if (response.body === null) return reply.send('');
    if (isStream(response)) {
      const messages = noticingErrors(response.body, () => {
        apiCall.hasFailed = true;
      });
      return reply.send(Readable.from(messages, { objectMode: false }));
    }
    // Of a whole answer it is known how long it is, and a short one is sent as it is.
    const answered = Buffer.from(await response.arrayBuffer());
    apiCall.hasFailed ||= isOfError(answered);
    return reply.send(answered);
  }

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: MCP_PATH,
    onRequest: [async (request) => expectOurs(request), withKeyHelp(auth.requireKey, publicUrl)],
    schema: { hide: true },
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

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  createMcpHandler,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

/** Registers the tools of an MCP server. */
export type Offer = (server: McpServer) => void;

/** A request that the emulator received. */
interface McpRequest {
  method: string;
  /** JSON-RPC method, such as `tools/call`. Empty if the request has no JSON-RPC message. */
  asked: string;
  headers: IncomingMessage['headers'];
}

/** Sends a response to a request, in violation of the protocol. */
export type Misbehavior = (asked: McpRequest & { id: unknown }, response: ServerResponse) => void;

/**
 * A third-party MCP server with streamable HTTP on a local port. It uses the official library of
 * the protocol.
 */
export interface McpEmulator {
  readonly url: string;
  /** All requests so far. */
  readonly requests: readonly McpRequest[];
  /**
   * Serves these tools. `2026` emulates a server of that revision, which also supports clients of
   * 2025. `2025` emulates a server of that revision with sessions.
   */
  offer(offer: Offer, era?: '2026' | '2025'): void;
  /** Requires this header in later requests. Requests without it get status 401. */
  expect(header: string, value: string): void;
  misbehave(how: Misbehavior): void;
  close(): Promise<void>;
}

/** Starts an MCP server with the given tools. */
export async function startMcpServer(offered: Offer): Promise<McpEmulator> {
  const requests: McpRequest[] = [];
  let expected: { header: string; value: string } | null = null;
  let answer = answering(offered, '2026');
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const message: { id?: unknown; method?: string } = body.length === 0 ? {} : JSON.parse(body.toString());
    const { method = 'GET', headers } = request;
    const asked = { method, asked: message.method ?? '', headers };
    requests.push(asked);
    if (expected !== null && headers[expected.header] !== expected.value) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(`You sent ${JSON.stringify(headers)}`);
      return;
    }
    await answer({ ...asked, id: message.id }, response, body, url);
  }

  return {
    url,
    requests,
    offer(offer, era = '2026') {
      answer = answering(offer, era);
    },
    expect(header, value) {
      expected = { header, value };
    },
    misbehave(how) {
      answer = async (asked, response) => how(asked, response);
    },
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Answer = (
  asked: McpRequest & { id: unknown },
  response: ServerResponse,
  body: Buffer,
  url: string,
) => Promise<void>;

function answering(offer: Offer, era: '2026' | '2025'): Answer {
  const handle = era === '2026' ? withoutSessions(offer) : withSessions(offer);
  return async ({ method, headers }, response, body, url) => {
    const answered = await handle(
      new Request(url, {
        method,
        headers: headers as Record<string, string>,
        ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
      }),
    );
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    if (answered.body === null) response.end();
    else Readable.from(answered.body, { objectMode: false }).pipe(response);
  };
}

function newServer(offer: Offer): McpServer {
  const server = new McpServer({ name: 'emulator', version: '1.0.0' });
  offer(server);
  return server;
}

function withoutSessions(offer: Offer): (request: Request) => Promise<Response> {
  const handler = createMcpHandler(() => newServer(offer));
  return (request) => handler.fetch(request);
}

function withSessions(offer: Offer): (request: Request) => Promise<Response> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request) => {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (known !== undefined) return known.handleRequest(request);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await newServer(offer).connect(transport);
    return transport.handleRequest(request);
  };
}

/**
 * Returns a server of revision 2025 that responds to each method with the given result, even if it
 * is invalid. All other methods get an error.
 */
export function respondingWith(results: Readonly<Record<string, unknown>>): Misbehavior {
  const known: Readonly<Record<string, unknown>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'emulator', version: '1.0.0' },
    },
    ...results,
  };
  return ({ asked, id }, response) => {
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const result = known[asked];
    const outcome =
      result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
  };
}

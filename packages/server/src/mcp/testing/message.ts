import { request } from 'node:http';
import { MCP_PATH } from '@winnow/contract/mcp-address';
import { type Answer, call, type Method } from '../../testing/caller.ts';

const ACCEPT = 'application/json, text/event-stream';

/**
 * Options of {@link sendMessage}. Defaults are those of a client of protocol version 2025-11-25.
 */
export interface Sending {
  key: string | null;
  method?: Method;
  headers?: Record<string, string>;
  raw?: string;
}

/** Sends a message, or any raw body, as a client of protocol version 2025-11-25 would. */
export function sendMessage(
  origin: string,
  message: unknown,
  { key, method = 'POST', headers = {}, raw }: Sending,
): Promise<Answer> {
  return call(origin, method, MCP_PATH, {
    token: key,
    headers: { accept: ACCEPT, ...headers },
    ...(raw === undefined ? {} : { raw }),
    ...(message === undefined ? {} : { body: message }),
  });
}

/** Builds a JSON-RPC request. */
export function requestOf(method: string, params: object = {}) {
  return { jsonrpc: '2.0', id: 1, method, params };
}

/** Builds a JSON-RPC request of protocol version 2026-07-28. */
export function modernRequestOf(method: string, params: object = {}, version = '2026-07-28') {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return requestOf(method, { ...params, _meta });
}

/**
 * Sends a request with the given `Host` header and returns the response status. Uses `node:http`,
 * because `fetch` cannot set that header.
 */
export function statusForHost(origin: string, key: string, host: string): Promise<number | undefined> {
  const type = 'application/json';
  const headers = { host, accept: ACCEPT, authorization: `Bearer ${key}`, 'content-type': type };
  return new Promise((resolve, reject) => {
    request(`${origin}${MCP_PATH}`, { method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end(JSON.stringify(requestOf('ping')));
  });
}

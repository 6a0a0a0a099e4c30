import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isoSeconds } from './clock.ts';
import { control } from './controls.ts';
import { splitAction } from './fault-input.ts';
import type { FaultAction, Faults } from './faults.ts';
import type { EmulatedHost, Exchange, HostFaultAction, Incoming, Outgoing } from './host.ts';
import { jsonOrText } from './json.ts';
import type { RequestLog } from './request-log.ts';
import { pause, send } from './transport.ts';

export interface ServerParts<Own extends { kind: string }> {
  host: EmulatedHost<Own>;
  faults: Faults<HostFaultAction<Own>>;
  requests: RequestLog;
  onExchange: ((exchange: Exchange) => void) | undefined;
  /** Aborted when the emulator closes. Delayed responses then end. */
  signal: AbortSignal;
}

const maxBodyBytes = 32_000_000;
/** Headers with credentials. They are never logged. */
const secretHeaders = ['authorization', 'private-token'];

/** Creates the HTTP server of an emulator. The caller makes it listen. */
export function createEmulatorServer<Own extends { kind: string }>(parts: ServerParts<Own>): Server {
  let serial = 0;
  return createServer((request, response) => {
    serial += 1;
    serve(parts, request, response, serial).catch((error: unknown) => {
      giveUp(parts.host.name, response, error);
    });
  });
}

/**
 * Responds to an internal error of the emulator. The message distinguishes this response from a
 * fault.
 */
function giveUp(name: string, response: ServerResponse, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  response.writeHead(500, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ message: `The ${name} emulator itself failed: ${text}` }));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBodyBytes) throw new Error('The request body is too large for the emulator.');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function serve<Own extends { kind: string }>(
  parts: ServerParts<Own>,
  request: IncomingMessage,
  response: ServerResponse,
  serial: number,
): Promise<void> {
  const { host, faults, signal } = parts;
  const startedMs = performance.now();
  const { method = 'GET', url = '/', headers } = request;
  const body = await readBody(request);
  const origin = `http://${headers.host ?? 'localhost'}`;
  const parsed = new URL(url, origin);
  if (parsed.pathname.startsWith('/_emulator/')) {
    const reply = control(method, parsed, body, parts);
    response.writeHead(reply.status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(reply.body));
    return;
  }
  const html = method === 'GET' ? (host.page?.(parsed.pathname) ?? null) : null;
  if (html !== null) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(html);
    return;
  }
  const fault = faults.take(method, url);
  const { common, own } = splitAction<Own>(fault);
  if (common?.kind === 'delay' && !(await pause(common.delayMs, signal))) return;
  const incoming: Incoming = { method, url, headers, body, origin, serial };
  const answer =
    own === null
      ? answerWith(host, incoming, common)
      : host.ownFaults.answer(own, withoutEffect(host, incoming), incoming);
  note(parts, incoming, answer, fault?.kind ?? null, startedMs);
  if (common?.kind === 'drop' && common.when === 'before') {
    response.destroy();
    return;
  }
  await send(response, answer, common, signal);
}

/** Returns the response of the host, or the one that a fault puts in its place. */
function answerWith<Own extends { kind: string }>(
  host: EmulatedHost<Own>,
  incoming: Incoming,
  fault: FaultAction | null,
): Outgoing {
  if (fault?.kind === 'drop' && fault.when === 'before') {
    return { ...withoutEffect(host, incoming), status: 0, body: '' };
  }
  if (fault?.kind !== 'status') return host.answer(incoming);
  const usual = fault.handled === true ? asJson(host.answer(incoming)) : withoutEffect(host, incoming);
  const isText = typeof fault.body === 'string';
  const headers = { ...usual.headers, ...(isText ? { 'content-type': 'text/html; charset=utf-8' } : {}) };
  const body =
    typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body ?? host.faultBody(fault.status));
  return { ...usual, status: fault.status, headers: { ...headers, ...fault.headers }, body };
}

/**
 * Returns the usual headers of the host without handling the request. Uses the method OPTIONS,
 * which no route has.
 */
function withoutEffect<Own extends { kind: string }>(host: EmulatedHost<Own>, incoming: Incoming): Outgoing {
  return asJson(host.answer({ ...incoming, method: 'OPTIONS', body: '' }));
}

function asJson(answer: Outgoing): Outgoing {
  const headers = { ...answer.headers, 'content-type': 'application/json; charset=utf-8' };
  const { etag: _, ...rest }: Record<string, string> = headers;
  return { ...answer, headers: rest };
}

function note<Own extends { kind: string }>(
  parts: ServerParts<Own>,
  incoming: Incoming,
  answer: Outgoing,
  fault: string | null,
  startedMs: number,
): void {
  const { method, url } = incoming;
  const query = Object.fromEntries(new URL(url, incoming.origin).searchParams);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (!secretHeaders.includes(name) && value !== undefined) headers[name] = String(value);
  }
  const body = incoming.body === '' ? null : jsonOrText(incoming.body);
  const shared = { method, path: answer.path, query, status: answer.status, fault };
  parts.requests.add({
    ...shared,
    url,
    headers,
    body,
    login: answer.login,
    at: isoSeconds(parts.host.now()),
    durationMs: performance.now() - startedMs,
  });
  parts.onExchange?.({
    ...shared,
    requestHeaders: headers,
    requestBody: body ?? undefined,
    responseHeaders: answer.headers,
    responseBody: answer.body === '' ? null : jsonOrText(answer.body),
  });
}

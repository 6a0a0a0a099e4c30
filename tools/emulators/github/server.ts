import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Host } from './call.ts';
import { isoSeconds } from './clock.ts';
import { control } from './controls.ts';
import { dispatch, type Incoming, type Outgoing } from './dispatch.ts';
import type { Faults, GitHubFaultAction } from './faults.ts';
import { GitHubError } from './github-error.ts';
import { issuePage } from './html-page.ts';
import { primaryLimitError, secondaryLimitError } from './rate-limit.ts';
import type { RequestLog } from './request-log.ts';
import { pause, send } from './transport.ts';

/** A request and its answer, for checking both against the API's description. */
export interface GitHubExchange {
  method: string;
  /** see `LoggedRequest.path` */
  path: string;
  query: Record<string, string>;
  requestHeaders: Record<string, string>;
  /** the JSON that was sent; undefined for none */
  requestBody: unknown;
  status: number;
  responseHeaders: Record<string, string>;
  /** the JSON that was answered, null for none, the text when it was no JSON */
  responseBody: unknown;
  /** kind of the fault that made this answer, so that it need not be checked */
  fault: string | null;
}

export interface ServerParts {
  host: Host;
  faults: Faults;
  requests: RequestLog;
  onExchange: ((exchange: GitHubExchange) => void) | undefined;
  /** fires when the emulator closes, to end answers that are being delayed */
  signal: AbortSignal;
}

const maxBodyBytes = 32_000_000;

/** The HTTP server of an emulator, not yet listening. */
export function createGitHubServer(parts: ServerParts): Server {
  let count = 0;
  return createServer((request, response) => {
    count += 1;
    const requestId = `E000:${count.toString(16).toUpperCase().padStart(6, '0')}`;
    serve(parts, request, response, requestId).catch((error: unknown) => giveUp(response, error));
  });
}

/** A fault of the emulator itself must not look like one that was asked for, so it says where it comes from. */
function giveUp(response: ServerResponse, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  response.writeHead(500, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ message: `The GitHub emulator itself failed: ${text}` }));
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

async function serve(
  parts: ServerParts,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  const { host, faults, signal } = parts;
  const startedMs = performance.now();
  const { method = 'GET', url = '/', headers } = request;
  const body = await readBody(request);
  const origin = `http://${headers.host ?? 'localhost'}`;
  const parsed = new URL(url, origin);
  if (parsed.pathname.startsWith('/_emulator/')) {
    const reply = control(method, parsed, body, { store: host.store, faults, requests: parts.requests });
    response.writeHead(reply.status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(reply.body));
    return;
  }
  const html = method === 'GET' ? issuePage(host.store, parsed.pathname) : null;
  if (html !== null) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(html);
    return;
  }
  const fault = faults.take(method, url);
  if (fault?.kind === 'delay' && !(await pause(fault.delayMs, signal))) return;
  const incoming: Incoming = { method, url, headers, body, requestId, origin };
  const answer = answerWith(host, incoming, fault);
  note(parts, incoming, answer, fault, startedMs);
  if (fault?.kind === 'drop' && fault.when === 'before') {
    response.destroy();
    return;
  }
  await send(response, answer, fault, signal);
}

/** The answer, or what the fault puts in its place. */
function answerWith(host: Host, incoming: Incoming, fault: GitHubFaultAction | null): Outgoing {
  const replaces =
    fault?.kind === 'status' ||
    fault?.kind === 'secondary-limit' ||
    fault?.kind === 'primary-limit' ||
    (fault?.kind === 'drop' && fault.when === 'before');
  if (!replaces) return dispatch(host, incoming);
  const takesEffect = fault.kind === 'status' && fault.handled === true;
  const usual = dispatch(host, takesEffect ? incoming : { ...incoming, method: 'OPTIONS', body: '' });
  const nowMs = host.store.now();
  const headers: Record<string, string> = {
    ...usual.headers,
    'content-type': 'application/json; charset=utf-8',
  };
  delete headers.etag;
  if (fault.kind === 'drop') return { ...usual, headers, status: 0, body: '' };
  if (fault.kind === 'status') {
    const text = typeof fault.body === 'string';
    if (text) headers['content-type'] = 'text/html; charset=utf-8';
    const body =
      typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body ?? defaultBody(fault.status));
    return { ...usual, status: fault.status, headers: { ...headers, ...fault.headers }, body };
  }
  const at = `${isoSeconds(nowMs).replace('T', ' ').replace('Z', '')} UTC`;
  const userId = usual.login === null ? 0 : host.store.account(usual.login).id;
  const status = fault.status ?? 403;
  let error: GitHubError;
  if (fault.kind === 'secondary-limit') {
    error = secondaryLimitError(status, fault.retryAfterSeconds, incoming.requestId, at);
  } else {
    error = primaryLimitError(status, userId, incoming.requestId, at);
    const resetS = Math.ceil(nowMs / 1000) + (fault.resetInSeconds ?? 3600);
    const limit = headers['x-ratelimit-limit'] ?? '5000';
    Object.assign(headers, {
      'x-ratelimit-limit': limit,
      'x-ratelimit-remaining': '0',
      'x-ratelimit-used': limit,
    });
    Object.assign(headers, { 'x-ratelimit-reset': String(resetS), 'x-ratelimit-resource': 'core' });
  }
  return {
    ...usual,
    status: error.status,
    headers: { ...headers, ...error.headers },
    body: JSON.stringify(error.body),
  };
}

function defaultBody(status: number): unknown {
  return new GitHubError(status, status >= 500 ? 'Server Error' : 'Fault set in the emulator').body;
}

function note(
  parts: ServerParts,
  incoming: Incoming,
  answer: Outgoing,
  fault: GitHubFaultAction | null,
  startedMs: number,
): void {
  const { method, url } = incoming;
  const query = Object.fromEntries(new URL(url, incoming.origin).searchParams);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (name !== 'authorization' && value !== undefined) headers[name] = String(value);
  }
  const body = incoming.body === '' ? null : jsonOrText(incoming.body);
  const shared = { method, path: answer.path, query, status: answer.status, fault: fault?.kind ?? null };
  parts.requests.add({
    ...shared,
    url,
    headers,
    body,
    login: answer.login,
    at: isoSeconds(parts.host.store.now()),
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

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

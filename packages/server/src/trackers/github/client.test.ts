import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { createLimiter } from '../../platform/limiter.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import { TrackerError } from '../provider.ts';
import type { RestCall } from '../rest/client.ts';
import { gitHubAddress } from './address.ts';
import { createGitHubClient, withinRepository } from './client.ts';

type Reply = (request: IncomingMessage & { text: string }, response: ServerResponse) => void;

const TOKEN = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
const get: RestCall = { method: 'GET', path: '/thing', subject: 'the thing' };
const ok: Reply = (_, response) =>
  response.setHeader('content-type', 'application/json').end('{"fine":true}');
const status =
  (code: number, headers: Record<string, string> = {}, body = '{"message":"No."}'): Reply =>
  (_, response) =>
    response.writeHead(code, headers).end(body);

const open: { [Symbol.asyncDispose](): Promise<void> }[] = [];
afterEach(async () => {
  for (const resource of open.splice(0)) await resource[Symbol.asyncDispose]();
});

/**
 * Starts a server that sends these replies in order and repeats the last one. Also returns a
 * client, whose clock advances only when the client waits.
 */
async function scripted(replies: Reply[], options: { token?: string; allowedHosts?: string[] } = {}) {
  const requests: { method: string; url: string; headers: IncomingMessage['headers']; text: string }[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const text = Buffer.concat(pieces).toString();
      requests.push({ method, url, headers, text });
      const reply = replies[Math.min(requests.length, replies.length) - 1] ?? ok;
      reply(Object.assign(request, { text }), response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const origin = `http://127.0.0.1:${address.port}`;
  const outbound = createOutbound({
    allowedHosts: options.allowedHosts ?? ['127.0.0.1'],
    userAgent: 'Winnow/test',
    log: { info: () => undefined },
  });
  open.push({
    async [Symbol.asyncDispose]() {
      await outbound.close();
      server.closeAllConnections();
      if (server.listening) {
        server.close();
        await once(server, 'close');
      }
    },
  });

  let nowMs = Date.parse('2024-05-01T12:00:00Z');
  const waits: number[] = [];
  const lines: unknown[] = [];
  const limiter = createLimiter({ concurrency: 4, now: () => nowMs });
  const clientFor = (token: string) =>
    createGitHubClient({
      address: gitHubAddress(origin),
      token,
      fetch: outbound.fetch,
      limiter,
      log: { warn: (fields, message) => lines.push({ ...fields, message }) },
      clock: { now: () => new Date(nowMs) },
      async sleep(ms, signal) {
        signal.throwIfAborted();
        waits.push(ms);
        nowMs += ms;
      },
      random: () => 0.5,
    });
  return {
    client: clientFor(options.token ?? TOKEN),
    clientFor,
    server,
    origin,
    requests,
    waits,
    lines,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

const never = () => new AbortController().signal;

async function failure(promise: Promise<unknown>): Promise<TrackerError> {
  const error = await promise.then(
    () => new Error('It succeeded.'),
    (reason: unknown) => reason,
  );
  if (error instanceof TrackerError) return error;
  throw error;
}

describe('a faulty host', () => {
  test('is retried three times with growing delays, then the call fails', async () => {
    const { client, requests, waits } = await scripted([status(502)]);
    expect((await failure(client.call(get, never()))).code).toBe('server_error');
    expect(requests).toHaveLength(4);
    expect(waits).toEqual([375, 750, 1500]);
  });

  test('that recovers costs the caller nothing', async () => {
    const { client, lines } = await scripted([status(500), (request) => request.socket.destroy(), ok]);
    expect((await client.call(get, never())).data).toEqual({ fine: true });
    expect(lines).toHaveLength(2);
  });

  test('never gets a comment twice', async () => {
    const { client, requests } = await scripted([status(502)]);
    const post: RestCall = { ...get, method: 'POST', body: { body: 'text' } };
    expect((await failure(client.call(post, never()))).transient).toBe(true);
    expect(requests).toHaveLength(1);
  });

  test.each(['PATCH', 'DELETE'] as const)('may get a %s again, which is idempotent', async (method) => {
    const { client, requests } = await scripted([status(502), status(204)]);
    await client.call({ ...get, method }, never());
    expect(requests).toHaveLength(2);
  });

  test('that drops the connection within a response counts as unreachable', async () => {
    const cut: Reply = (request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('[{"id":', () => request.socket.destroy());
    };
    const { client, requests } = await scripted([cut]);
    expect((await failure(client.call(get, never()))).code).toBe('unreachable');
    expect(requests).toHaveLength(4);
    const recovered = await scripted([cut, ok]);
    expect((await recovered.client.call(get, never())).data).toEqual({ fine: true });
  });

  test.each(['<html>Sign in</html>', '[{"id":1},', ''])(
    'that responds with %j is reported as unreadable',
    async (body) => {
      const { client } = await scripted([status(200, {}, body)]);
      const error = await failure(client.call(get, never()));
      expect(error.code).toBe('malformed');
      expect(error.message).toContain('unreadable response when asked for the thing');
      expect(error.message).not.toContain('<');
    },
  );

  test('at a port without a listener is reported as unreachable', async () => {
    const { client, server } = await scripted([ok]);
    server.close();
    await once(server, 'close');
    const error = await failure(client.call(get, never()));
    expect(error.code).toBe('unreachable');
    expect(error.message).toMatch(/Nothing responds at 127\.0\.0\.1:\d+/);
  });

  test('at a private address is not called, and the message names the setting that allows it', async () => {
    const { client, requests, waits } = await scripted([ok], { allowedHosts: [] });
    const error = await failure(client.call(get, never()));
    expect(error.code).toBe('refused');
    expect(error.message).toContain('OUTBOUND_ALLOWED_HOSTS');
    expect([requests, waits]).toEqual([[], []]);
  });
});

describe('a rate limit', () => {
  test('that ends soon is waited out, even for a comment', async () => {
    const { client, waits, requests } = await scripted([status(429, { 'retry-after': '3' }), ok]);
    await client.call({ ...get, method: 'POST', body: { body: 'text' } }, never());
    expect(waits).toEqual([3000]);
    expect(requests).toHaveLength(2);
  });

  test('that ends later blocks every call with this token until then, and none with another', async () => {
    const spent = {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Date.parse('2024-05-01T12:15:00Z') / 1000),
    };
    const { client, clientFor, requests, pass } = await scripted([status(403, spent), ok]);
    const error = await failure(client.call(get, never()));
    expect(error.code).toBe('rate_limited');
    expect(error.retryAt).toEqual(new Date('2024-05-01T12:15:00Z'));
    expect(error.message).toBe(
      `${client.address.name} allows no more requests with this token until 12:15:00 UTC.`,
    );

    const again = await failure(client.call(get, never()));
    expect([again.code, again.retryAt]).toEqual(['rate_limited', new Date('2024-05-01T12:15:00Z')]);
    expect(requests).toHaveLength(1);
    await clientFor('another token').call(get, never());
    expect(requests).toHaveLength(2);

    pass(15 * 60_000);
    await client.call(get, never());
    expect(requests).toHaveLength(3);
  });

  test('of the secondary kind without a time blocks calls for a minute', async () => {
    const body = '{"message":"You have exceeded a secondary rate limit. Please wait a few minutes."}';
    const { client, requests, pass } = await scripted([status(403, {}, body), ok]);
    const error = await failure(client.call(get, never()));
    expect(error.retryAt).toEqual(new Date('2024-05-01T12:01:00Z'));
    pass(60_000);
    await client.call(get, never());
    expect(requests).toHaveLength(2);
  });
});

describe('a redirect', () => {
  test('to another host is not followed, and the token is not sent', async () => {
    const elsewhere = await scripted([ok]);
    const { client } = await scripted([status(301, { location: `${elsewhere.origin}/repositories/1` })]);
    const error = await failure(client.call(get, never()));
    expect(error.code).toBe('refused');
    expect(error.message).toContain(elsewhere.origin);
    expect(elsewhere.requests).toEqual([]);
  });

  test('to another repository is not followed, so that nothing is written there', async () => {
    const { client, requests } = await scripted([status(301, { location: '/repositories/99/issues/1' }), ok]);
    const patch: RestCall = { ...get, method: 'PATCH', body: {}, ...withinRepository('98', 'the thing') };
    expect((await failure(client.call(patch, never()))).code).toBe('not_found');
    expect(requests).toHaveLength(1);
  });

  test('loop ends', async () => {
    const { client, requests } = await scripted([status(301, { location: '/api/v3/thing' })]);
    expect((await failure(client.call(get, never()))).code).toBe('invalid');
    expect(requests).toHaveLength(4);
  });

  test.each(['GET', 'POST', 'PATCH'] as const)(
    'of a %s to a renamed repository is followed with the same method',
    async (method) => {
      const { client, requests } = await scripted([
        status(301, { location: '/repositories/98/issues/1' }),
        ok,
      ]);
      const body = method === 'GET' ? {} : { body: { title: 'text' } };
      await client.call({ ...get, ...body, method, ...withinRepository('98', 'the thing') }, never());
      expect(requests.map(({ method, url, text }) => [method, url, text])).toEqual([
        [method, '/api/v3/thing', method === 'GET' ? '' : '{"title":"text"}'],
        [method, '/repositories/98/issues/1', method === 'GET' ? '' : '{"title":"text"}'],
      ]);
    },
  );
});

describe('a secret', () => {
  test('repeated by the host appears in no error and no log line', async () => {
    const body = JSON.stringify({ message: `Bad token ${TOKEN}` });
    const { client, lines } = await scripted([status(500, {}, body), status(403, {}, body)]);
    const error = await failure(client.call(get, never()));
    expect(error.message).toContain('Bad token');
    const chain = [error.message, error.stack, String(error.cause), JSON.stringify(lines)].join();
    expect(chain).not.toContain(TOKEN);
  });
});

describe('an aborted call', () => {
  test('is not started if the signal has fired already', async () => {
    const { client, requests } = await scripted([ok]);
    await expect(client.call(get, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
    expect(requests).toEqual([]);
  });

  test.each([
    ['before the response', () => undefined],
    [
      'within the response',
      (response: ServerResponse) => response.writeHead(200, { 'content-length': '9' }).write('{'),
    ],
  ])('fails immediately %s, with the signal’s reason', async (_, begin) => {
    const controller = new AbortController();
    const { client, requests } = await scripted([
      (_request, response) => {
        begin(response);
        setImmediate(() => controller.abort(new Error('stop')));
      },
    ]);
    await expect(client.call(get, controller.signal)).rejects.toThrow('stop');
    expect(requests).toHaveLength(1);
  });

  test('does not wait for the end of a back-off', async () => {
    const controller = new AbortController();
    const { client, requests } = await scripted([
      (_, response) => {
        controller.signal.addEventListener('abort', () => response.destroy());
        response.writeHead(500).end();
        controller.abort(new Error('stop'));
      },
    ]);
    await expect(client.call(get, controller.signal)).rejects.toThrow('stop');
    expect(requests).toHaveLength(1);
  });
});

test('a request has user agent, API version, and ETag', async () => {
  const { client, requests } = await scripted([status(304)]);
  const query = { state: 'all', since: '2024-01-01T00:00:00Z' };
  const answer = await client.call({ ...get, query, etag: 'W/"abc"' }, never());
  expect([answer.status, answer.data]).toEqual([304, undefined]);
  expect(requests[0]?.url).toBe('/api/v3/thing?state=all&since=2024-01-01T00%3A00%3A00Z');
  expect(requests[0]?.headers).toMatchObject({
    authorization: `Bearer ${TOKEN}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    'if-none-match': 'W/"abc"',
    'user-agent': 'Winnow',
  });
});

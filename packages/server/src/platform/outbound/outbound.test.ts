import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { SMTPServer } from 'smtp-server';
import { Agent } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import type { ResolvedAddress } from './address-guard.ts';
import { createOutbound, type Outbound, type OutboundOptions } from './outbound.ts';
import {
  OutboundError,
  OutboundRefused,
  OutboundTimeout,
  OutboundTooLarge,
  OutboundUnreachable,
} from './outbound-errors.ts';

const cleanups: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function outboundWith(options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = createOutbound({
    allowedHosts: [],
    userAgent: 'winnow-test',
    log: { info: () => undefined },
    ...options,
  });
  cleanups.push(() => outbound.close());
  return outbound;
}

async function listen(server: Server | TcpServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
}

/** Starts a server that records the requests it receives. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const seen: Array<{ method: string; url: string; headers: IncomingMessage['headers']; body: string }> = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      answer(request, response);
    });
  });
  const port = await listen(server);
  return { port, origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, seen };
}

const hello = (_request: IncomingMessage, response: ServerResponse) => response.end('hello');

/** Returns a port on which no server listens. */
async function closedPort(): Promise<number> {
  const server = createTcpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function failureOf(call: Promise<unknown>): Promise<OutboundError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OutboundError)) throw new Error('expected an OutboundError', { cause: error });
  return error;
}

function namesLeadTo(names: Record<string, string[]>) {
  return async (hostname: string): Promise<ResolvedAddress[]> => {
    const addresses = names[hostname];
    if (addresses === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
}

describe('a private address is refused', () => {
  test.each([
    (port: number) => `http://127.0.0.1:${port}/`,
    (port: number) => `http://2130706433:${port}/`,
    (port: number) => `http://0x7f.1:${port}/`,
    (port: number) => `http://0177.0.0.01:${port}/`,
    (port: number) => `http://127.1:${port}/`,
    (port: number) => `http://0:${port}/`,
    (port: number) => `http://0.0.0.0:${port}/`,
    (port: number) => `http://①②⑦.⓪.⓪.①:${port}/`,
    (port: number) => `http://[::1]:${port}/`,
    (port: number) => `http://[::]:${port}/`,
    (port: number) => `http://[::ffff:127.0.0.1]:${port}/`,
    (port: number) => `http://[::ffff:7f00:1]:${port}/`,
    (port: number) => `http://[64:ff9b::7f00:1]:${port}/`,
    (port: number) => `http://[2002:7f00:1::]:${port}/`,
  ])('%s', async (urlAt) => {
    const server = await serve(hello);
    const outbound = outboundWith();
    const url = urlAt(server.port);
    await expect(outbound.fetch(url)).rejects.toThrow(OutboundRefused);
    await expect(outbound.fetch(url)).rejects.toThrow(/OUTBOUND_ALLOWED_HOSTS/);
    await expect(outbound.check(url)).rejects.toThrow(OutboundRefused);
    expect(server.seen).toEqual([]);
  });

  test('for cloud metadata, immediately and not after a timeout', async () => {
    const outbound = outboundWith();
    await expect(outbound.fetch('http://169.254.169.254/latest/meta-data/')).rejects.toThrow(OutboundRefused);
  });

  test.each(['localhost', 'LOCALHOST'])('for the system’s names of this machine: %s', async (name) => {
    const server = await serve(hello);
    const url = `http://${name}:${server.port}/`;
    await expect(outboundWith().fetch(url)).rejects.toThrow(/No public host named localhost/);
    await expect(outboundWith().check(url)).rejects.toThrow(/OUTBOUND_ALLOWED_HOSTS/);
    expect(server.seen).toEqual([]);
  });

  test.each([
    ['a private address', ['127.0.0.1']],
    ['a public and a private address', ['8.8.8.8', '127.0.0.1']],
  ])('for a public name that resolves to %s', async (_, addresses) => {
    const server = await serve(hello);
    const outbound = outboundWith({ resolveHost: namesLeadTo({ 'evil.example': addresses }) });
    const url = `http://evil.example:${server.port}/`;
    await expect(outbound.fetch(url)).rejects.toThrow(/No public host named evil\.example/);
    await expect(outbound.check(url)).rejects.toThrow(/No public host named evil\.example/);
    expect(server.seen).toEqual([]);
  });

  test('without revealing whether a port is open or a private name exists', async () => {
    const open = await serve(hello);
    const closed = await closedPort();
    const outbound = outboundWith({ resolveHost: namesLeadTo({ 'wiki.corp': ['10.1.2.3'] }) });
    const told = async (url: string) => {
      const failures = await Promise.all([failureOf(outbound.fetch(url)), failureOf(outbound.check(url))]);
      const { host, port } = new URL(url);
      return failures.map(({ code, detail }) => [
        code,
        detail.replaceAll(host, 'HOST').replaceAll(port, 'PORT'),
      ]);
    };
    expect(await told(open.origin)).toEqual(await told(`http://127.0.0.1:${closed}`));
    expect(await told('http://wiki.corp')).toEqual(await told('http://none.corp'));
  });

  test('a name that resolves differently after the check is judged by the address of the connection', async () => {
    const server = await serve(hello);
    const answers = ['8.8.8.8', '127.0.0.1', '8.8.8.8'];
    let asked = 0;
    const outbound = outboundWith({
      resolveHost: async () => {
        const address = answers[asked] ?? '127.0.0.1';
        asked += 1;
        return [{ address, family: 4 }];
      },
    });
    await outbound.check(`http://rebind.example:${server.port}/`);
    await expect(outbound.fetch(`http://rebind.example:${server.port}/`)).rejects.toThrow(/No public host/);
    expect(server.seen).toEqual([]);
  });

  test('an allowed port does not allow other ports of the same address', async () => {
    const [open, shut] = [await serve(hello), await serve(hello)];
    const outbound = outboundWith({ allowedHosts: [open.host] });
    expect(await (await outbound.fetch(open.origin)).text()).toBe('hello');
    await expect(outbound.fetch(shut.origin)).rejects.toThrow(OutboundRefused);
    expect(shut.seen).toEqual([]);
  });

  test("a caller's dispatcher does not bypass the guard", async () => {
    const server = await serve(hello);
    const own = new Agent();
    cleanups.push(() => own.destroy());
    const init: object = { dispatcher: own };
    await expect(outboundWith().fetch(server.origin, init)).rejects.toThrow(OutboundRefused);
    expect(server.seen).toEqual([]);
  });
});

describe('a URL that is not a web address is refused with a sentence', () => {
  test.each([
    ['not a url', /not a web address/],
    ['file:///etc/passwd', /https:\/\/ or http:\/\//],
    ['data:text/plain,hi', /https:\/\/ or http:\/\//],
    ['gopher://127.0.0.1:70/', /https:\/\/ or http:\/\//],
    ['https://user:secret@tracker.example/', /without a user name/],
  ])('%s', async (url, sentence) => {
    await expect(outboundWith().fetch(url)).rejects.toThrow(sentence);
    await expect(outboundWith().check(url)).rejects.toThrow(OutboundRefused);
  });
});

describe('a redirect', () => {
  test('into a private network is refused at that hop', async () => {
    const inner = await serve(hello);
    const outer = await serve((_request, response) =>
      response.writeHead(302, { location: inner.origin }).end(),
    );
    const outbound = outboundWith({ allowedHosts: [outer.host] });
    await expect(outbound.fetch(outer.origin)).rejects.toThrow(OutboundRefused);
    expect(inner.seen).toEqual([]);
  });

  test('to a file is refused', async () => {
    const outer = await serve((_request, response) =>
      response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    );
    const outbound = outboundWith({ allowedHosts: [outer.host] });
    await expect(outbound.fetch(outer.origin)).rejects.toThrow(OutboundRefused);
  });

  test('in circles ends after five hops', async () => {
    const server = await serve((_request, response) => response.writeHead(302, { location: '/again' }).end());
    const outbound = outboundWith({ allowedHosts: [server.host] });
    await expect(outbound.fetch(server.origin)).rejects.toThrow(/in circles/);
    expect(server.seen).toHaveLength(6);
  });

  test('to another origin sends no credential, whatever its header is called', async () => {
    const second = await serve(hello);
    const first = await serve((_request, response) =>
      response.writeHead(302, { location: `${second.origin}/there` }).end(),
    );
    const outbound = outboundWith({ allowedHosts: [first.host, second.host] });
    const response = await outbound.fetch(first.origin, {
      headers: {
        accept: 'application/json',
        authorization: 'Bearer t',
        cookie: 'c=1',
        'private-token': 't',
        'x-api-key': 't',
      },
    });
    expect(response.redirected).toBe(true);
    expect(response.url).toBe(`${second.origin}/there`);
    expect(first.seen[0]?.headers).toMatchObject({ authorization: 'Bearer t', 'private-token': 't' });
    const headers = second.seen[0]?.headers ?? {};
    expect(headers.accept).toBe('application/json');
    for (const name of ['authorization', 'cookie', 'private-token', 'x-api-key']) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  test('to another origin sends no body', async () => {
    const second = await serve(hello);
    const first = await serve((_request, response) =>
      response.writeHead(307, { location: second.origin }).end(),
    );
    const outbound = outboundWith({ allowedHosts: [first.host, second.host] });
    await expect(outbound.fetch(first.origin, { method: 'POST', body: 'secret' })).rejects.toThrow(
      OutboundRefused,
    );
    expect(second.seen).toEqual([]);
  });

  test('within an origin keeps credentials, and method and body under 307', async () => {
    const server = await serve((request, response) =>
      request.url === '/old' ? response.writeHead(307, { location: '/new' }).end() : response.end('ok'),
    );
    const outbound = outboundWith({ allowedHosts: [server.host] });
    await outbound.fetch(`${server.origin}/old`, {
      method: 'PATCH',
      body: '{"a":1}',
      headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
    });
    expect(server.seen[1]).toMatchObject({ method: 'PATCH', url: '/new', body: '{"a":1}' });
    expect(server.seen[1]?.headers).toMatchObject({
      authorization: 'Bearer t',
      'content-type': 'application/json',
    });
  });

  test('under 303 becomes a GET without body', async () => {
    const server = await serve((request, response) =>
      request.url === '/old' ? response.writeHead(303, { location: '/new' }).end() : response.end('ok'),
    );
    const outbound = outboundWith({ allowedHosts: [server.host] });
    await outbound.fetch(`${server.origin}/old`, { method: 'POST', body: 'x' });
    expect(server.seen[1]).toMatchObject({ method: 'GET', url: '/new', body: '' });
    expect(server.seen[1]?.headers).not.toHaveProperty('content-type');
  });

  test('is returned if the caller handles redirects manually', async () => {
    const server = await serve((_request, response) => response.writeHead(302, { location: '/new' }).end());
    const outbound = outboundWith({ allowedHosts: [server.host] });
    const response = await outbound.fetch(server.origin, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/new']);
  });
});

describe('a failing host is explained in a sentence', () => {
  test('with an unknown name', async () => {
    const outbound = outboundWith({ resolveHost: namesLeadTo({}) });
    await expect(outbound.fetch('https://nowhere.example/')).rejects.toThrow(OutboundUnreachable);
    await expect(outbound.check('https://nowhere.example/')).rejects.toThrow(
      /No public host named nowhere\.example was found\. Check the spelling/,
    );
  });

  test('with an untrusted certificate', async () => {
    // Any TLS server with a self-signed certificate would do. The SMTP server includes one.
    const server = new SMTPServer({ secure: true, logger: false });
    server.on('error', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    cleanups.push(() => new Promise((resolve) => server.close(() => resolve(undefined))));
    const { port } = server.server.address() as AddressInfo;
    const outbound = outboundWith({
      allowedHosts: ['localhost'],
      resolveHost: namesLeadTo({ localhost: ['127.0.0.1'] }),
    });
    await expect(outbound.fetch(`https://localhost:${port}/`)).rejects.toThrow(
      /certificate of localhost:\d+/,
    );
  });

  test('in a private network, without revealing whether a port is closed, silent or speaks another protocol', async () => {
    const silent = await serve(() => undefined);
    const other = await listen(
      createTcpServer((socket) => {
        socket.on('error', () => socket.destroy());
        socket.resume();
        socket.end('SSH-2.0-OpenSSH_9.6\r\n');
      }),
    );
    const outbound = outboundWith({
      allowedHosts: ['127.0.0.1', 'tracker.corp'],
      connectTimeoutMs: 200,
      limits: { headersTimeoutMs: 50 },
      resolveHost: namesLeadTo({ 'tracker.corp': ['127.0.0.1'] }),
    });
    const ports = [await closedPort(), silent.port, other];
    for (const host of ['127.0.0.1', 'tracker.corp']) {
      for (const scheme of ['http', 'https']) {
        for (const port of ports) {
          const { code, detail } = await failureOf(outbound.fetch(`${scheme}://${host}:${port}/`));
          expect([scheme, code, detail]).toEqual([
            scheme,
            'outbound_unreachable',
            `Nothing responds at ${host}:${port}. Check the address, http or https, the port and firewalls, and that the service is running.`,
          ]);
        }
      }
    }
  });

  test('that stops in the middle, or accepts no connection', async () => {
    const stalling = await serve((_request, response) => response.write('begin'));
    const outbound = outboundWith({
      connectTimeoutMs: 60,
      allowedHosts: [stalling.host, 'slow.example'],
      limits: { headersTimeoutMs: 50, bodyTimeoutMs: 50 },
      resolveHost: () => new Promise(() => undefined),
    });
    const body = outbound.fetch(stalling.origin).then((response) => response.text());
    await Promise.all([
      expect(body).rejects.toThrow(OutboundTimeout),
      expect(outbound.fetch('http://slow.example/')).rejects.toThrow(OutboundTimeout),
    ]);
  });

  test('that cuts the connection in the middle of its response', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('begin', () => response.destroy());
    });
    const outbound = outboundWith({ allowedHosts: [server.host] });
    const response = await outbound.fetch(server.origin);
    await expect(response.text()).rejects.toThrow(OutboundUnreachable);
  });
});

test('a response above the limit fails while it is read, even if it was small when compressed', async () => {
  const bomb = gzipSync(Buffer.alloc(4 * 1024 * 1024));
  const server = await serve((request, response) => {
    if (request.url === '/bomb') response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    else response.end(Buffer.alloc(2 * 1024 * 1024));
  });
  const outbound = outboundWith({ allowedHosts: [server.host], limits: { maxResponseBytes: 1024 * 1024 } });
  for (const path of ['/plain', '/bomb']) {
    const response = await outbound.fetch(`${server.origin}${path}`);
    await expect(response.arrayBuffer()).rejects.toThrow(OutboundTooLarge);
  }
  const wide = outbound.fetchWith({ maxResponseBytes: 8 * 1024 * 1024 });
  expect((await (await wide(`${server.origin}/bomb`)).arrayBuffer()).byteLength).toBe(4 * 1024 * 1024);
});

test("aborting rejects with the signal's reason, before and during the response", async () => {
  const server = await serve((request, response) => {
    if (request.url === '/body') response.write('begin');
  });
  const outbound = outboundWith({ allowedHosts: [server.host] });
  const reason = new Error('job stopped');
  const before = new AbortController();
  const pending = outbound.fetch(server.origin, { signal: before.signal });
  before.abort(reason);
  await expect(pending).rejects.toBe(reason);

  const within = new AbortController();
  const response = await outbound.fetch(`${server.origin}/body`, { signal: within.signal });
  const text = response.text();
  within.abort(reason);
  await expect(text).rejects.toBe(reason);
});

test('an allowed name is called wherever it resolves to, and returns a standard Response', async () => {
  const server = await serve((_request, response) => {
    response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] });
    response.end('{"ok":true}');
  });
  const outbound = outboundWith({
    exemptHosts: ['tracker.corp'],
    resolveHost: namesLeadTo({ 'tracker.corp': ['127.0.0.1'] }),
  });
  const url = `http://tracker.corp:${server.port}/api?x=1`;
  await outbound.check(url);
  const form = new FormData();
  form.set('title', 'héllo');
  const response = await outbound.fetch(new Request(url, { method: 'POST', body: form }));
  expect(response).toBeInstanceOf(Response);
  expect([response.status, response.url, response.redirected]).toEqual([201, url, false]);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(await response.json()).toEqual({ ok: true });
  expect(server.seen[0]).toMatchObject({ method: 'POST', url: '/api?x=1' });
  expect(server.seen[0]?.body).toContain('héllo');
  expect(server.seen[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect(server.seen[0]?.headers['user-agent']).toBe('winnow-test');
  expect(server.seen[0]?.headers.host).toBe(`tracker.corp:${server.port}`);
});

test.each([204, 304])('a response without body is passed through: %i', async (status) => {
  const server = await serve((_request, response) => response.writeHead(status, { etag: '"1"' }).end());
  const outbound = outboundWith({ allowedHosts: [server.host] });
  const response = await outbound.fetch(server.origin);
  expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([status, '"1"', '']);
});

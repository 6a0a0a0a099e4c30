import { once } from 'node:events';
import type { LiveEvent } from '@winnow/contract/live';
import { describe, expect, onTestFinished, test } from 'vitest';
import WebSocket from 'ws';
import { unauthorized } from '../errors.ts';
import type { AppOptions } from '../http/app.ts';
import { startServer } from '../testing/http-app.ts';
import type { AccountEvent } from './account-event.ts';
import { type LiveChannelOptions, registerLiveChannel } from './live-channel.ts';
import { type Click, followAccount } from './live-socket.ts';

const PUBLIC_URL = 'http://localhost:3000';
const EVENT: LiveEvent = { type: 'issues_changed', tracker_id: '11111111-1111-4111-8111-111111111111' };

/**
 * Starts a live channel. A token names an account and a session: `ada-phone` is session `phone` of
 * account `ada`, and `ada` is its default session. The tokens in `revoked` are invalid.
 */
async function startChannel(options: Partial<LiveChannelOptions> = {}, appOptions: Partial<AppOptions> = {}) {
  const listeners = new Map<string, Set<(event: AccountEvent) => void>>();
  const clicks: Click[] = [];
  const revoked = new Set<string>();
  const listening = Promise.withResolvers<void>();
  let joins = 0;
  let changed = Promise.withResolvers<void>();
  const notify = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const server = await startServer(
    (app) =>
      registerLiveChannel(app, {
        publicUrl: PUBLIC_URL,
        now: Date.now,
        authenticate: async (token) => {
          if (token === 'broken') throw new Error('database password=hunter2');
          if (!/^[a-z]+(-[a-z]+)?$/.test(token) || revoked.has(token)) throw unauthorized();
          const [accountId = '', sessionId = accountId] = token.split('-');
          return {
            accountId,
            homeId: accountId,
            userId: 'user',
            sessionId,
            expiresAt: new Date(Date.now() + 600_000),
          };
        },
        subscribe: (accountId, handler) => {
          joins += 1;
          const all = listeners.get(accountId) ?? new Set();
          listeners.set(accountId, all.add(handler));
          notify();
          return () => {
            all.delete(handler);
            notify();
          };
        },
        listening: () => listening.promise,
        countClick: (click) => {
          clicks.push(click);
          notify();
        },
        ...options,
      }),
    appOptions,
  );
  const until = async (holds: () => boolean) => {
    while (!holds()) await changed.promise;
  };
  return {
    ...server,
    clicks,
    revoked,
    joins: () => joins,
    /** Resolves the promise that `listening` returned, as if the subscription were active. */
    beginListening: () => listening.resolve(),
    listening: (accountId: string) => listeners.get(accountId)?.size ?? 0,
    publish: (accountId: string, event: AccountEvent) => {
      for (const handler of listeners.get(accountId) ?? []) handler(event);
    },
    until,
    joined: (accountId: string, count = 1) => until(() => (listeners.get(accountId)?.size ?? 0) === count),
  };
}

type Client = {
  socket: WebSocket;
  say(message: unknown): void;
  heard: string[];
  hear(): Promise<string>;
  closed: Promise<number>;
};

function open(port: number, headers: Record<string, string> = {}, path = '/api/v1/ws'): Client {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  onTestFinished(() => socket.terminate());
  const heard: string[] = [];
  socket.on('error', () => undefined);
  return {
    socket,
    heard,
    say: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    hear: async () => {
      const [data] = await once(socket, 'message');
      heard.push(String(data));
      return String(data);
    },
    closed: new Promise((resolve) => socket.once('close', resolve)),
  };
}

async function connected(port: number, headers?: Record<string, string>, path?: string): Promise<Client> {
  const client = open(port, headers, path);
  await once(client.socket, 'open');
  return client;
}

const authenticate = (token: string) => ({ type: 'authenticate', token });
const click = (path: string) => ({ type: 'click', target: { id: 'save', tagName: 'BUTTON' }, path });

describe('a socket that has not authenticated', () => {
  test('receives nothing of any account', async () => {
    const channel = await startChannel();
    const [stranger, ada] = [await connected(channel.port), await connected(channel.port)];
    const strangerHeard: string[] = [];
    stranger.socket.on('message', (data) => strangerHeard.push(String(data)));
    ada.say(authenticate('ada'));
    await channel.joined('ada');
    const received = ada.hear();
    channel.publish('ada', EVENT);
    expect(JSON.parse(await received)).toEqual(EVENT);
    const answered = once(stranger.socket, 'message');
    stranger.say('ping');
    await answered;
    expect(strangerHeard).toEqual(['pong']);
  });

  test.each(['wrong.token', '', 'X'.repeat(3_000)])(
    'with an invalid token is closed with 4401',
    async (token) => {
      const channel = await startChannel();
      const client = await connected(channel.port);
      client.say(authenticate(token));
      expect(await client.closed).toBe(4401);
      expect(channel.joins()).toBe(0);
    },
  );

  test('is asked to retry after a server error, without details', async () => {
    const { port, lines } = await startChannel();
    const client = await connected(port);
    client.say(authenticate('broken'));
    const [code, reason] = await once(client.socket, 'close');
    expect([code, String(reason)]).toEqual([1013, 'Try again later.']);
    expect(lines.some((line) => line.level === 50)).toBe(true);
  });
});

describe('a page of another site cannot connect', () => {
  test.each([
    'https://evil.example',
    'http://localhost:3001',
    'https://localhost:3000',
    'http://localhost.evil.example:3000',
    'null',
    'file://',
  ])('from %s', async (origin) => {
    const { port } = await startChannel();
    const client = open(port, { origin });
    const [, response] = await once(client.socket, 'unexpected-response');
    expect(response.statusCode).toBe(403);
  });

  test.each([PUBLIC_URL, 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
    'but our own page can: %s',
    async (origin) => {
      const { port } = await startChannel();
      await connected(port, { origin });
    },
  );
});

describe('a misbehaving client is disconnected', () => {
  test('for a message that is too large, with 1009', async () => {
    const { port } = await startChannel();
    const client = await connected(port);
    client.say('x'.repeat(16 * 1024 + 1));
    expect(await client.closed).toBe(1009);
  });

  test('for unreadable messages beyond a few, with 1007', async () => {
    const { port } = await startChannel();
    const client = await connected(port);
    for (const text of ['{', '[]', '{"type":"shutdown"}']) client.say(text);
    const answered = client.hear();
    client.say('ping');
    expect(await answered).toBe('pong');
    client.socket.send(Buffer.from([1, 2, 3]));
    expect(await client.closed).toBe(1007);
  });

  test('for flooding, with 1008', async () => {
    const { port } = await startChannel({ limits: { messages: { max: 5, perMs: 60_000 } } });
    const client = await connected(port);
    for (let time = 0; time < 6; time += 1) client.say('pong');
    expect(await client.closed).toBe(1008);
  });

  test('for more sockets than allowed per address; closing one makes room', async () => {
    const channel = await startChannel({ limits: { socketsPerAddress: 2 } });
    const { port } = channel;
    const join = async () => {
      const client = await connected(port);
      client.say(authenticate('ada'));
      return client;
    };
    const [first] = [await join(), await join()];
    await channel.joined('ada', 2);
    expect(await (await join()).closed).toBe(1013);
    first.socket.close();
    await channel.joined('ada', 1);
    await join();
    await channel.joined('ada', 2);
  });

  test('for not signing in, and cannot block clients that do', async () => {
    const channel = await startChannel({
      limits: { socketsPerAddress: 1, anonymousPerAddress: 2, joinWithinMs: 1_500 },
    });
    const { port } = channel;
    const [oldest, silent] = [await connected(port), await connected(port)];
    const member = await connected(port);
    expect(await oldest.closed).toBe(1013);
    member.say(authenticate('ada'));
    await channel.joined('ada');
    expect(await silent.closed).toBe(4401);
    expect(channel.listening('ada')).toBe(1);
  });

  test('if it stops clicking without signing in', async () => {
    const channel = await startChannel({ limits: { joinWithinMs: 1_000, clickerIdleMs: 2_000 } });
    const client = await connected(channel.port);
    const startMs = performance.now();
    client.say({ type: 'click', target: { tagName: 'A' }, path: '/pricing' });
    expect(await client.closed).toBe(4401);
    expect(performance.now() - startMs).toBeGreaterThan(1_900);
    expect(channel.clicks).toHaveLength(1);
  });

  test('for staying without ever signing in, however often it clicks', async () => {
    const { port } = await startChannel({ limits: { clickerMaxMs: 600 } });
    const client = await connected(port);
    const clicking = setInterval(() => client.say(click('/pricing')), 50);
    onTestFinished(() => clearInterval(clicking));
    expect(await client.closed).toBe(4401);
  });

  test('for not signing in to another channel in time, however often it clicks', async () => {
    const other = { url: '/api/v1/ws/other', follow: () => followAccount };
    const channel = await startChannel({
      routes: [other],
      limits: { joinWithinMs: 300, clickerIdleMs: 30_000, clickerMaxMs: 30_000 },
    });
    const client = await connected(channel.port, {}, other.url);
    const startMs = performance.now();
    const clicking = setInterval(() => client.say(click('/console')), 50);
    onTestFinished(() => clearInterval(clicking));
    expect(await client.closed).toBe(4401);
    expect(performance.now() - startMs).toBeLessThan(25_000);
    expect(channel.clicks).toEqual([]);
  });

  test('for silence', async () => {
    const { port } = await startChannel({ limits: { silentAfterMs: 40, pingIntervalMs: 15 } });
    const silent = await connected(port);
    expect(await silent.closed).toBe(1006);
  });

  test('for reading too slowly', async () => {
    const channel = await startChannel({ limits: { maxBufferedBytes: 64 * 1024 } });
    const client = await connected(channel.port);
    client.say(authenticate('ada'));
    await channel.joined('ada');
    client.socket.pause();
    // Publishes far more data than the kernel's socket buffers hold.
    for (let time = 0; time < 400_000 && channel.listening('ada') > 0; time += 1) {
      channel.publish('ada', EVENT);
      if (time % 5_000 === 0) await new Promise(setImmediate);
    }
    await channel.joined('ada', 0);
  });
});

test('a client that answers pings stays connected, and the server sends pings by itself', async () => {
  const { port } = await startChannel({ limits: { silentAfterMs: 2_000, pingIntervalMs: 200 } });
  const client = await connected(port);
  client.socket.on('message', (data) => {
    if (String(data) === 'ping') client.say('pong');
  });
  for (let time = 0; time < 12; time += 1) expect(await client.hear()).toBe('ping');
  expect(client.socket.readyState).toBe(WebSocket.OPEN);
});

test('clicks count before and after authentication, without text, query or typed input', async () => {
  const channel = await startChannel();
  const client = await connected(channel.port);
  client.say({
    ...click('/console/issues?query=hunter2#x'),
    target: { id: 'save', tagName: 'BUTTON', text: 'hunter2' },
  });
  client.say(authenticate('ada'));
  await channel.joined('ada');
  client.say({ type: 'click', target: {}, path: '/console' });
  await channel.until(() => channel.clicks.length === 2);
  expect(channel.clicks).toEqual([
    { id: 'save', tagName: 'BUTTON', path: '/console/issues' },
    { path: '/console' },
  ]);
  expect(JSON.stringify(channel.lines)).not.toContain('hunter2');
});

test('clicks beyond the limit are not counted, and do not close the connection', async () => {
  const channel = await startChannel({ limits: { clicks: { max: 3, perMs: 600_000 } } });
  const client = await connected(channel.port);
  for (let time = 0; time < 10; time += 1) client.say(click('/console'));
  const answered = client.hear();
  client.say('ping');
  expect(await answered).toBe('pong');
  expect(channel.clicks).toHaveLength(3);
});

describe('a joined channel', () => {
  test('delivers only events of its account, and ends when the socket closes', async () => {
    const channel = await startChannel();
    const [ada, bob] = [await connected(channel.port), await connected(channel.port)];
    ada.say(authenticate('ada'));
    bob.say(authenticate('bob'));
    await channel.joined('ada');
    await channel.joined('bob');
    const heard = [ada.hear(), bob.hear()];
    channel.publish('ada', EVENT);
    channel.publish('bob', { type: 'usage_updated' });
    expect((await Promise.all(heard)).map((text) => JSON.parse(text))).toEqual([
      EVENT,
      { type: 'usage_updated' },
    ]);
    ada.socket.close();
    await channel.joined('ada', 0);
    expect(channel.listening('bob')).toBe(1);
  });

  test('switches accounts with a new token, and never delivers both', async () => {
    const channel = await startChannel();
    const client = await connected(channel.port);
    client.say(authenticate('ada'));
    await channel.joined('ada');
    client.say(authenticate('bob'));
    await channel.joined('bob');
    expect(channel.listening('ada')).toBe(0);
  });

  test('is closed with 4401 when the token expires, unless it was renewed', async () => {
    const channel = await startChannel({
      authenticate: async (token) => ({
        accountId: token,
        homeId: token,
        userId: 'user',
        sessionId: token,
        expiresAt: new Date(Date.now() + (token === 'ada' ? 400 : 600_000)),
      }),
    });
    const [leaving, staying] = [await connected(channel.port), await connected(channel.port)];
    leaving.say(authenticate('ada'));
    staying.say(authenticate('ada'));
    await channel.joined('ada', 2);
    staying.say(authenticate('renewed'));
    await channel.joined('renewed');
    expect(await leaving.closed).toBe(4401);
    const answered = staying.hear();
    staying.say('ping');
    expect(await answered).toBe('pong');
    expect([channel.listening('ada'), channel.listening('renewed')]).toEqual([0, 1]);
  });

  test('does not start with an expired token', async () => {
    const channel = await startChannel({
      authenticate: async () => ({
        accountId: 'ada',
        homeId: 'ada',
        userId: 'ada',
        sessionId: 'ada',
        expiresAt: new Date(Date.now() - 1),
      }),
    });
    const client = await connected(channel.port);
    client.say(authenticate('ada'));
    expect(await client.closed).toBe(4401);
    expect(channel.joins()).toBe(0);
  });

  test('is closed with 4401 when its session is revoked; other sessions stay open', async () => {
    const channel = await startChannel();
    const [phone, laptop] = [await connected(channel.port), await connected(channel.port)];
    phone.say(authenticate('ada-phone'));
    laptop.say(authenticate('ada-laptop'));
    await channel.joined('ada', 2);
    channel.publish('ada', { type: 'session_revoked', session_id: 'phone' });
    expect(await phone.closed).toBe(4401);
    const heard = laptop.hear();
    channel.publish('ada', EVENT);
    expect(JSON.parse(await heard)).toEqual(EVENT);
    expect(phone.heard).toEqual([]);
  });

  test('is closed if its session was revoked between lookup and subscription', async () => {
    const channel = await startChannel();
    const client = await connected(channel.port);
    client.say(authenticate('ada'));
    await channel.joined('ada');
    channel.revoked.add('ada');
    channel.beginListening();
    expect(await client.closed).toBe(4401);
  });

  test('is closed with 4401 soon after the revocation, even if the event is lost', async () => {
    const channel = await startChannel({ limits: { pingIntervalMs: 20 } });
    const client = await connected(channel.port);
    client.say(authenticate('ada'));
    await channel.joined('ada');
    channel.revoked.add('ada');
    expect(await client.closed).toBe(4401);
    await channel.joined('ada', 0);
  });
});

test('a socket that closes during the token lookup does not join', async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const channel = await startChannel({
    authenticate: async () => {
      asked.resolve();
      await answer.promise;
      return {
        accountId: 'ada',
        homeId: 'ada',
        userId: 'ada',
        sessionId: 'ada',
        expiresAt: new Date(Date.now() + 60_000),
      };
    },
  });
  const client = await connected(channel.port);
  client.say(authenticate('ada'));
  await asked.promise;
  const serverSide = [...channel.app.websocketServer.clients][0];
  const gone = new Promise((resolve) => serverSide?.once('close', resolve));
  client.socket.terminate();
  await gone;
  answer.resolve();
  await new Promise(setImmediate);
  expect(channel.joins()).toBe(0);
});

test('stopping closes every socket with 1001, even one that does not respond', async () => {
  const { app, port } = await startChannel({ limits: { closeGraceMs: 30 } });
  const [polite, deaf] = [await connected(port), await connected(port)];
  deaf.socket.pause();
  await app.close();
  expect(await polite.closed).toBe(1001);
});

test('a plain request gets an error that asks for an upgrade, and connecting is rate-limited', async () => {
  const { app, port } = await startChannel({}, { rateLimit: { max: 2, windowMs: 60_000 } });
  const answer = await app.inject('/api/v1/ws');
  expect([answer.statusCode, answer.json().code]).toEqual([426, 'upgrade_required']);
  await connected(port);
  const [, refused] = await once(open(port).socket, 'unexpected-response');
  expect(refused.statusCode).toBe(429);
});

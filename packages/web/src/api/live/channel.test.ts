import { CLOSE_GONE } from '@winnow/contract/live-close';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../session/api-error.ts';
import { SessionLost } from '../session/session-lost.ts';
import { reconnectDelayMs } from './backoff.ts';
import { type Connection, type ConnectionListener, createLiveChannel } from './channel.ts';

const EXPIRES_IN_MS = 900_000;

/** The client's end of a connection. The test plays the server. */
class PlayedLine implements Connection {
  sent: string[] = [];
  closedWith: number | null = null;
  #open = false;
  #listener: ConnectionListener;

  constructor(listener: ConnectionListener) {
    this.#listener = listener;
  }

  isOpen = () => this.#open;
  send = (data: string) => void this.sent.push(data);
  close = (code: number) => {
    this.#open = false;
    this.closedWith = code;
  };
  accept(): void {
    this.#open = true;
    this.#listener.opened();
  }
  say(data: unknown): void {
    this.#listener.heard(typeof data === 'string' ? data : JSON.stringify(data));
  }
  drop(code: number): void {
    this.#open = false;
    this.#listener.closed(code);
  }
}

/**
 * Sets up a channel. By default, a user is signed in whose token can be renewed any number of
 * times.
 */
function setUp({ signedIn = true } = {}) {
  const lines: PlayedLine[] = [];
  const notices: string[] = [];
  const upOrDown: boolean[] = [];
  const events: unknown[] = [];
  const session = {
    token: signedIn ? 'token-1' : null,
    expiresAt: Date.now() + EXPIRES_IN_MS,
    renewals: 0,
    failure: null as Error | null,
  };
  const channel = createLiveChannel({
    open: (listener) => {
      const line = new PlayedLine(listener);
      lines.push(line);
      return line;
    },
    token: () => (session.token === null ? null : { token: session.token, expiresAt: session.expiresAt }),
    renew: async () => {
      session.renewals += 1;
      if (session.failure !== null) throw session.failure;
      session.token = `token-${session.renewals + 1}`;
      session.expiresAt = Date.now() + EXPIRES_IN_MS;
      return session.token;
    },
    now: Date.now,
    random: () => 0,
    onMessage: (message) => events.push(message),
    onReconnected: () => notices.push('reconnected'),
    onUpOrDown: (isUp) => upOrDown.push(isUp),
    onGone: () => notices.push('gone'),
    onSessionLost: () => notices.push('session lost'),
  });
  const last = () => {
    const line = lines.at(-1);
    if (line === undefined) throw new Error('The channel has not opened a line.');
    return line;
  };
  const tokensSent = () =>
    lines.flatMap((line) =>
      line.sent.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text).token),
    );
  return { channel, lines, last, notices, upOrDown, events, session, tokensSent };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the live channel', () => {
  test('authenticates before sending anything else', () => {
    const { channel, last } = setUp();
    channel.start();
    expect(channel.send({ type: 'click', target: {}, path: '/' })).toBe(false);
    last().accept();
    expect(last().sent).toEqual([JSON.stringify({ type: 'authenticate', token: 'token-1' })]);
  });

  test('sends no token for a visitor', () => {
    const { channel, last } = setUp({ signedIn: false });
    channel.start();
    last().accept();
    expect(last().sent).toEqual([]);
  });

  test('of a visitor stays closed after the server closes it, and reopens for the next click', () => {
    const { channel, lines, last } = setUp({ signedIn: false });
    channel.start();
    last().accept();
    last().drop(4401);
    vi.advanceTimersByTime(600_000);
    expect(lines).toHaveLength(1);
    const click = { type: 'click' as const, target: {}, path: '/' };
    expect([channel.send(click), channel.send(click)]).toEqual([true, true]);
    expect(lines).toHaveLength(2);
    last().accept();
    expect(last().sent).toEqual([JSON.stringify(click), JSON.stringify(click)]);
  });

  test('delivers valid JSON and drops the rest', () => {
    const { channel, last, events } = setUp();
    channel.start();
    last().accept();
    for (const noise of ['', 'hello', '{', '[]', 'null', '{"type":"from_the_future"}']) last().say(noise);
    last().say({ type: 'usage_updated' });
    expect(events).toEqual([[], null, { type: 'from_the_future' }, { type: 'usage_updated' }]);
  });

  test('responds to pings and sends a heartbeat every 30 s', () => {
    const { channel, last } = setUp();
    channel.start();
    last().accept();
    last().say('ping');
    expect(last().sent.slice(1)).toEqual(['pong']);
    vi.advanceTimersByTime(60_000);
    expect(last().sent.slice(1)).toEqual(['pong', 'pong', 'pong']);
  });

  test('abandons a connection that is silent for 75 s', () => {
    const { channel, lines, last } = setUp();
    channel.start();
    last().accept();
    vi.advanceTimersByTime(90_000);
    expect(lines[0]?.closedWith).toBe(1000);
    vi.advanceTimersByTime(1000);
    expect(lines).toHaveLength(2);
  });

  test('reconnects after a disconnect and reports that data may be outdated', () => {
    const { channel, lines, last, notices } = setUp();
    channel.start();
    last().accept();
    expect(notices).toEqual([]);
    last().drop(1001);
    vi.advanceTimersByTime(reconnectDelayMs(0, 0));
    last().accept();
    expect(lines).toHaveLength(2);
    expect(notices).toEqual(['reconnected']);
  });

  test('does not reconnect after the resource is gone', () => {
    const { channel, lines, last } = setUp();
    channel.start();
    last().accept();
    last().drop(CLOSE_GONE);
    vi.advanceTimersByTime(600_000);
    expect(lines).toHaveLength(1);
  });

  test('backs off after repeated failures, and reconnects immediately on request', () => {
    const { channel, lines, last } = setUp();
    channel.start();
    last().drop(1006);
    vi.advanceTimersByTime(500);
    expect(lines).toHaveLength(2);
    last().drop(1006);
    vi.advanceTimersByTime(500);
    expect(lines).toHaveLength(2);
    channel.reconnectNow();
    expect(lines).toHaveLength(3);
    vi.advanceTimersByTime(60_000);
    expect(lines).toHaveLength(3);
  });

  test('renews its token a minute before expiry on the same connection', async () => {
    const { channel, lines, last, tokensSent } = setUp();
    channel.start();
    last().accept();
    for (let minute = 0; minute < 14; minute += 1) {
      await vi.advanceTimersByTimeAsync(60_000);
      last().say('ping');
    }
    expect(tokensSent()).toEqual(['token-1', 'token-2']);
    expect(lines).toHaveLength(1);
  });

  test('uses a token renewed elsewhere instead of renewing it again', async () => {
    const { channel, last, session, tokensSent } = setUp();
    channel.start();
    last().accept();
    session.token = 'from-another-tab';
    session.expiresAt += EXPIRES_IN_MS;
    for (let minute = 0; minute < 14; minute += 1) {
      await vi.advanceTimersByTimeAsync(60_000);
      last().say('ping');
    }
    expect(tokensSent()).toEqual(['token-1', 'from-another-tab']);
    expect(session.renewals).toBe(0);
  });

  test('reconnects with a new token after close code 4401', async () => {
    const { channel, last, tokensSent } = setUp();
    channel.start();
    last().accept();
    last().drop(4401);
    await vi.advanceTimersByTimeAsync(0);
    last().accept();
    expect(tokensSent()).toEqual(['token-1', 'token-2']);
  });

  test('backs off when the new token is refused as well', async () => {
    const { channel, lines, last, session } = setUp();
    channel.start();
    last().accept();
    last().drop(4401);
    await vi.advanceTimersByTimeAsync(0);
    last().accept();
    last().drop(4401);
    await vi.advanceTimersByTimeAsync(900);
    expect(lines).toHaveLength(2);
    expect(session.renewals).toBe(1);
  });

  test('ends the session if the token is refused and cannot be renewed', async () => {
    const { channel, last, session, notices } = setUp();
    channel.start();
    last().accept();
    session.failure = new SessionLost();
    last().drop(4401);
    await vi.advanceTimersByTimeAsync(0);
    expect(notices).toEqual(['session lost']);
  });

  test('retries and keeps the session if the server cannot renew the token', async () => {
    const { channel, lines, last, session, notices } = setUp();
    channel.start();
    last().accept();
    session.failure = new ApiError({ status: 503, code: 'unavailable', detail: 'Later.' });
    last().drop(4401);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(notices).toEqual([]);
    expect(lines.length).toBeGreaterThan(1);
  });

  test('reports connects and disconnects', () => {
    const { channel, last, upOrDown } = setUp();
    channel.start();
    expect(upOrDown).toEqual([]);
    last().accept();
    last().drop(1006);
    vi.advanceTimersByTime(1000);
    last().accept();
    channel.stop();
    expect(upOrDown).toEqual([true, false, true]);
  });

  test('stops when its resource is gone', () => {
    const { channel, lines, last, notices } = setUp();
    channel.start();
    last().accept();
    last().drop(CLOSE_GONE);
    vi.advanceTimersByTime(120_000);
    channel.reconnectNow();
    expect(lines).toHaveLength(1);
    expect(notices).toEqual(['gone']);
  });

  test('stays stopped and ignores messages after a stop', () => {
    const { channel, lines, last, events } = setUp();
    channel.start();
    last().accept();
    channel.stop();
    last().say({ type: 'usage_updated' });
    last().drop(1006);
    vi.advanceTimersByTime(120_000);
    expect(lines).toHaveLength(1);
    expect(events).toEqual([]);
  });

  test('sends the new token on a new connection after a change of user', () => {
    const { channel, last, session, tokensSent, notices } = setUp();
    channel.start();
    last().accept();
    session.token = 'other-user';
    channel.restart();
    last().accept();
    expect(tokensSent()).toEqual(['token-1', 'other-user']);
    expect(notices).toEqual([]);
  });
});

describe('the delay before reconnecting', () => {
  test('doubles from 1 s to 30 s, reduced randomly by up to half', () => {
    const delays = Array.from({ length: 8 }, (_, attempt) => reconnectDelayMs(attempt, 1));
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    expect(reconnectDelayMs(2, 0)).toBe(2000);
    expect(reconnectDelayMs(10_000, 1)).toBe(30_000);
  });
});

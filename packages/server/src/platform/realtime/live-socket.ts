import type { WebSocket } from '@fastify/websocket';
import { type ClientMessage, clientMessage } from '@winnow/contract/live';
import { CLOSE_UNAUTHENTICATED } from '@winnow/contract/live-close';
import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '../errors.ts';
import { type AccountEvent, isLiveEvent } from './account-event.ts';
import { createMessageBudget, type MessageBudgetOptions } from './message-budget.ts';

/** A click for statistics: location and element, never its text. */
export type Click = { id?: string | undefined; tagName?: string | undefined; path: string };

export type LiveSources = {
  /**
   * Returns the owner and expiry of a token.
   * @throws {AppError} `unauthorized` for an invalid one
   */
  authenticate(token: string): Promise<{ accountId: string; sessionId: string; expiresAt: Date }>;
  /** Delivers every event of the account until the returned function is called. */
  subscribe(accountId: string, handler: (event: AccountEvent) => void): () => void;
  /** Resolves once the subscription of the account is active, so that no later event is missed. */
  listening(accountId: string): Promise<void>;
  /** Counts a click of a client, authenticated or not. */
  countClick(click: Click): void;
};

/** Connection to one client. */
type ClientConnection = {
  send(message: object): void;
  close(code: number, reason: string): void;
  /** Logs a server error and closes the socket. */
  fail(error: unknown): void;
};

/** Sends events to a client that has joined. */
type Follower = {
  /** Called once the subscription is active, so that no later event is missed. */
  listening?(): void;
  hear(event: AccountEvent): void;
  leave?(): void;
};
export type Follow = (accountId: string, line: ClientConnection) => Follower;

/** Sends all browser events of an account. */
export const followAccount: Follow = (_accountId, line) => ({
  hear(event) {
    if (isLiveEvent(event)) line.send(event);
  },
});

export type LiveSocketLimits = {
  /**
   * A client that has neither authenticated nor clicked within this time is closed with code 4401.
   */
  joinWithinMs: number;
  /** An unauthenticated client is closed this long after its last click. */
  clickerIdleMs: number;
  /** Maximum age of a socket that reports clicks but has not authenticated. */
  clickerMaxMs: number;
  pingIntervalMs: number;
  silentAfterMs: number;
  /** Limit for all messages of a client. Exceeding it closes the socket. */
  messages: MessageBudgetOptions;
  /** Limit for clicks. Clicks beyond it are not counted. */
  clicks: MessageBudgetOptions;
  /** Maximum unreadable messages. A further one closes the socket. */
  unreadableMessages: number;
  /**
   * Maximum bytes buffered for a slow client. Beyond it the client is disconnected, and reloads its
   * data after reconnecting.
   */
  maxBufferedBytes: number;
};

/** Close codes of RFC 6455, section 7.4.1. Custom codes are in the contract. */
const CLOSE_UNREADABLE = 1007;
const CLOSE_FLOODING = 1008;
export const CLOSE_TRY_LATER = 1013;

/**
 * Runs the protocol of the live channel with one client until the socket closes. Before
 * authentication, the client receives only pings and pongs. Until then only its clicks are
 * processed, if `takesClicks` is set.
 */
export function serveLiveSocket(
  socket: WebSocket,
  sources: LiveSources,
  {
    limits,
    log,
    now,
    follow,
    takesClicks,
    admit,
  }: {
    limits: LiveSocketLimits;
    log: FastifyBaseLogger;
    now: () => number;
    follow: Follow;
    /**
     * True if an unauthenticated client may stay while it sends clicks. Otherwise clicks are
     * ignored.
     */
    takesClicks: boolean;
    /** Counts an authenticated client. Returns true if it may stay. */
    admit: () => boolean;
  },
): void {
  const messages = createMessageBudget(limits.messages, now);
  const clicks = createMessageBudget(limits.clicks, now);
  let unreadable = 0;
  let joined: { token: string; leave(): void } | null = null;
  /** Number of the current join attempt. Results of older attempts are ignored. */
  let attempt = 0;

  const silence = setTimeout(() => socket.terminate(), limits.silentAfterMs);
  const drop = () => socket.close(CLOSE_UNAUTHENTICATED, 'Authenticate first.');
  let tooLate = setTimeout(drop, limits.joinWithinMs);
  const notForever = setTimeout(drop, limits.clickerMaxMs);
  const ping = setInterval(() => {
    send('ping');
    if (joined !== null) recheck(joined.token);
  }, limits.pingIntervalMs);

  socket.on('message', (data, isBinary) => {
    if (socket.readyState !== socket.OPEN) return;
    silence.refresh();
    if (!messages.take()) {
      socket.close(CLOSE_FLOODING, 'Too many messages.');
      return;
    }
    const text = String(data);
    if (text === 'ping') send('pong');
    if (text === 'ping' || text === 'pong') return;
    const message = isBinary ? null : read(text);
    if (message !== null) hear(message);
    else if (unreadable === limits.unreadableMessages) socket.close(CLOSE_UNREADABLE, 'Unreadable messages.');
    else unreadable += 1;
  });
  socket.on('close', () => {
    attempt += 1;
    clearTimeout(silence);
    clearTimeout(tooLate);
    clearTimeout(notForever);
    clearInterval(ping);
    joined?.leave();
    joined = null;
  });

  function hear(message: ClientMessage): void {
    if (message.type === 'authenticate') {
      void join(message.token);
      return;
    }
    const { id, tagName } = message.target;
    if (!takesClicks || !clicks.take()) return;
    sources.countClick({ id, tagName, path: message.path.split(/[?#]/, 1)[0] ?? '' });
    if (joined !== null) return;
    clearTimeout(tooLate);
    tooLate = setTimeout(drop, limits.clickerIdleMs);
  }

  async function join(token: string): Promise<void> {
    attempt += 1;
    const mine = attempt;
    try {
      const { accountId, sessionId, expiresAt } = await sources.authenticate(token);
      if (mine !== attempt) return;
      const validMs = expiresAt.getTime() - now();
      if (validMs <= 0) {
        socket.close(CLOSE_UNAUTHENTICATED, 'The token has expired.');
        return;
      }
      if (!admit()) {
        socket.close(CLOSE_TRY_LATER, 'Too many connections from this address.');
        return;
      }
      joined?.leave();
      clearTimeout(tooLate);
      clearTimeout(notForever);
      const follower = follow(accountId, {
        send: (message) => send(JSON.stringify(message)),
        close: (code, reason) => socket.close(code, reason),
        fail,
      });
      const unsubscribe = sources.subscribe(accountId, (event) => {
        if (event.type !== 'session_revoked') follower.hear(event);
        else if (event.session_id === sessionId) {
          socket.close(CLOSE_UNAUTHENTICATED, 'The session has ended.');
        }
      });
      const expiry = setTimeout(() => socket.close(CLOSE_UNAUTHENTICATED, 'The token has expired.'), validMs);
      joined = {
        token,
        leave() {
          unsubscribe();
          follower.leave?.();
          clearTimeout(expiry);
        },
      };
      const current = joined;
      void sources.listening(accountId).then(() => {
        // The session may have been revoked between its lookup and the subscription.
        recheck(token);
        if (joined === current) follower.listening?.();
      });
    } catch (error) {
      if (mine === attempt) refuse(error);
    }
  }

  function recheck(token: string): void {
    const current = joined;
    if (current?.token !== token) return;
    sources.authenticate(token).catch((error: unknown) => {
      if (joined === current && isUnauthenticated(error)) refuse(error);
    });
  }

  function refuse(error: unknown): void {
    if (isUnauthenticated(error)) {
      socket.close(CLOSE_UNAUTHENTICATED, 'The token is not valid.');
      return;
    }
    fail(error);
  }

  function fail(error: unknown): void {
    log.error({ err: error }, 'The live channel failed.');
    socket.close(CLOSE_TRY_LATER, 'Try again later.');
  }

  function send(text: string): void {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > limits.maxBufferedBytes) {
      log.info(
        { bufferedBytes: socket.bufferedAmount },
        'A live client read too slowly and was disconnected.',
      );
      socket.terminate();
      return;
    }
    socket.send(text);
  }
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof AppError && error.category === 'unauthorized';
}

function read(text: string): ClientMessage | null {
  try {
    return clientMessage.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

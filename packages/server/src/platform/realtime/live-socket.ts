import type { WebSocket } from '@fastify/websocket';
import { type ClientMessage, clientMessage } from '@winnow/contract/live';
import { CLOSE_NOT_A_MEMBER, CLOSE_UNAUTHENTICATED } from '@winnow/contract/live-close';
import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '../errors.ts';
import { type AccountEvent, isLiveEvent } from './account-event.ts';
import { createMessageBudget, type MessageBudgetOptions } from './message-budget.ts';

/** A click, counted for statistics: page, element id and tag name, never the text. */
export type Click = { id?: string | undefined; tagName?: string | undefined; path: string };

export type LiveSources = {
  /**
   * Returns the user and the expiry of a token, in a workspace. Null chooses the user's own.
   * @throws {AppError} `unauthorized` for an invalid token, `forbidden` if the user may not use the
   * workspace
   */
  authenticate(
    token: string,
    workspaceId: string | null,
  ): Promise<{ accountId: string; userId: string; homeId: string; sessionId: string; expiresAt: Date }>;
  /** Delivers every event of the account until the returned function is called. */
  subscribe(accountId: string, handler: (event: AccountEvent) => void): () => void;
  /**
   * Resolves when the subscription of the account is active, so that later events are not missed.
   */
  listening(accountId: string): Promise<void>;
  /** Counts a click of an authenticated or anonymous client. */
  countClick(click: Click): void;
};

/** Connection to one client. Sends it messages and closes it. */
type ClientConnection = {
  send(message: object): void;
  close(code: number, reason: string): void;
  /** Logs a server error and closes the socket with code 1013, which asks the client to retry. */
  fail(error: unknown): void;
};

/** Sends events to an authenticated client. */
type Follower = {
  /** Called when the subscription is active, so that later events are not missed. */
  listening?(): void;
  hear(event: AccountEvent): void;
  leave?(): void;
};
export type Follow = (accountId: string, line: ClientConnection) => Follower;

/** Sends a client all events of its account that browsers may receive. */
export const followAccount: Follow = (_accountId, line) => ({
  hear(event) {
    if (isLiveEvent(event)) line.send(event);
  },
});

export type LiveSocketLimits = {
  /**
   * Time limit for the first authentication or click. After it, the socket is closed with code
   * 4401.
   */
  joinWithinMs: number;
  /** An anonymous client is disconnected this long after its last click. */
  clickerIdleMs: number;
  /** Maximum lifetime of an anonymous socket, even if it continues to report clicks. */
  clickerMaxMs: number;
  pingIntervalMs: number;
  silentAfterMs: number;
  /** Rate limit for all messages of a client. Exceeding it closes the socket. */
  messages: MessageBudgetOptions;
  /** Rate limit for clicks. Further clicks are ignored, but the socket stays open. */
  clicks: MessageBudgetOptions;
  /** Maximum unreadable messages. One more closes the socket. */
  unreadableMessages: number;
  /**
   * Maximum bytes buffered for a client that reads slowly. Beyond it, the client is disconnected.
   * It reloads its data after reconnecting.
   */
  maxBufferedBytes: number;
};

/** Standard close codes of RFC 6455, section 7.4.1. The contract defines our own codes. */
const CLOSE_UNREADABLE = 1007;
const CLOSE_FLOODING = 1008;
export const CLOSE_TRY_LATER = 1013;

/**
 * Runs the live channel's protocol with one client until the socket closes. Before authentication,
 * the client receives only pings and pongs. Its clicks are counted if `takesClicks` is true, and
 * other messages are ignored.
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
     * True if an anonymous client may stay connected while it reports clicks. If false, its clicks
     * are ignored.
     */
    takesClicks: boolean;
    /** Counts an authenticated client. Returns false if its address has reached the limit. */
    admit: () => boolean;
  },
): void {
  const messages = createMessageBudget(limits.messages, now);
  const clicks = createMessageBudget(limits.clicks, now);
  let unreadable = 0;
  let joined: { token: string; workspaceId: string | null; leave(): void } | null = null;
  /** Number of the current join attempt. Results of older attempts are ignored. */
  let attempt = 0;

  const silence = setTimeout(() => socket.terminate(), limits.silentAfterMs);
  const drop = () => socket.close(CLOSE_UNAUTHENTICATED, 'Authenticate first.');
  let tooLate = setTimeout(drop, limits.joinWithinMs);
  const notForever = setTimeout(drop, limits.clickerMaxMs);
  const ping = setInterval(() => {
    send('ping');
    if (joined !== null) recheck(joined);
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
      void join(message.token, message.workspace ?? null);
      return;
    }
    const { id, tagName } = message.target;
    if (!takesClicks || !clicks.take()) return;
    sources.countClick({ id, tagName, path: message.path.split(/[?#]/, 1)[0] ?? '' });
    if (joined !== null) return;
    clearTimeout(tooLate);
    tooLate = setTimeout(drop, limits.clickerIdleMs);
  }

  async function join(token: string, workspaceId: string | null): Promise<void> {
    attempt += 1;
    const mine = attempt;
    try {
      const user = await sources.authenticate(token, workspaceId);
      const { accountId, homeId, expiresAt } = user;
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
      const closeIfEnded = (event: AccountEvent) => {
        if (event.type === 'session_revoked' && event.session_id === user.sessionId) {
          socket.close(CLOSE_UNAUTHENTICATED, 'The session has ended.');
        }
      };
      const unsubscribe = sources.subscribe(accountId, (event) => {
        closeIfEnded(event);
        if (event.type === 'member_removed' && event.user_id === user.userId) {
          socket.close(CLOSE_NOT_A_MEMBER, 'You are not a member of this workspace.');
        }
        if (event.type !== 'session_revoked' && event.type !== 'member_removed') follower.hear(event);
      });
      // The user's own account has the events of the session.
      const unsubscribeHome = homeId === accountId ? null : sources.subscribe(homeId, closeIfEnded);
      const expiry = setTimeout(() => socket.close(CLOSE_UNAUTHENTICATED, 'The token has expired.'), validMs);
      joined = {
        token,
        workspaceId,
        leave() {
          unsubscribe();
          unsubscribeHome?.();
          follower.leave?.();
          clearTimeout(expiry);
        },
      };
      const current = joined;
      void Promise.all([sources.listening(accountId), sources.listening(homeId)]).then(() => {
        // The session may have been revoked between its lookup and the subscription.
        recheck(current);
        if (joined === current) follower.listening?.();
      });
    } catch (error) {
      if (mine === attempt) refuse(error);
    }
  }

  function recheck(checked: NonNullable<typeof joined>): void {
    if (joined !== checked) return;
    sources.authenticate(checked.token, checked.workspaceId).catch((error: unknown) => {
      if (joined === checked && isRefusal(error)) refuse(error);
    });
  }

  function refuse(error: unknown): void {
    if (!isRefusal(error)) fail(error);
    else if (error.category === 'forbidden') {
      socket.close(CLOSE_NOT_A_MEMBER, 'You may not use this workspace.');
    } else socket.close(CLOSE_UNAUTHENTICATED, 'The token is not valid.');
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

/** True for an error that ends the connection because of who the caller is. */
function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && ['unauthorized', 'forbidden'].includes(error.category);
}

function read(text: string): ClientMessage | null {
  try {
    return clientMessage.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

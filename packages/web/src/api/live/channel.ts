import type { ClientMessage } from '@winnow/contract/live';
import { CLOSE_GONE, CLOSE_NOT_A_MEMBER, CLOSE_UNAUTHENTICATED } from '@winnow/contract/live-close';
import { SessionLost } from '../session/session-lost.ts';
import { reconnectDelayMs } from './backoff.ts';

/** Heartbeat interval. The server closes connections that are silent for 75 s. */
const HEARTBEAT_MS = 30_000;
/** Silence after which the connection is considered dead. The server sends a ping every 30 s. */
const CONNECTION_TIMEOUT_MS = 75_000;
/** Time before expiry at which the token is renewed. */
const RENEW_AHEAD_MS = 60_000;
/** Maximum messages queued while a closed idle connection reopens. Further messages are dropped. */
const MAX_QUEUED_MESSAGES = 10;
/** Delay before the token renewal is retried, if the server failed to renew the token. */
const RENEW_RETRY_MS = 15_000;

/** A connection to the server. `web-socket.ts` implements it for browsers. */
export type Connection = {
  isOpen: () => boolean;
  send: (data: string) => void;
  close: (code: number) => void;
};
export type ConnectionListener = {
  opened: () => void;
  heard: (data: unknown) => void;
  closed: (code: number) => void;
};

export type LiveChannelParts = {
  /** Opens a connection and passes its events to the listener. */
  open: (listener: ConnectionListener) => Connection;
  /** Access token of the session. Null for a visitor without a session. */
  token: () => { token: string; expiresAt: number | null } | null;
  /** Workspace whose events are received; null for the user's own. */
  workspace?: () => string | null;
  /** Renews a token. Throws `SessionLost` if the session has ended. */
  renew: (token: string) => Promise<string>;
  now: () => number;
  /** Returns a random number, at least 0 and below 1. */
  random: () => number;
  /** Called with each parsed message, which may not be a known event. */
  onMessage: (message: unknown) => void;
  /** Called after a reconnect. Displayed data may be outdated, because events were missed. */
  onReconnected: () => void;
  /** Called when the connection opens, and when it is lost and will be reopened. */
  onUpOrDown?: (isUp: boolean) => void;
  /** Called when the user may not use the workspace. The channel has stopped. */
  onNotAMember?: () => void;
  /**
   * Called when the server reports that the watched resource does not exist. The channel has
   * stopped by then.
   */
  onGone?: () => void;
  onSessionLost: () => void;
};

export type LiveChannel = {
  /** Connects, and reconnects after every loss of the connection until `stop` is called. */
  start: () => void;
  stop: () => void;
  /** Reconnects with the current token. */
  restart: () => void;
  /** Reconnects immediately if a retry is pending. */
  reconnectNow: () => void;
  /**
   * Sends a message, or queues it until the connection is open. Returns false if the message was
   * dropped.
   */
  send: (message: ClientMessage) => boolean;
};

/** Creates a live channel. It authenticates, sends heartbeats, and reconnects automatically. */
export function createLiveChannel(parts: LiveChannelParts): LiveChannel {
  let line: Connection | null = null;
  let sentToken: string | null = null;
  let failures = 0;
  let wasUp = false;
  let running = false;
  let heardAt = 0;
  /**
   * True after the server has closed the idle connection of a visitor. The next message reopens it.
   */
  let isResting = false;
  let queued: ClientMessage[] = [];
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let renewal: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  function send(message: ClientMessage): boolean {
    if (line?.isOpen()) {
      line.send(JSON.stringify(message));
      return true;
    }
    if (!isResting || queued.length === MAX_QUEUED_MESSAGES) return false;
    queued.push(message);
    if (line === null) connect();
    return true;
  }

  function authenticate(): void {
    const own = parts.token();
    sentToken = own?.token ?? null;
    clearTimeout(renewal);
    if (own === null) return;
    const workspace = parts.workspace?.() ?? null;
    send({ type: 'authenticate', token: own.token, ...(workspace === null ? {} : { workspace }) });
    if (own.expiresAt === null) return;
    renewal = setTimeout(renewToken, Math.max(0, own.expiresAt - RENEW_AHEAD_MS - parts.now()));
  }

  /** Renews the token, unless a request or another tab has renewed it in the meantime. */
  async function freshToken(): Promise<void> {
    const own = parts.token();
    if (own !== null && own.token === sentToken) await parts.renew(own.token);
  }

  function renewToken(): void {
    freshToken().then(authenticate, (error: unknown) => {
      if (error instanceof SessionLost) parts.onSessionLost();
      else renewal = setTimeout(renewToken, RENEW_RETRY_MS);
    });
  }

  function release(): void {
    clearInterval(heartbeat);
    clearTimeout(renewal);
    clearTimeout(retry);
    const old = line;
    line = null;
    old?.close(1000);
  }

  function hear(data: unknown): void {
    heardAt = parts.now();
    failures = 0;
    if (data === 'ping') line?.send('pong');
    if (typeof data !== 'string' || data === 'ping') return;
    let message: unknown;
    try {
      message = JSON.parse(data);
    } catch {
      // Messages that are not JSON are ignored, because a newer server may send other formats.
      return;
    }
    parts.onMessage(message);
  }

  function beat(): void {
    if (parts.now() - heardAt > CONNECTION_TIMEOUT_MS) fallBack();
    else if (line?.isOpen()) line.send('pong');
  }

  function fallBack(): void {
    release();
    if (!running) return;
    parts.onUpOrDown?.(false);
    retry = setTimeout(connect, reconnectDelayMs(failures, parts.random()));
    failures += 1;
  }

  function refused(): void {
    release();
    freshToken().then(
      () => running && connect(),
      (error: unknown) => (error instanceof SessionLost ? parts.onSessionLost() : fallBack()),
    );
  }

  function opened(): void {
    heardAt = parts.now();
    authenticate();
    isResting = false;
    for (const message of queued) send(message);
    queued = [];
    heartbeat = setInterval(beat, HEARTBEAT_MS);
    parts.onUpOrDown?.(true);
    if (wasUp) parts.onReconnected();
    wasUp = true;
  }

  function stop(): void {
    running = false;
    wasUp = false;
    failures = 0;
    isResting = false;
    queued = [];
    release();
  }

  function closed(code: number): void {
    if (code === CLOSE_GONE || code === CLOSE_NOT_A_MEMBER) {
      stop();
      if (code === CLOSE_GONE) parts.onGone?.();
      else parts.onNotAMember?.();
      return;
    }
    if (code === CLOSE_UNAUTHENTICATED && sentToken === null) {
      isResting = true;
      wasUp = false;
      release();
      return;
    }
    // The token is renewed only if this is the first failure in a row. After repeated failures,
    // reconnects are delayed.
    if (code === CLOSE_UNAUTHENTICATED && failures === 0) {
      failures += 1;
      refused();
    } else fallBack();
  }

  function connect(): void {
    release();
    // Ignores late events of a connection that has been abandoned.
    const ifCurrent = (act: () => void) => {
      if (line === opening) act();
    };
    const opening = parts.open({
      opened: () => ifCurrent(opened),
      heard: (data) => ifCurrent(() => hear(data)),
      closed: (code) => ifCurrent(() => closed(code)),
    });
    line = opening;
  }

  return {
    start: () => {
      if (running) return;
      running = true;
      connect();
    },
    stop,
    restart: () => {
      running = true;
      wasUp = false;
      failures = 0;
      connect();
    },
    reconnectNow: () => {
      if (running && line === null) connect();
    },
    send,
  };
}

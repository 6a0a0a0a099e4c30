import type { ClientMessage } from '@winnow/contract/live';
import { CLOSE_GONE, CLOSE_UNAUTHENTICATED } from '@winnow/contract/live-close';
import { SessionLost } from '../session/session-lost.ts';
import { reconnectDelayMs } from './backoff.ts';

/** The server drops whoever is silent for 75 s; it hears from us this often. */
const HEARTBEAT_MS = 30_000;
/** The server says `ping` every 30 s, so this long without a word means the line is dead. */
const SILENCE_MS = 75_000;
/** How long before its expiry a token is replaced. */
const RENEW_AHEAD_MS = 60_000;
/** Messages that wait for a resting line to open. */
const MOST_HELD = 10;
/** When the token could not be replaced because the server did not answer. */
const RENEW_AGAIN_MS = 15_000;

/** A line to the server: `web-socket-line.ts` in the browser. */
export type Line = {
  isOpen: () => boolean;
  send: (data: string) => void;
  close: (code: number) => void;
};
export type LineListener = {
  opened: () => void;
  heard: (data: unknown) => void;
  closed: (code: number) => void;
};

export type LiveChannelParts = {
  /** Begins to connect, and tells the listener what happens on the line. */
  open: (listener: LineListener) => Line;
  /** The session's access token, null for a visitor. */
  token: () => { token: string; expiresAt: number | null } | null;
  /** Replaces a token; throws `SessionLost` when there is none to be had. */
  renew: (token: string) => Promise<string>;
  now: () => number;
  /** From 0 up to 1. */
  random: () => number;
  /** Takes what the server said; whether it is an event is for the caller to tell. */
  onMessage: (message: unknown) => void;
  /** The line is up again after it was down: what is shown may be out of date. */
  onReconnected: () => void;
  /** The line is up, or is down and opened again. */
  onUpOrDown?: (isUp: boolean) => void;
  /** What the line is about is not there any more: the channel has stopped. */
  onGone?: () => void;
  onSessionLost: () => void;
};

export type LiveChannel = {
  /** Connects, and from then on stays connected. */
  start: () => void;
  stop: () => void;
  /** Drops the line and opens a new one with the token of now. */
  restart: () => void;
  /** Tries at once if it was waiting to try again. */
  hurry: () => void;
  /** Sends when the line is up; otherwise the message is dropped and the answer is false. */
  send: (message: ClientMessage) => boolean;
};

/** A live channel: authenticates first, keeps the line alive, and comes back when it breaks. */
export function createLiveChannel(parts: LiveChannelParts): LiveChannel {
  let line: Line | null = null;
  let sentToken: string | null = null;
  let failures = 0;
  let wasUp = false;
  let running = false;
  let heardAt = 0;
  /** The server closes the line of a visitor who does not click. It is opened again for the next message. */
  let isResting = false;
  let held: ClientMessage[] = [];
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let renewal: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  function send(message: ClientMessage): boolean {
    if (line?.isOpen()) {
      line.send(JSON.stringify(message));
      return true;
    }
    if (!isResting || held.length === MOST_HELD) return false;
    held.push(message);
    if (line === null) connect();
    return true;
  }

  function authenticate(): void {
    const own = parts.token();
    sentToken = own?.token ?? null;
    clearTimeout(renewal);
    if (own === null) return;
    send({ type: 'authenticate', token: own.token });
    if (own.expiresAt === null) return;
    renewal = setTimeout(renewToken, Math.max(0, own.expiresAt - RENEW_AHEAD_MS - parts.now()));
  }

  /** Calls and other tabs replace the token too: ours is only replaced when nobody did. */
  async function freshToken(): Promise<void> {
    const own = parts.token();
    if (own !== null && own.token === sentToken) await parts.renew(own.token);
  }

  function renewToken(): void {
    freshToken().then(authenticate, (error: unknown) => {
      if (error instanceof SessionLost) parts.onSessionLost();
      else renewal = setTimeout(renewToken, RENEW_AGAIN_MS);
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
      // Not ours to understand; a newer server may say more than we know.
      return;
    }
    parts.onMessage(message);
  }

  function beat(): void {
    if (parts.now() - heardAt > SILENCE_MS) fallBack();
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
    for (const message of held) send(message);
    held = [];
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
    held = [];
    release();
  }

  function closed(code: number): void {
    if (code === CLOSE_GONE) {
      stop();
      parts.onGone?.();
      return;
    }
    if (code === CLOSE_UNAUTHENTICATED && sentToken === null) {
      isResting = true;
      wasUp = false;
      release();
      return;
    }
    // Refused twice in a row means that a new token does not help; then it waits like any other failure.
    if (code === CLOSE_UNAUTHENTICATED && failures === 0) {
      failures += 1;
      refused();
    } else if (code === CLOSE_GONE) release();
    else fallBack();
  }

  function connect(): void {
    release();
    // A line that was given up may still have something to say; nobody listens.
    const current = (act: () => void) => {
      if (line === opening) act();
    };
    const opening = parts.open({
      opened: () => current(opened),
      heard: (data) => current(() => hear(data)),
      closed: (code) => current(() => closed(code)),
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
    hurry: () => {
      if (running && line === null) connect();
    },
    send,
  };
}

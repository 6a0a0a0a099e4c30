import { type LiveEvent, liveEvent } from '@winnow/contract/live';
import { WebSocket } from 'ws';

/** Client of the WebSocket for live events. Checks each event against the contract. */
export interface LiveListener {
  readonly events: LiveEvent[];
  /**
   * Returns the first matching event, received already or later.
   * @throws if no event matches within the timeout
   */
  heard<T extends LiveEvent>(fits: (event: LiveEvent) => event is T, timeoutMs?: number): Promise<T>;
  heard(fits: (event: LiveEvent) => boolean, timeoutMs?: number): Promise<LiveEvent>;
  /** Resolves to the close code that the server sent. */
  readonly closed: Promise<number>;
  close(): Promise<void>;
}

/**
 * Opens the live channel and sends this token, for a workspace or the user's own. The server does
 * not confirm the authentication.
 */
export async function listenLive(origin: string, token: string, workspace?: string): Promise<LiveListener> {
  const socket = new WebSocket(`${origin.replace(/^http/, 'ws')}/api/v1/ws`);
  const events: LiveEvent[] = [];
  const waiting = new Set<() => void>();
  const closed = new Promise<number>((resolve) => {
    socket.on('close', (code) => resolve(code));
  });
  socket.on('message', (data) => {
    const text = String(data);
    if (text === 'ping') {
      socket.send('pong');
      return;
    }
    if (text === 'pong') return;
    events.push(liveEvent.parse(JSON.parse(text)));
    for (const look of waiting) look();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  socket.send(JSON.stringify({ type: 'authenticate', token, workspace }));
  return {
    events,
    closed,
    heard(fits: (event: LiveEvent) => boolean, timeoutMs = 40_000): Promise<never> {
      const { promise, resolve, reject } = Promise.withResolvers<never>();
      const look = () => {
        const found = events.find(fits);
        if (found === undefined) return;
        done();
        resolve(found as never);
      };
      const done = () => {
        clearTimeout(timer);
        waiting.delete(look);
      };
      const timer = setTimeout(() => {
        done();
        reject(
          new Error(`No matching live event within ${timeoutMs} ms; received ${JSON.stringify(events)}`),
        );
      }, timeoutMs);
      waiting.add(look);
      look();
      return promise;
    },
    async close() {
      socket.close();
      await closed;
    },
  };
}

import websocket from '@fastify/websocket';
import { AppError, forbidden } from '../errors.ts';
import type { App } from '../http/app.ts';
import { networkOf } from '../http/rate-limit.ts';
import { type AddressShareLimits, AddressShares } from './address-shares.ts';
import {
  CLOSE_TRY_LATER,
  type Follow,
  followAccount,
  type LiveSocketLimits,
  type LiveSources,
  serveLiveSocket,
} from './live-socket.ts';
import { isOwnOrigin } from './origin.ts';

export type LiveChannelOptions = LiveSources & {
  publicUrl: string;
  /** Additional live channels, each at its own path. */
  routes?: readonly LiveRoute[] | undefined;
  limits?: Partial<LiveChannelLimits> | undefined;
  /** Returns the current time in epoch milliseconds. */
  now: () => number;
};

/** A live channel at its own path. It requires authentication and ignores clicks. */
export type LiveRoute = {
  url: string;
  /**
   * Checks the query of a client. Returns the function that sends events to this client. Throws an
   * `AppError` for an invalid query.
   */
  follow(query: unknown): Follow;
};

type LiveChannelLimits = LiveSocketLimits &
  AddressShareLimits & {
    /** Maximum size of a message in bytes. A larger message closes the socket with code 1009. */
    maxMessageBytes: number;
    /** Time that clients get to close their sockets when the server stops. */
    closeGraceMs: number;
  };

const DEFAULT_LIMITS: LiveChannelLimits = {
  joinWithinMs: 5_000,
  clickerIdleMs: 5_000,
  clickerMaxMs: 60_000,
  pingIntervalMs: 30_000,
  silentAfterMs: 75_000,
  messages: { max: 120, perMs: 10_000 },
  clicks: { max: 60, perMs: 60_000 },
  unreadableMessages: 3,
  maxBufferedBytes: 1024 * 1024,
  socketsPerAddress: 100,
  anonymousPerAddress: 50,
  maxMessageBytes: 16 * 1024,
  closeGraceMs: 1_000,
};

/**
 * Opens the live channel at `/api/v1/ws` (see section 12 of the contract), and any additional
 * channels. When the app closes, it closes all sockets with code 1001.
 */
export async function registerLiveChannel(app: App, options: LiveChannelOptions): Promise<void> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { now } = options;
  const shares = new AddressShares(limits);

  await app.register(websocket, {
    options: { maxPayload: limits.maxMessageBytes, perMessageDeflate: false },
    // After a protocol error, the library has already closed the socket with the right code.
    errorHandler: (error, socket, request) => {
      request.log.info({ reason: error.message }, 'A live socket failed.');
      socket.close(1011);
    },
    preClose: async () => {
      await closeAll(app.websocketServer.clients, limits.closeGraceMs);
    },
  });

  addRoute({ url: '/api/v1/ws', follow: () => followAccount }, true);
  for (const route of options.routes ?? []) addRoute(route, false);

  function addRoute({ url, follow }: LiveRoute, takesClicks: boolean): void {
    app.route({
      method: 'GET',
      url,
      schema: { hide: true },
      onRequest: async (request) => {
        if (!isOwnOrigin(request.headers.origin, options.publicUrl)) {
          throw forbidden('Pages of other sites may not open the live channel.', 'foreign_origin');
        }
        follow(request.query);
      },
      handler: async () => {
        throw new AppError({
          code: 'upgrade_required',
          category: 'upgrade_required',
          detail: 'Connect with a WebSocket.',
        });
      },
      wsHandler: (socket, request) => {
        const tooMany = () => socket.close(CLOSE_TRY_LATER, 'Too many connections from this address.');
        const slot = shares.take(networkOf(request), tooMany);
        socket.on('close', slot.release);
        const { log, query } = request;
        serveLiveSocket(socket, options, {
          limits,
          log,
          now,
          follow: follow(query),
          takesClicks,
          admit: slot.authenticate,
        });
      },
    });
  }
}

type Closable = {
  close(code: number, reason: string): void;
  terminate(): void;
  once(event: 'close', listener: () => void): unknown;
};

async function closeAll(clients: Iterable<Closable>, graceMs: number): Promise<void> {
  const all = [...clients];
  const closed = all.map(
    (client) =>
      new Promise<void>((resolve) => {
        client.once('close', () => resolve());
        client.close(1001, 'The server is stopping.');
      }),
  );
  const cut = setTimeout(() => {
    for (const client of all) client.terminate();
  }, graceMs);
  await Promise.all(closed);
  clearTimeout(cut);
}

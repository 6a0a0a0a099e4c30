import type { Socket } from 'node:net';
import type { App } from './app.ts';
import { stopping } from './error-answer.ts';

/**
 * From the moment `app.close()` is called, new requests are answered 503 with `Connection: close` (but for `/healthz`:
 * the process is still alive), those being answered get `graceMs` to end, and then their connections are cut.
 */
export function stopGracefully(app: App, graceMs: number): void {
  let closing = false;
  let cut: NodeJS.Timeout | undefined;
  // Browsers open connections ahead of need, and Node does not count one without a first request as idle.
  const withoutRequest = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    withoutRequest.add(socket);
    socket.once('close', () => withoutRequest.delete(socket));
  });

  app.addHook('onRequest', async (request) => {
    // Upgrades come by here as well. A listener of our own for them would keep Node from answering any.
    withoutRequest.delete(request.raw.socket);
    if (closing && request.routeOptions.url !== '/healthz') throw stopping();
  });
  app.addHook('preClose', async () => {
    closing = true;
    for (const socket of withoutRequest) socket.destroy();
    cut = setTimeout(() => app.server.closeAllConnections(), graceMs);
  });
  app.addHook('onClose', async () => {
    clearTimeout(cut);
  });
}

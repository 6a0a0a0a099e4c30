import type { Socket } from 'node:net';
import type { App } from './app.ts';
import { stopping } from './error-response.ts';

/**
 * Makes `app.close()` stop the server gracefully. New requests get 503 with `Connection: close`.
 * The exception is `/healthz`, since the process is still alive. Pending requests get `graceMs` to
 * finish; then their connections are cut.
 */
export function stopGracefully(app: App, graceMs: number): void {
  let closing = false;
  let cut: NodeJS.Timeout | undefined;
  // Sockets that have sent no request yet. Browsers open such sockets in advance, and Node does not
  // close them as idle.
  const withoutRequest = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    withoutRequest.add(socket);
    socket.once('close', () => withoutRequest.delete(socket));
  });

  app.addHook('onRequest', async (request) => {
    // WebSocket upgrades also pass this hook. A separate upgrade listener would disable Node's
    // default handling of unsupported upgrades.
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

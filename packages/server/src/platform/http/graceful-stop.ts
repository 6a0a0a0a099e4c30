import type { Socket } from 'node:net';
import type { App } from './app.ts';
import { stopping } from './error-response.ts';

/**
 * Makes `app.close()` stop the server gracefully. New requests then get 503 with `Connection:
 * close`, except `/healthz`, since the process is alive. Pending requests get `graceMs` to finish;
 * then their connections are cut.
 */
export function stopGracefully(app: App, graceMs: number): void {
  let closing = false;
  let cut: NodeJS.Timeout | undefined;
  // Browsers open connections in advance. Node does not treat those without a request as idle.
  const withoutRequest = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    withoutRequest.add(socket);
    socket.once('close', () => withoutRequest.delete(socket));
  });

  app.addHook('onRequest', async (request) => {
    // This hook sees upgrades as well. An additional upgrade listener would keep Node from handling
    // them.
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

import type { AddressInfo } from 'node:net';
import { Faults } from './faults.ts';
import type { EmulatedHost, Exchange, HostFaultAction } from './host.ts';
import { RequestLog } from './request-log.ts';
import { createEmulatorServer } from './server.ts';

export interface ServingOptions {
  /** Port to listen on. Default: 0; the system then chooses a port. */
  port?: number;
  /** Default: 127.0.0.1. */
  hostname?: string;
  /** Called with every request and its response. Tests compare them with the API description. */
  onExchange?: (exchange: Exchange) => void;
}

/** A running emulator. Every emulator has these fields. */
export interface ServedEmulator<Own> {
  /** Origin, such as `http://127.0.0.1:1234`, without a trailing slash. */
  url: string;
  port: number;
  faults: Faults<HostFaultAction<Own>>;
  requests: RequestLog;
  /** Stops the emulator. Closes all connections, including those with delayed responses. */
  close(): Promise<void>;
}

/**
 * Serves an emulated host over HTTP. Passes requests to it, applies faults, and logs requests. Also
 * serves the control endpoints below `/_emulator/` (see `controls.ts`).
 * @throws {Error} if the port is in use
 */
export async function serveEmulator<Own extends { kind: string }>(
  host: EmulatedHost<Own>,
  options: ServingOptions,
): Promise<ServedEmulator<Own>> {
  const { hostname = '127.0.0.1', onExchange } = options;
  const faults = new Faults<HostFaultAction<Own>>();
  const requests = new RequestLog(host.name);
  const closing = new AbortController();
  const server = createEmulatorServer({ host, faults, requests, onExchange, signal: closing.signal });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, hostname, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${hostname}:${port}`,
    port,
    faults,
    requests,
    close: async () => {
      closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

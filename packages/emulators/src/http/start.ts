import type { AddressInfo } from 'node:net';
import { Faults } from './faults.ts';
import type { EmulatedHost, Exchange, HostFaultAction } from './host.ts';
import { RequestLog } from './request-log.ts';
import { createEmulatorServer } from './server.ts';

export interface ServingOptions {
  /** default 0: the system chooses */
  port?: number;
  /** default 127.0.0.1 */
  hostname?: string;
  /** called with every request and response, for validation against the API's description */
  onExchange?: (exchange: Exchange) => void;
}

/** A listening emulated host: the part of a handle that all emulators share. */
export interface ServedEmulator<Own> {
  /** `http://127.0.0.1:port`, without a trailing slash */
  url: string;
  port: number;
  faults: Faults<HostFaultAction<Own>>;
  requests: RequestLog;
  /** Closes every connection, including those with delayed responses. */
  close(): Promise<void>;
}

/**
 * Serves an emulated host over HTTP: reads requests, applies faults, logs requests and responses,
 * and offers the control endpoints below `/_emulator/` (see `controls.ts`).
 * @throws Error if the port is taken
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

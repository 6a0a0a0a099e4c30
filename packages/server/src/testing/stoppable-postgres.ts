import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { openLog } from '../platform/log.ts';

/**
 * A PostgreSQL server that tests can stop and restart during use. Its TCP address stays the same.
 */
export interface StoppablePostgres {
  readonly url: string;
  /** Stops the server. Open connections break, and new ones are refused. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and deletes its data. */
  remove(): Promise<void>;
}

export async function startStoppablePostgres(): Promise<StoppablePostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), 'winnow-postgres-'));
  const start = () => openEmbeddedPostgres({ dataDir, log: openLog({ level: 'silent' }), durable: false });
  let server = await start();
  const { user, password, database } = server.connection;
  const open = new Set<Socket>();
  // Proxy with a fixed address. The embedded server gets a new socket address at each start.
  const door = createServer((client) => {
    const { host, port } = server.connection;
    const upstream = connect({ path: `${host}/.s.PGSQL.${port}` });
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const address = door.address();
  if (address === null || typeof address === 'string') throw new Error('The system assigned no port.');
  const shut = async () => {
    if (!door.listening) return;
    const closed = once(door, 'close');
    door.close();
    for (const socket of open) socket.destroy();
    await closed;
  };
  return {
    url: `postgres://${user}:${encodeURIComponent(String(password))}@127.0.0.1:${address.port}/${database}`,
    async stop() {
      await server.stop();
      await shut();
    },
    async start() {
      server = await start();
      door.listen(address.port, '127.0.0.1');
      await once(door, 'listening');
    },
    async remove() {
      await shut();
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

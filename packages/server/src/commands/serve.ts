import { once } from 'node:events';
import type { Composition } from '../compose.ts';
import { type Config, ConfigError, publicUrlOf } from '../platform/config.ts';
import { openLog } from '../platform/log.ts';
import { migrate } from '../platform/migrate.ts';
import { migrations } from '../schema/migrations.ts';
import { command } from './command.ts';
import { openPostgres } from './open-postgres.ts';
import { NO_ARGUMENTS } from './read-args.ts';

export const start = command({
  name: 'start',
  synopsis: 'start',
  summary: 'Serve the console and the API, and run jobs (the default)',
  takes: NO_ARGUMENTS,
  run: (config) => serve(config, { http: true, work: true }),
});

export const api = command({
  name: 'api',
  synopsis: 'api',
  summary: 'Serve only; needs DATABASE_URL',
  takes: NO_ARGUMENTS,
  run: (config) => serve(config, { http: true, work: false }),
});

export const worker = command({
  name: 'worker',
  synopsis: 'worker',
  summary: 'Run jobs only; needs DATABASE_URL',
  takes: NO_ARGUMENTS,
  run: (config) => serve(config, { http: false, work: true }),
});

/** Runs the server, the worker or both until a stop signal. Returns the exit code. */
async function serve(config: Config, parts: { http: boolean; work: boolean }): Promise<number> {
  const log = openLog({ level: config.logLevel });
  const both = parts.http && parts.work;
  if (!both && config.databaseUrl === null) {
    process.stderr.write('Processes that share the work need a common database: set DATABASE_URL.\n');
    return 1;
  }
  await checkEmbeddingModel(config);
  const stopped = stopSignal();
  // Imported here, because loading the server's modules takes half a second and other commands do
  // not need them.
  const [postgres, { compose }] = await Promise.all([openPostgres(config, log), import('../compose.ts')]);
  try {
    const { connection, exclusive } = postgres;
    await migrate({ connection, migrations, log });
    const winnow = await compose({ config, connection, log, exclusive });
    let closeServer = async (): Promise<void> => undefined;
    try {
      let place = 'Winnow is running jobs';
      if (parts.http) {
        const { url, close } = await listen(winnow, config);
        closeServer = close;
        place = `Winnow is ready at ${url}`;
      }
      if (parts.work) await winnow.startWork();
      process.stdout.write(`${place}\n`);
      await stopped;
      log.info('Stopping.');
    } finally {
      await closeServer();
      await winnow.close();
    }
  } finally {
    await postgres.stop();
  }
  return 0;
}

/**
 * Loads the operator's embedding model once, so that a problem is reported at startup.
 *
 * @throws {ConfigError} if the model cannot be used
 */
async function checkEmbeddingModel({ embeddingModelDir }: Config): Promise<void> {
  if (embeddingModelDir === null) return;
  const { ModelUnavailable, openModel } = await import('@winnow/analysis/embed');
  try {
    await (await openModel(embeddingModelDir)).close();
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error;
    throw new ConfigError([`EMBEDDING_MODEL_DIR: ${error.message}`]);
  }
}

async function listen(
  winnow: Composition,
  config: Config,
): Promise<{ url: string; close: () => Promise<void> }> {
  // With PORT=0 the system would choose a port. It is chosen here instead, because the server must
  // know its address before it listens.
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const url = publicUrlOf(config, port);
  const app = await winnow.createServer(url);
  try {
    await app.listen({ host: config.host, port });
  } catch (error) {
    await app.close();
    throw error;
  }
  return { url, close: () => app.close() };
}

async function freePort(host: string): Promise<number> {
  const { createServer } = await import('node:net');
  const probe = createServer().listen(0, host);
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system assigned no port.');
  return address.port;
}

/**
 * Time in milliseconds within which a second signal is ignored. npm and the terminal may both
 * forward the same key press.
 */
const DUPLICATE_SIGNAL_MS = 2_000;

/**
 * Resolves at the first SIGTERM or SIGINT. A second signal ends the process immediately, unless it
 * arrives within {@link DUPLICATE_SIGNAL_MS}.
 */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        firstAt ??= performance.now();
        resolve();
        if (performance.now() - firstAt > DUPLICATE_SIGNAL_MS) process.exit(1);
      });
    }
  });
}

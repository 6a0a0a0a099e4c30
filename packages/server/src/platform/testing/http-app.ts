import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { type App, type AppOptions, createApp } from '../http/app.ts';
import { createMetrics } from '../metrics.ts';

export type LogLine = Record<string, unknown> & { level: number; msg: string };

/** The error the tests take for a database that cannot be reached. */
export class ConnectionLost extends Error {}

/** The real application with the given routes; it closes when the test ends. `lines` is what it logged. */
export async function startApp(
  addRoutes: (app: App) => unknown,
  options: Partial<AppOptions> = {},
): Promise<{ app: App; lines: LogLine[] }> {
  const lines: LogLine[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const app = await createApp({
    log,
    metrics: createMetrics(),
    publicUrl: 'http://localhost:3000',
    version: '1.2.3',
    trustProxy: false,
    isConnectionError: (error) => error instanceof ConnectionLost,
    ...options,
  });
  onTestFinished(() => app.close());
  await addRoutes(app);
  await app.ready();
  return { app, lines };
}

/** The same, listening on a port of its own; answers its address. */
export async function startServer(addRoutes: (app: App) => unknown, options: Partial<AppOptions> = {}) {
  const started = await startApp(addRoutes, options);
  const origin = await started.app.listen({ host: '127.0.0.1', port: 0 });
  return { ...started, origin, port: Number(new URL(origin).port) };
}

import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { type App, type AppOptions, createApp } from '../http/app.ts';
import { createMetrics } from '../metrics.ts';

export type LogLine = Record<string, unknown> & { level: number; msg: string };

/** Error that the test application treats as a lost database connection. */
export class ConnectionLost extends Error {}

/**
 * Starts the real HTTP application with the given routes, and closes it after the test. `lines`
 * contains its log.
 */
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

/** Starts the application on a free port and returns its address. */
export async function startServer(addRoutes: (app: App) => unknown, options: Partial<AppOptions> = {}) {
  const started = await startApp(addRoutes, options);
  const origin = await started.app.listen({ host: '127.0.0.1', port: 0 });
  return { ...started, origin, port: Number(new URL(origin).port) };
}

import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import { notFound, unauthorized } from '../errors.ts';
import type { App } from './app.ts';
import { bearerToken } from './auth.ts';

/** One thing the server cannot do without. */
export type ReadinessCheck = {
  name: string;
  /** Null when all is well, else a sentence that says what is missing. A throw counts as missing. */
  check(): Promise<string | null>;
};

export type HealthOptions = {
  checks: readonly ReadinessCheck[];
  registry: Registry;
  /** Who shows this token reads the metrics; null: nobody does. */
  metricsToken: string | null;
  /** A check that takes longer has failed. Default 2 s. */
  checkTimeoutMs?: number | undefined;
};

/** Anybody may ask, as often as they like: the database is asked once in this time. */
const CHECKS_SHARED_MS = 250;

type Missing = { name: string; detail: string };

/**
 * `/healthz`: the process is alive. `/readyz`: 200 only when every check passes, else 503 with what is missing.
 * `/metrics`: for Prometheus, with the token, and not there without one. None is limited, described or logged.
 */
export function registerHealth(app: App, options: HealthOptions): void {
  const route = { schema: { hide: true }, config: { rateLimit: false as const }, logLevel: 'warn' as const };
  const timeoutMs = options.checkTimeoutMs ?? 2_000;

  app.get('/healthz', route, async () => ({ status: 'ok' }));

  async function check(log: FastifyBaseLogger): Promise<Missing[]> {
    const outcomes = await Promise.all(
      options.checks.map(async ({ name, check }): Promise<Missing | null> => {
        try {
          const detail = await within(timeoutMs, check());
          return detail === null ? null : { name, detail };
        } catch (error) {
          log.warn({ err: error, check: name }, 'readiness check failed');
          return { name, detail: 'It could not be checked; the log says why.' };
        }
      }),
    );
    return outcomes.filter((outcome) => outcome !== null);
  }

  let checking: Promise<Missing[]> | null = null;
  /** Callers share the checks that were begun less than {@link CHECKS_SHARED_MS} ago. */
  function missingParts(log: FastifyBaseLogger): Promise<Missing[]> {
    if (checking === null) {
      checking = check(log);
      setTimeout(() => {
        checking = null;
      }, CHECKS_SHARED_MS).unref();
    }
    return checking;
  }

  app.get('/readyz', route, async (request, reply) => {
    const missing = await missingParts(request.log);
    if (missing.length > 0) reply.code(503);
    return { status: missing.length === 0 ? 'ready' : 'not_ready', missing };
  });

  app.get('/metrics', route, async (request, reply) => {
    if (options.metricsToken === null) throw notFound();
    const shown = bearerToken(request.headers.authorization);
    if (shown === null || !isSame(shown, options.metricsToken)) {
      throw unauthorized('Send METRICS_TOKEN as a bearer token.');
    }
    reply.type(options.registry.contentType);
    return options.registry.metrics();
  });
}

/** In a time that does not tell how much of it is right. */
function isSame(shown: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(shown), digest(token));
}

async function within(timeoutMs: number, check: Promise<string | null>): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(`It did not answer within ${timeoutMs} ms.`), timeoutMs);
  try {
    return await Promise.race([check, promise]);
  } finally {
    clearTimeout(timer);
  }
}

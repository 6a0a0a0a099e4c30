import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import { notFound, unauthorized } from '../errors.ts';
import type { App } from './app.ts';
import { bearerToken } from './auth.ts';

/** Something that the server needs to work, such as the database. */
export type ReadinessCheck = {
  name: string;
  /**
   * Returns null if the dependency works, else a sentence about what is missing. A rejected promise
   * counts as a failure.
   */
  check(): Promise<string | null>;
};

export type HealthOptions = {
  checks: readonly ReadinessCheck[];
  registry: Registry;
  /** Bearer token for reading the metrics. If null, metrics are disabled. */
  metricsToken: string | null;
  /** Time limit of a check. A slower check counts as failed. Default 2 s. */
  checkTimeoutMs?: number | undefined;
};

/** Time for which a check result is reused, since the route is public and not rate-limited. */
const CHECKS_SHARED_MS = 250;

type Missing = { name: string; detail: string };

/**
 * Registers the health routes:
 * - `/healthz` returns 200 while the process is alive.
 * - `/readyz` returns 200 if every check passes, else 503 with the failed checks.
 * - `/metrics` returns metrics for Prometheus and requires the token. Without a configured token,
 *   the route returns 404.
 *
 * None of them is rate-limited, documented or logged.
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
          log.warn({ err: error, check: name }, 'A readiness check failed.');
          return { name, detail: 'The check failed; the log has the reason.' };
        }
      }),
    );
    return outcomes.filter((outcome) => outcome !== null);
  }

  let checking: Promise<Missing[]> | null = null;
  /**
   * Returns the running or finished checks if they started less than {@link CHECKS_SHARED_MS} ago,
   * else starts new ones.
   */
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

/** Compares two tokens in constant time, so that response times do not reveal the token. */
function isSame(shown: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(shown), digest(token));
}

async function within(timeoutMs: number, check: Promise<string | null>): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(`No response within ${timeoutMs} ms.`), timeoutMs);
  try {
    return await Promise.race([check, promise]);
  } finally {
    clearTimeout(timer);
  }
}

import { fileURLToPath } from 'node:url';
import { countApiCalls, takeApiCalls } from '../billing/usage/api-calls.ts';
import { MINUTE_MS } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { isConnectionError } from '../platform/database-unavailable.ts';
import { type App, createApp } from '../platform/http/app.ts';
import { type Authentication, createAuthentication } from '../platform/http/auth.ts';
import { errorReportingOf } from '../platform/http/error-reporting.ts';
import { shareFairly } from '../platform/http/fair-share.ts';
import { type ReadinessCheck, registerHealth } from '../platform/http/health.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { readMigrationState } from '../platform/migrate.ts';
import { type LiveChannelOptions, registerLiveChannel } from '../platform/realtime/live-channel.ts';
import { CLOSE_TRY_LATER } from '../platform/realtime/live-socket.ts';
import { VERSION } from '../platform/version.ts';
import { migrations } from '../schema/migrations.ts';
import type { Tables } from '../schema/tables.ts';
import type { AccountServices } from './accounts.ts';
import type { Billing } from './billing.ts';
import type { Foundation } from './foundation.ts';

const WEB_BUILD = fileURLToPath(new URL('../../../web/dist', import.meta.url));
/** The web build. The console renders its own routes; all other pages are files. */
const WEB_SITE = { root: WEB_BUILD, clientRoutes: ['/console/*'], clientPage: 'console.html' };
/**
 * Maximum requests per minute and address, over all routes without a stricter limit. It suffices
 * for 1,000 users behind one address who each open a screen every five seconds.
 */
const MAX_REQUESTS_PER_ADDRESS_AND_MINUTE = 12_000;

export interface HttpParts {
  accountServices: AccountServices;
  billing: Billing;
  /** Live channels in addition to that of the account. */
  liveRoutes: LiveChannelOptions['routes'];
  publicUrl: string;
}

/**
 * Creates the application with everything that applies to all routes: authentication, rate limits,
 * health checks and the live channel.
 */
export async function openHttp(
  { config, database, events, jobs, log, metrics, now }: Foundation,
  { accountServices, billing, liveRoutes, publicUrl }: HttpParts,
): Promise<{ app: App; auth: Authentication }> {
  const app = await createApp({
    log,
    metrics,
    publicUrl,
    version: VERSION,
    trustProxy: config.trustProxy,
    isConnectionError,
    site: WEB_SITE,
    errorReporting: errorReportingOf(config, publicUrl),
    productionHost: config.productionHost,
    rateLimit: { max: requestsPerAddress(config), windowMs: MINUTE_MS },
  });
  const auth = createAuthentication(app, accountServices.principalOf, {
    keyLimit: { max: config.apiKeyRateLimit, windowMs: MINUTE_MS },
    takeCall: takeApiCalls(billing.apiCallBlocks),
  });
  shareFairly(app);
  countApiCalls(app, billing.meter, accountServices.noteUse);
  registerHealth(app, {
    checks: readinessChecks(database, jobs),
    registry: metrics.registry,
    metricsToken: config.metricsToken,
  });
  await registerLiveChannel(app, {
    publicUrl,
    authenticate: accountServices.authenticateLive,
    // Missed events cannot be sent again, so sockets are closed. A client that reconnects reloads
    // what it displays.
    subscribe: (accountId, handler) =>
      events.subscribe(accountId, handler, { onMissed: () => closeLiveSockets(app) }),
    listening: (accountId) => events.listening(accountId),
    now: () => now().getTime(),
    countClick: ({ tagName }) => metrics.clicks.inc({ target: clickTarget(tagName) }),
    routes: liveRoutes,
  });
  return { app, auth };
}

/** Returns the rate limit per address, which is at least the limit per API key. */
function requestsPerAddress({ apiKeyRateLimit }: Config): number {
  return Math.max(MAX_REQUESTS_PER_ADDRESS_AND_MINUTE, apiKeyRateLimit);
}

/**
 * Closes all live sockets. A lost database connection affects every account, because all share it
 * for events.
 */
function closeLiveSockets(app: App): void {
  for (const socket of app.websocketServer.clients) {
    socket.close(CLOSE_TRY_LATER, 'Live events were missed. Connect again.');
  }
}

/**
 * Maps a tag name to one of a few labels, so that clients cannot create arbitrary metric labels.
 */
function clickTarget(tagName: string | undefined): string {
  switch (tagName?.toLowerCase()) {
    case 'a':
      return 'link';
    case 'button':
      return 'button';
    default:
      return 'other';
  }
}

function readinessChecks(database: Database<Tables>, jobs: Jobs): ReadinessCheck[] {
  return [
    {
      name: 'database',
      check: async () => {
        const { pending } = await readMigrationState(database.db, migrations);
        return pending.length === 0
          ? null
          : `The database is missing the migrations ${pending.join(', ')}: run "winnow migrate".`;
      },
    },
    { name: 'jobs', check: async () => jobs.problem() },
  ];
}

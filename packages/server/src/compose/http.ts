import { fileURLToPath } from 'node:url';
import { countApiCalls, takeApiCalls } from '../billing/usage/api-calls.ts';
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
import { VERSION } from '../platform/version.ts';
import { migrations } from '../schema/migrations.ts';
import type { Tables } from '../schema/tables.ts';
import type { AccountServices } from './accounts.ts';
import type { Billing } from './billing.ts';
import type { Foundation } from './foundation.ts';

const WEB_BUILD = fileURLToPath(new URL('../../../web/dist', import.meta.url));
/** What of the built web is drawn by the console; all other pages are files. */
const SITE = { root: WEB_BUILD, clientRoutes: ['/console/*'], clientPage: 'console.html' };
/**
 * Calls of one address a minute, over all routes without a limit of their own: a thousand people behind one address, at
 * a screen each five seconds. What costs more than a look-up has a limit of its own.
 */
const REQUESTS_PER_ADDRESS = 12_000;
const MINUTE_MS = 60_000;

export interface HttpParts {
  accountServices: AccountServices;
  billing: Billing;
  /** Live channels beside the account's own. */
  liveRoutes: LiveChannelOptions['routes'];
  publicUrl: string;
}

/** The application with all that holds for every route: who calls, how often they may, how it is and what is told live. */
export async function openHttp(
  { config, database, events, jobs, log, metrics }: Foundation,
  { accountServices, billing, liveRoutes, publicUrl }: HttpParts,
): Promise<{ app: App; auth: Authentication }> {
  const app = await createApp({
    log,
    metrics,
    publicUrl,
    version: VERSION,
    trustProxy: config.trustProxy,
    isConnectionError,
    site: SITE,
    errorReporting: errorReportingOf(config, publicUrl),
    productionHost: config.productionHost,
    rateLimit: { max: requestsPerAddress(config), windowMs: MINUTE_MS },
  });
  const auth = createAuthentication(
    app,
    accountServices.principalOf,
    { max: config.apiKeyRateLimit, windowMs: MINUTE_MS },
    takeApiCalls(billing.apiCallBlocks),
  );
  shareFairly(app);
  countApiCalls(app, billing.meter, accountServices.noteUse);
  registerHealth(app, {
    checks: readinessChecks(database, jobs),
    registry: metrics.registry,
    metricsToken: config.metricsToken,
  });
  await registerLiveChannel(app, {
    publicUrl,
    authenticate: accountServices.authenticate,
    // What was missed cannot be told again. A client that connects anew fetches anew what it shows.
    subscribe: (accountId, handler) =>
      events.subscribe(accountId, handler, { onMissed: () => closeLiveSockets(app) }),
    listening: (accountId) => events.listening(accountId),
    countClick: ({ tagName }) => metrics.clicks.inc({ target: clickTarget(tagName) }),
    routes: liveRoutes,
  });
  return { app, auth };
}

/** What one key may ask for, one address may. */
function requestsPerAddress({ apiKeyRateLimit }: Config): number {
  return Math.max(REQUESTS_PER_ADDRESS, apiKeyRateLimit);
}

/** Of RFC 6455's registry: try again later. */
const CLOSE_TRY_LATER = 1013;

/** One connection to the database hears for all accounts, so when it was lost, all of them may have missed something. */
function closeLiveSockets(app: App): void {
  for (const socket of app.websocketServer.clients) {
    socket.close(CLOSE_TRY_LATER, 'Live events were missed. Connect again.');
  }
}

/** One of three words, whatever a client says: a metric's labels are not the client's to choose. */
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
          : `The database lacks ${pending.join(', ')}: run "winnow migrate".`;
      },
    },
    { name: 'jobs', check: async () => jobs.problem() },
  ];
}

import { randomUUID } from 'node:crypto';
import type { PlanId } from '@winnow/contract/plan';
import { AccountPlans } from '../../packages/server/src/billing/plans/account-plans.ts';
import { ApiCallBlocks } from '../../packages/server/src/billing/quotas/api-call-blocks.ts';
import { PlanQuotas } from '../../packages/server/src/billing/quotas/quotas.ts';
import { givePlan } from '../../packages/server/src/billing/testing/subscribed.ts';
import {
  ApiCallMeter,
  countApiCalls,
  takeApiCalls,
} from '../../packages/server/src/billing/usage/api-calls.ts';
import { type Database, openDatabase } from '../../packages/server/src/platform/database.ts';
import { openEmbeddedPostgres } from '../../packages/server/src/platform/embedded-postgres/embedded-postgres.ts';
import { type App, createApp } from '../../packages/server/src/platform/http/app.ts';
import { type ApiKeyPrincipal, createAuthentication } from '../../packages/server/src/platform/http/auth.ts';
import { openLog } from '../../packages/server/src/platform/log.ts';
import { createMetrics } from '../../packages/server/src/platform/metrics.ts';
import type { Tables } from '../../packages/server/src/schema/tables.ts';
import { startServer } from '../../packages/server/src/testing/server-process.ts';
import type { Emit } from './run.ts';

/**
 * One plan for each way of enforcing a quota: count every call near the limit, reserve calls ahead,
 * and only count.
 */
const PLANS: readonly PlanId[] = ['free', 'pro', 'ultra'];
const WARM_UP_CALLS = 200;
/**
 * Number of calls per round. Together with the warm-up, they stay well below the limit of the free
 * plan.
 */
const ROUNDS = 600;
const REPEATS = 5;

/**
 * Measures the time that metering adds to a request.
 * Alternates between an application that meters API calls and an identical application that does
 * not. Metering reserves calls of the plan, counts each call, and stores the counts.
 * Both applications return an empty response and identify the caller without a look-up, so that
 * little else is measured. The measurement is repeated with new accounts. The result is the median
 * of all medians.
 */
export async function run(emit: Emit): Promise<void> {
  // Only the database of this server is used. No other process uses this database.
  const server = await startServer();
  const log = openLog({ level: 'silent' });
  const postgres = await openEmbeddedPostgres({ dataDir: server.dataDir, log, ifInUse: 'attach' });
  const database = openDatabase<Tables>(postgres.connection, { log });
  const metered = await startApp(database);
  const plain = await startApp(null);
  try {
    for (const plan of PLANS) {
      const medians: { metered: number; plain: number }[] = [];
      for (let time = 0; time < REPEATS; time += 1) {
        const accountId = await newAccount(database, plan);
        const times = { metered: [] as number[], plain: [] as number[] };
        for (let call = 0; call < WARM_UP_CALLS; call += 1) {
          await timeOf(metered.url, accountId);
          await timeOf(plain.url, accountId);
        }
        // Alternates the order, so that each application is measured first equally often.
        for (let round = 0; round < ROUNDS / 2; round += 1) {
          times.metered.push(await timeOf(metered.url, accountId));
          times.plain.push(await timeOf(plain.url, accountId), await timeOf(plain.url, accountId));
          times.metered.push(await timeOf(metered.url, accountId));
        }
        medians.push({ metered: median(times.metered), plain: median(times.plain) });
      }
      const of = (which: 'metered' | 'plain') => rounded(median(medians.map((one) => one[which])));
      emit({
        name: `metering per call, plan ${plan}, median`,
        value: rounded(median(medians.map((one) => one.metered - one.plain))),
        unit: 'ms',
        detail: { metered: of('metered'), plain: of('plain'), calls: 2 * ROUNDS * REPEATS },
      });
    }
  } finally {
    await metered.close();
    await plain.close();
    await database.close();
    await server.remove();
  }
}

/**
 * Starts an application with a single authenticated route, which returns an empty response. The
 * token of a call is the id of the account.
 */
async function startApp(metering: Database<Tables> | null) {
  const log = openLog({ level: 'silent' });
  const app = await createApp({
    log,
    metrics: createMetrics(),
    publicUrl: 'http://127.0.0.1',
    version: '0',
    trustProxy: false,
    isConnectionError: () => false,
    rateLimit: { max: 1_000_000, windowMs: 60_000 },
  });
  const principalOf = async (accountId: string): Promise<ApiKeyPrincipal> => ({
    kind: 'api_key',
    accountId,
    userId: accountId,
    keyId: accountId,
    scopes: ['read'],
    role: 'viewer',
    permissions: new Set(['read']),
  });
  const meter = metering === null ? null : meterOf(metering);
  const auth = createAuthentication(app, principalOf, {
    keyLimit: { max: 1_000_000, windowMs: 60_000 },
    ...(meter ? { takeCall: takeApiCalls(meter.blocks) } : {}),
    policy: { 'GET /api/v1/nothing': 'read' },
  });
  if (meter) countApiCalls(app, meter.calls, () => undefined);
  app.get('/api/v1/nothing', { onRequest: auth.authorize }, async () => ({}));
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/nothing`;
  return { url, close: () => closeAll(app, meter) };
}

function meterOf({ db }: Database<Tables>) {
  const now = () => new Date();
  const onError = (error: unknown) => {
    throw error;
  };
  const plans = new AccountPlans({ db, selfHosted: null });
  const amounts = new PlanQuotas({ db, plans, now });
  return {
    blocks: new ApiCallBlocks({ amounts, now, onError }),
    calls: new ApiCallMeter({ db, now, onWritten: () => undefined, onError }),
  };
}

async function closeAll(app: App, meter: ReturnType<typeof meterOf> | null): Promise<void> {
  await app.close();
  await meter?.calls.close();
  await meter?.blocks.close();
}

async function newAccount({ db }: Database<Tables>, plan: PlanId): Promise<string> {
  const id = randomUUID();
  await db.insertInto('account').values({ id }).execute();
  await givePlan(db, id, plan);
  return id;
}

async function timeOf(url: string, token: string): Promise<number> {
  const startedMs = performance.now();
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`A call returned ${answer.status}.`);
  return performance.now() - startedMs;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

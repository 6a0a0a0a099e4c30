import { currentUser } from '@winnow/contract/account';
import { createdApiKey } from '@winnow/contract/api-key';
import type { PlanId } from '@winnow/contract/plan';
import { givePlan } from '../../packages/server/src/billing/testing/subscribed.ts';
import { openDatabase } from '../../packages/server/src/platform/database.ts';
import { openEmbeddedPostgres } from '../../packages/server/src/platform/embedded-postgres/embedded-postgres.ts';
import { openLog } from '../../packages/server/src/platform/log.ts';
import type { Tables } from '../../packages/server/src/schema/tables.ts';
import { registerAndSignIn } from '../product/api.ts';
import { startServer } from '../product/server-process.ts';
import type { Emit } from './run.ts';

/** Of the free plan fewer calls are taken ahead than of any other, and all that are measured have to be within it. */
const MEASURED: readonly PlanId[] = ['free', 'pro'];
const UNLIMITED: PlanId = 'ultra';
const WARM_UP = 300;
/** With the warm-up within the calls of the free plan, and far from their end. */
const ROUNDS = 500;
const SEVERAL = 5;

/**
 * What metering adds to a request: calls of a key on a plan that limits them beside calls of a key on one that does not, one
 * after another and in turn. Of new accounts several times, for the median of medians.
 */
export async function run(emit: Emit): Promise<void> {
  const server = await startServer({
    env: {
      API_KEY_RATE_LIMIT: '1000000',
      STRIPE_SECRET_KEY: 'sk_test_bench',
      STRIPE_WEBHOOK_SECRET: 'whsec_bench',
      STRIPE_API_URL: 'http://127.0.0.1:9',
    },
  });
  const log = openLog({ level: 'silent' });
  const postgres = await openEmbeddedPostgres({ dataDir: server.dataDir, log, ifInUse: 'attach' });
  const database = openDatabase<Tables>(postgres.connection, { log, max: 1 });
  let accounts = 0;
  const newCaller = async (plan: PlanId) => {
    accounts += 1;
    const api = await registerAndSignIn(server.url, `bench${accounts}`);
    const { account_id: accountId } = await api.get('/auth/users/me', currentUser);
    await givePlan(database.db, accountId, plan);
    const { key } = await api.send('POST', '/auth/api-keys', { name: 'bench' }, createdApiKey);
    return async () => {
      const startedMs = performance.now();
      const answer = await fetch(`${server.url}/api/v1/issues-count`, {
        headers: { authorization: `Bearer ${key}` },
      });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`A call on the plan ${plan} answered ${answer.status}.`);
      return performance.now() - startedMs;
    };
  };
  try {
    for (const plan of MEASURED) {
      const medians: { limited: number; unlimited: number }[] = [];
      for (let time = 0; time < SEVERAL; time += 1) {
        const [limited, unlimited] = [await newCaller(plan), await newCaller(UNLIMITED)];
        const times = { limited: [] as number[], unlimited: [] as number[] };
        for (let call = 0; call < WARM_UP; call += 1) {
          await limited();
          await unlimited();
        }
        // Whatever a call leaves behind, each of the two comes after either as often.
        for (let round = 0; round < ROUNDS / 2; round += 1) {
          times.limited.push(await limited());
          times.unlimited.push(await unlimited(), await unlimited());
          times.limited.push(await limited());
        }
        medians.push({ limited: median(times.limited), unlimited: median(times.unlimited) });
      }
      const of = (which: 'limited' | 'unlimited') => rounded(median(medians.map((one) => one[which])));
      const added = rounded(median(medians.map((one) => one.limited - one.unlimited)));
      emit({
        name: `added to a call, plan ${plan}, median`,
        value: added,
        unit: 'ms',
        detail: { limited: of('limited'), unlimited: of('unlimited'), calls: 2 * ROUNDS * SEVERAL },
      });
    }
  } finally {
    await database.close();
    await server.remove();
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

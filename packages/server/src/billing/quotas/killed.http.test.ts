import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createdApiKey } from '@winnow/contract/api-key';
import { NO_STRIPE_ENV } from '@winnow/emulators/stripe/environment';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { urlOf } from '../../commands/testing/run-command.ts';
import { createTestDatabase, type TestDatabase } from '../../platform/testing/database.ts';
import { call, registerCaller } from '../../testing/caller.ts';
import { planLimitOf } from '../../testing/plan-limit.ts';
import { type ServerProcess, startServer } from '../../testing/server-process.ts';

const FREE = 1_000;
/** Size of a block on the Free plan: 1% of the monthly quota. */
const BLOCK = FREE / 100;

let folder: string;
let database: TestDatabase;
let servers: ServerProcess[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'winnow-blocks-'));
  database = await createTestDatabase();
  const env = {
    ...NO_STRIPE_ENV,
    DATABASE_URL: urlOf(database),
    SECRET_KEY: 'one key that both processes share',
    API_KEY_RATE_LIMIT: '1000000',
  };
  servers = await Promise.all(
    ['one', 'other'].map((name) => startServer({ dataDir: join(folder, name), env })),
  );
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

test('a killed process loses at most its block of calls, and no more calls pass than the limit', async () => {
  const [dying, other] = servers as [ServerProcess, ServerProcess];
  const caller = await registerCaller(dying.url);
  const { key } = await caller.send(
    'POST',
    '/auth/api-keys',
    { name: 'CI', expires_at: null },
    createdApiKey,
  );
  const ask = async ({ url }: ServerProcess): Promise<number> => {
    const answer = await call(url, 'GET', '/api/v1/search?limit=1', { token: key });
    if (answer.status !== 200) planLimitOf(answer, 429);
    return answer.status === 200 ? 1 : 0;
  };
  const rush = async (server: ServerProcess, count: number) =>
    (await Promise.all(Array.from({ length: count }, () => ask(server)))).reduce((sum, one) => sum + one, 0);
  const taken = async () => {
    const query = database.db.selectFrom('plan_usage').select('taken').where('kind', '=', 'api_requests');
    return (await query.executeTakeFirstOrThrow()).taken;
  };

  let passed = await rush(dying, 50);
  // Calls until the process holds part of a block. It returns unused calls after a second.
  do passed += await ask(dying);
  while ((await taken()) === passed);
  await dying.kill();
  const lost = (await taken()) - passed;
  expect(lost).toBeGreaterThan(0);
  expect(lost).toBeLessThanOrEqual(BLOCK);

  passed += await rush(other, FREE);
  expect(passed).toBe(FREE - lost);
});

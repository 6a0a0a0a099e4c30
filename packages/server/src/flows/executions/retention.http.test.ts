import { flow } from '@winnow/contract/flow';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningWinnow, startWinnow } from '../../testing/running-winnow.ts';
import { logsOf, newFlow, runToEnd } from '../testing/flow-setup.ts';
import { removeBefore } from './store.ts';

let winnow: RunningWinnow;
beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(() => winnow.close());

test('deletes old executions with their logs, but not running executions', async () => {
  const { db } = winnow.database;
  const caller = await winnow.newCaller();
  const { id: flowId } = await newFlow(caller, null, { builtin_actions: ['report_backlog'] });
  const run = async () => (await runToEnd(caller, flowId, {})).id;
  const [old, unended, young] = [await run(), await run(), await run()];
  await db
    .updateTable('flow_execution')
    .set({ created_at: sql<Date>`created_at - interval '100 days'` })
    .where('id', 'in', [old, unended])
    .execute();
  await db
    .updateTable('flow_execution')
    .set({ status: 'RUNNING', end_time: null })
    .where('id', '=', unended)
    .execute();
  await removeBefore(db, new Date(Date.now() - 90 * 24 * 60 * 60_000));
  await caller.fail('GET', `/flows/executions/${old}`, 404);
  for (const kept of [unended, young]) expect((await logsOf(caller, kept)).length).toBeGreaterThan(0);
  const { count } = await db
    .selectFrom('flow_log')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('execution_id', '=', old)
    .executeTakeFirstOrThrow();
  expect(count).toBe(0);
  await caller.get(`/flows/${flowId}`, flow);
});

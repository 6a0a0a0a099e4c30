import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { ModelsEmulator } from '@winnow/emulators/models/emulator';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeAll, startBacklog } from '../../testing/backlog.ts';
import type { Caller } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { differentIssues } from '../../testing/github.ts';
import type { RunningWinnow } from '../../testing/running-winnow.ts';
import { runFlowQueueKey } from '../executions/job.ts';
import { logsOf, newFlow, newModel, runFlow, runToEnd, whenExecution } from '../testing/flow-setup.ts';

const PLACES_OF_A_MODEL = 8;
const BUSY = { fails: 429, says: 'Later.', retryAfterSeconds: 60 } as const;

let winnow: RunningWinnow;
let github: GitHubEmulator;
let models: ModelsEmulator;
let caller: Caller;
let asked: number;

beforeAll(async () => {
  ({ winnow, models, github, caller } = await startBacklog({ issues: differentIssues(2) }));
});
afterAll(() => closeAll(winnow, models, github));
beforeEach(() => {
  asked = models.requests.length;
  models.answerAll(() => ({ text: 'Done.' }));
});

const questions = () => models.requests.length - asked;
const rowOf = (executionId: string) =>
  winnow.database.db
    .selectFrom('flow_execution')
    .selectAll()
    .where('id', '=', executionId)
    .executeTakeFirstOrThrow();

/**
 * Starts an execution whose model is rate limited for a minute. Waits until the execution is
 * postponed.
 */
async function waiting() {
  const model = await newModel(caller, models);
  models.next(BUSY);
  const flow = await newFlow(caller, model.id);
  const { id } = await runFlow(caller, flow.id);
  await whenExecution(caller, id, ({ status, start_time: start }) => status === 'PENDING' && start !== null);
  return { id };
}

test('a model that never responds does not block flows with other models', async () => {
  models.answerAll(() => 'hangs');
  const { id: modelId } = await newModel(caller, models);
  const { id: flowId } = await newFlow(caller, modelId);
  const hanging = await Promise.all(Array.from({ length: PLACES_OF_A_MODEL }, () => runFlow(caller, flowId)));
  await eventually(() => questions() === PLACES_OF_A_MODEL);
  const builtIn = await newFlow(caller, null, { builtin_actions: ['check_readiness'] });
  expect(await runToEnd(caller, builtIn.id)).toMatchObject({ status: 'SUCCEEDED' });
  models.next({ text: 'Done.' });
  const healthy = await newModel(caller, models);
  const flow = await newFlow(caller, healthy.id);
  expect(await runToEnd(caller, flow.id)).toMatchObject({ status: 'SUCCEEDED' });
  for (const { id } of hanging) await caller.call('POST', `/flows/executions/${id}/stop`);
  for (const { id } of hanging) await whenExecution(caller, id);
});

test('executions waiting for a model free their slots, and do not all call it again', async () => {
  models.answerAll(() => BUSY);
  const { id: modelId } = await newModel(caller, models);
  const { id: flowId } = await newFlow(caller, modelId);
  await runFlow(caller, flowId);
  await eventually(() => questions() === 1);
  const others = await Promise.all(Array.from({ length: PLACES_OF_A_MODEL }, () => runFlow(caller, flowId)));
  for (const { id } of others) {
    await whenExecution(caller, id, ({ status, start_time: at }) => status === 'PENDING' && at !== null);
    const notices = (await logsOf(caller, id)).flatMap(({ payload }) => payload.notice ?? []);
    expect(notices).toEqual([expect.stringMatching(/ The next attempt is in \d+ s\.$/)]);
  }
  expect(questions()).toBeLessThan(PLACES_OF_A_MODEL);
  models.answerAll(() => ({ text: 'Done.' }));
  const healthy = await newModel(caller, models);
  const flow = await newFlow(caller, healthy.id);
  expect(await runToEnd(caller, flow.id)).toMatchObject({ status: 'SUCCEEDED' });
});

test('an execution waiting for its model can be stopped immediately', async () => {
  const { id } = await waiting();
  await caller.call('POST', `/flows/executions/${id}/stop`);
  expect(await whenExecution(caller, id)).toMatchObject({ status: 'STOPPED' });
  expect(await rowOf(id)).toMatchObject({ state: null, calls: null });
});

test('an execution fails with the reason after waiting five minutes for its model', async () => {
  const { id } = await waiting();
  const { db } = winnow.database;
  const since = new Date(Date.now() - 301_000);
  await db.updateTable('flow_execution').set({ model_wait_since: since }).where('id', '=', id).execute();
  const { key } = runFlowQueueKey(id);
  await sql`update graphile_worker._private_jobs set run_at = now() where key = ${key}`.execute(db);
  const execution = await whenExecution(caller, id);
  expect(execution).toMatchObject({ status: 'FAILED' });
  expect(execution.error_message).toMatch(/^Model \d+ .*limit/);
});

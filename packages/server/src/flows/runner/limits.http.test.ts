import { flowExecution } from '@winnow/contract/flow';
import { tracker } from '@winnow/contract/tracker';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { ModelsEmulator } from '@winnow/emulators/models/emulator';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Jobs } from '../../platform/jobs/jobs.ts';
import { openLog } from '../../platform/log.ts';
import { closeAll, startBacklog } from '../../testing/backlog.ts';
import type { Caller } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { differentIssues, whenSynced } from '../../testing/github.ts';
import type { RunningWinnow } from '../../testing/running-winnow.ts';
import { runFlow as job, runFlowQueueKey } from '../executions/job.ts';
import { logsOf, newFlow, newModel, runFlow, runToEnd, whenExecution } from '../testing/flow-setup.ts';
import { Journal } from './journal.ts';

const QUARTER_MS = 15 * 60_000;

let winnow: RunningWinnow;
let github: GitHubEmulator;
let models: ModelsEmulator;
let caller: Caller;
let modelId: string;
let asked: number;

beforeAll(async () => {
  const seed = { repos: [{ owner: 'acme', name: 'other', private: true, issues: differentIssues(2) }] };
  ({ winnow, models, github, caller } = await startBacklog({ seed }));
  modelId = (await newModel(caller, models)).id;
});
afterAll(() => closeAll(winnow, models, github));
beforeEach(() => {
  asked = models.requests.length;
});

const rowOf = (executionId: string) =>
  winnow.database.db
    .selectFrom('flow_execution')
    .selectAll()
    .where('id', '=', executionId)
    .executeTakeFirstOrThrow();

/** Starts an execution whose model does not respond. */
async function hanging() {
  models.next('hangs');
  const { id: flowId } = await newFlow(caller, modelId);
  const { id } = await runFlow(caller, flowId);
  await eventually(() => models.requests.length > asked);
  return id;
}

test('ends an execution after 15 minutes even if its model does not respond', async () => {
  const id = await hanging();
  const { db, connection } = winnow.database;
  const { account_id } = await rowOf(id);
  // Moves the start of the execution back in time, so that one second remains of its 15 minutes.
  await db
    .updateTable('flow_execution')
    .set({ start_time: new Date(Date.now() - QUARTER_MS + 1_000) })
    .where('id', '=', id)
    .execute();
  models.next('hangs');
  const jobs = new Jobs({ db, connection, log: openLog({ level: 'silent' }), exclusive: false });
  await jobs.enqueue(job, { account_id, execution_id: id }, { key: `${runFlowQueueKey(id).key} again` });
  expect(await whenExecution(caller, id)).toMatchObject({
    status: 'FAILED',
    error_message: 'The run took longer than 15 minutes.',
  });
});

test('a full log contains one notice about it, and still records the end', async () => {
  const id = await hanging();
  const row = await rowOf(id);
  const journal = new Journal(
    {
      db: winnow.database.db,
      now: () => new Date(),
      announcements: { announceLog: async () => undefined, announceUpdate: async () => undefined },
      mostEntries: row.log_entries + 2,
    },
    row,
  );
  for (const text of ['One.', 'Two.', 'Three.', 'Four.']) await journal.log('message', { text });
  await journal.log('status', { notice: 'Asked again.' });
  const written = (await logsOf(caller, id)).slice(row.log_entries);
  expect(written.map(({ payload }) => payload.text ?? payload.notice)).toEqual([
    'One.',
    'Two.',
    'The log is full. From this point, only notices and the result are stored.',
    'Asked again.',
  ]);
  await caller.call('POST', `/flows/executions/${id}/stop`);
});

test('a busy model is retried as soon as allowed, with a notice in the log', async () => {
  const busy = { fails: 429, says: 'Later.', retryAfterSeconds: 1 };
  // The model client makes up to three attempts for each turn of the runner.
  models.next(busy, busy, busy, { text: 'Here I am.' });
  const { id: flowId } = await newFlow(caller, modelId);
  const execution = await runToEnd(caller, flowId);
  expect(execution).toMatchObject({ status: 'SUCCEEDED', result: 'Here I am.', iterations: 1 });
  const notices = (await logsOf(caller, execution.id)).map(({ payload }) => payload.notice);
  expect(notices).toContainEqual(expect.stringMatching(/The next attempt is in \d+ s\.$/));
});

test('truncates a long final message between characters', async () => {
  models.next({ text: `${'x'.repeat(19_999)}😀 and more.` });
  const { id: flowId } = await newFlow(caller, modelId);
  const { status, result } = await runToEnd(caller, flowId);
  expect([status, result]).toEqual(['SUCCEEDED', 'x'.repeat(19_999)]);
});

test('searches are limited to the project of the event by default', async () => {
  const search = (given: object) => ({
    calls: [{ name: 'winnow__search_issues', arguments: { query: 'report', ...given } }],
  });
  models.next(search({}), search({ projects: ['acme/other'] }), { text: 'Seen.' });
  const { id: flowId } = await newFlow(caller, modelId);
  await runToEnd(caller, flowId);
  const [bound, named] = models.requests.slice(asked + 1).map(({ turns }) => turns.at(-1)?.text ?? '');
  expect(bound).toContain('acme/app#1');
  expect(bound).not.toContain('acme/other#');
  expect(named).toContain('acme/other#1');
  expect(named).not.toContain('acme/app#');
});

test('a flow whose tracker was removed fails with the reason', async () => {
  const sample = await caller.send('POST', '/trackers', { name: 'Sample', type: 'sample' }, tracker);
  await whenSynced(caller, sample.id);
  const { id: flowId } = await newFlow(caller, modelId, { trigger_event_source: sample.id });
  await eventually(async () => (await caller.call('DELETE', `/trackers/${sample.id}`)).status === 204);
  const execution = await runToEnd(caller, flowId, {});
  expect(execution).toMatchObject({
    status: 'FAILED',
    error_message: 'Its tracker was removed. Choose another tracker.',
  });
  expect(models.requests).toHaveLength(asked);
});

test('a flow can be run with an empty request body', async () => {
  models.next({ text: 'Nothing to do.' });
  const { id: flowId } = await newFlow(caller, modelId);
  const answer = await caller.call('POST', `/flows/${flowId}/run`);
  expect(answer.status).toBe(202);
  const execution = flowExecution.parse(answer.body);
  expect(execution.trigger_event).toMatchObject({ type: null, issue_key: null });
  await whenExecution(caller, execution.id);
});

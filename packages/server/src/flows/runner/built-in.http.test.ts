import { change } from '@winnow/contract/change';
import { type BuiltinAction, type FlowExecution, flow } from '@winnow/contract/flow';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Jobs } from '../../platform/jobs/jobs.ts';
import { openLog } from '../../platform/log.ts';
import type { Caller } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { connect, startGitHub, syncAgain, whenSynced } from '../../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../../testing/running-winnow.ts';
import { runFlow as job, runFlowQueueKey } from '../executions/job.ts';
import { logsOf, newFlow, runToEnd, whenExecution } from '../testing/flow-setup.ts';

const VAGUE = { title: 'It is broken', body: 'Please fix.' };

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
let trackerId: string;

beforeAll(async () => {
  [winnow, github] = await Promise.all([startWinnow(), startGitHub([VAGUE, VAGUE, VAGUE])]);
  caller = await winnow.newCaller();
  trackerId = (await connect(caller, github)).id;
  await whenSynced(caller, trackerId);
});
afterAll(async () => {
  await winnow.close();
  await github.close();
});

const commentsOn = (number: number) => github.issue('acme', 'app', number).comments;

async function execute(
  builtin_actions: BuiltinAction[],
  changes: Record<string, unknown>,
  on?: Record<string, unknown>,
): Promise<FlowExecution> {
  const { id } = await newFlow(caller, null, { builtin_actions, ...changes });
  return runToEnd(caller, id, on);
}

test('built-in actions work without a model, and propose their writes', async () => {
  const execution = await execute(['check_readiness'], {});
  expect(execution).toMatchObject({
    status: 'SUCCEEDED',
    ai_model_name: null,
    budget_used: 0,
    iterations: 0,
    actions_taken_summary: [{ action: 'winnow/comment_on_issue', target_key: 'acme/app#1' }],
  });
  expect(await caller.get(`/changes/${execution.change_ids[0]}`, change)).toMatchObject({
    kind: 'flow',
    status: 'proposed',
  });
  expect(commentsOn(1)).toEqual([]);
  const types = (await logsOf(caller, execution.id)).map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['event', 'tool_call', 'tool_result', 'change', 'status']));
});

test('they write immediately in apply mode, and only report the writes in a dry run', async () => {
  const on = { issue_key: 'acme/app#2' };
  const dry = await execute(['check_readiness'], { write_mode: 'apply' }, { ...on, dry_run: true });
  expect(dry).toMatchObject({ status: 'SUCCEEDED', change_ids: [] });
  expect(dry.actions_taken_summary).toHaveLength(1);
  expect(commentsOn(2)).toEqual([]);
  const done = await execute(['check_readiness'], { write_mode: 'apply' }, on);
  expect(done).toMatchObject({ status: 'SUCCEEDED' });
  expect(commentsOn(2)).toHaveLength(1);
});

test('a write refused by the tracker ends the execution with the reason', async () => {
  const number = github.createIssue('acme', 'app', { ...VAGUE, title: 'It is broken too' }).number;
  await syncAgain(caller, trackerId);
  github.faults.add({
    match: { method: 'POST', path: 'comments$' },
    action: { kind: 'status', status: 403 },
  });
  const on = { issue_key: `acme/app#${number}` };
  const execution = await execute(['check_readiness'], { write_mode: 'apply' }, on);
  github.faults.clear();
  expect(execution).toMatchObject({
    status: 'FAILED',
    actions_taken_summary: [{ target_key: on.issue_key }],
  });
  expect(execution.error_message).toMatch(
    /^Check readiness: .*This token is not allowed to access the issue/,
  );
  expect(commentsOn(number)).toEqual([]);
});

test('a denied tool is not used', async () => {
  const execution = await execute(['check_readiness'], {
    write_mode: 'apply',
    tool_policies: { 'winnow/comment_on_issue': 'deny' },
  });
  expect(execution).toMatchObject({ change_ids: [], actions_taken_summary: [] });
  expect(commentsOn(1)).toEqual([]);
});

test('an execution that runs again writes nothing twice, even if its flow was changed or disabled; one that had not started fails', async () => {
  const { id: flowId } = await newFlow(caller, null, {
    builtin_actions: ['check_readiness'],
    write_mode: 'apply',
  });
  const first = await runToEnd(caller, flowId, { issue_key: 'acme/app#3' });
  expect(commentsOn(3)).toHaveLength(1);
  const { db, connection } = winnow.database;
  const jobs = new Jobs({ db, connection, log: openLog({ level: 'silent' }), exclusive: false });
  /** Simulates an interruption before any progress was stored. */
  const beginAnew = async (changes: { attempts?: number } = {}) => {
    await db
      .updateTable('flow_execution')
      .set({ status: 'PENDING', end_time: null, state: null, ...changes })
      .where('id', '=', first.id)
      .execute();
    const { account_id } = await caller.get(`/flows/${flowId}`, flow);
    await jobs.enqueue(job, { account_id, execution_id: first.id }, runFlowQueueKey(first.id));
  };
  await beginAnew();
  const again = await eventually(async () => {
    const execution = await whenExecution(caller, first.id);
    return execution.end_time !== first.end_time && execution;
  });
  expect(again).toMatchObject({ status: 'SUCCEEDED', change_ids: first.change_ids });
  expect(again.actions_taken_summary).toHaveLength(1);
  expect(commentsOn(3)).toHaveLength(1);

  await caller.send('PUT', `/flows/${flowId}`, { is_enabled: false, name: 'Another' }, flow);
  await beginAnew();
  expect(await whenExecution(caller, first.id)).toMatchObject({ status: 'SUCCEEDED' });
  expect(commentsOn(3)).toHaveLength(1);
  await beginAnew({ attempts: 0 });
  expect(await whenExecution(caller, first.id)).toMatchObject({
    status: 'FAILED',
    error_message: 'The flow was turned off before this run started.',
  });
});

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { change, changeList } from '@winnow/contract/change';
import { mcpServer } from '@winnow/contract/mcp-server';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { type McpEmulator, startMcpServer } from '@winnow/emulators/mcp/emulator';
import { type ModelsEmulator, startModels } from '@winnow/emulators/models/emulator';
import { afterEach, expect, test } from 'vitest';
import { type Caller, registerCaller, signInCaller } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { connect, differentIssues, startGitHub, whenSynced } from '../../testing/github.ts';
import { type ServerProcess, startServer } from '../../testing/server-process.ts';
import { logsOf, newFlow, newModel, runFlow, runToEnd, whenExecution } from '../testing/flow-setup.ts';

let server: ServerProcess | null = null;
let github: GitHubEmulator | null = null;
let models: ModelsEmulator | null = null;
let notes: McpEmulator | null = null;

afterEach(async () => {
  await server?.remove();
  await models?.close();
  await github?.close();
  await notes?.close();
  notes = null;
});

/** Starts a server with a synced tracker and a flow in apply mode. */
async function begin(issues: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'winnow-killed-'));
  const env = { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' };
  const [emulator, thinking] = await Promise.all([startGitHub(differentIssues(issues)), startModels()]);
  [github, models] = [emulator, thinking];
  server = await startServer({ dataDir, env });
  const first = await registerCaller(server.url);
  await whenSynced(first, (await connect(first, emulator)).id);
  const { id: modelId } = await newModel(first, thinking);
  const { id: flowId } = await newFlow(first, modelId, { write_mode: 'apply' });
  const restart = async (): Promise<Caller> => {
    await server?.kill();
    emulator.faults.clear();
    server = await startServer({ dataDir, env });
    return signInCaller(server.url, first.name, first.password);
  };
  return { caller: first, emulator, thinking, modelId, flowId, restart };
}

/** Starts a server with a flow that may use an external tool. Calls of the tool never end. */
async function beginWithNotes(policies: Record<string, string> = {}) {
  const setup = await begin(1);
  const calls: unknown[] = [];
  notes = await startMcpServer((offered) => {
    offered.registerTool('write_note', {}, (call) => {
      calls.push(call);
      return new Promise(() => undefined);
    });
  });
  await setup.caller.send('POST', '/mcp-servers', { name: 'Notes', url: notes.url }, mcpServer);
  const changes = { allowed_mcp_servers: ['Notes'], tool_policies: policies };
  const { id: flowId } = await newFlow(setup.caller, setup.modelId, changes);
  return { ...setup, flowId, calls };
}

const say = (number: number, text: string) => ({
  calls: [{ name: 'winnow__comment_on_issue', arguments: { issue: `acme/app#${number}`, comment: text } }],
});

test('an execution logs that its server stopped, and continues after a restart', async () => {
  const { caller, thinking, flowId, restart } = await begin(1);
  thinking.next('hangs');
  const { id } = await runFlow(caller, flowId);
  await eventually(() => thinking.requests.length === 1);
  await server?.stop();
  thinking.next({ text: 'Done.' });
  const later = await restart();
  expect(await whenExecution(later, id)).toMatchObject({ status: 'SUCCEEDED', result: 'Done.' });
  const notices = (await logsOf(later, id)).flatMap(({ payload }) => payload.notice ?? []);
  expect(notices).toContain('Winnow was stopped. The run continues after the restart.');
  expect(notices.join(' ')).not.toContain('The next attempt');
}, 120_000);

test('an execution continues after its server is killed, and writes nothing twice', async () => {
  const { caller, emulator, thinking, flowId, restart } = await begin(2);

  // The tracker stores the comment, but its response never arrives.
  const action = { kind: 'slow', chunkBytes: 1, intervalMs: 600_000 } as const;
  emulator.faults.add({
    match: { method: 'POST', path: '/issues/1/comments$' },
    times: 1,
    action,
  });
  thinking.next(say(1, 'First.'));
  const { id } = await runFlow(caller, flowId);
  await emulator.requests.waitFor(({ fault }) => fault === 'slow', 40_000);
  thinking.next(say(2, 'Second.'), 'hangs');
  await restart();

  // Kills the server again after the second comment, while the model is responding.
  await eventually(() => thinking.requests.length === 3);
  thinking.next({ text: 'Both are said.' });
  const later = await restart();

  const execution = await whenExecution(later, id);
  expect(execution).toMatchObject({
    status: 'SUCCEEDED',
    result: 'Both are said.',
    iterations: 3,
    tool_calls_count: 2,
  });
  expect(execution.change_ids).toHaveLength(2);
  expect(execution.actions_taken_summary.map(({ target_key }) => target_key)).toEqual([
    'acme/app#1',
    'acme/app#2',
  ]);
  for (const [number, text] of [
    [1, 'First.'],
    [2, 'Second.'],
  ] as const) {
    const { comments } = emulator.issue('acme', 'app', number);
    expect(comments).toEqual([expect.objectContaining({ body: expect.stringContaining(text) })]);
  }
  const { changes } = await later.get('/changes', changeList);
  expect(changes.map(({ status }) => status)).toEqual(['applied', 'applied']);
  const types = (await logsOf(later, id)).map(({ type }) => type);
  expect(types.filter((type) => type === 'tool_call')).toHaveLength(2);
  expect(types.filter((type) => type === 'prompt')).toHaveLength(1);
  expect(thinking.requests).toHaveLength(4);
}, 180_000);

test('executions killed at random moments are completed, and post each comment once', async () => {
  const issues = 4;
  const { caller, emulator, thinking, flowId, restart } = await begin(issues);
  let kills = 4;
  /** Promise that resolves when the server is dead. Null if no kill is requested. */
  let dying: PromiseWithResolvers<false> | null = null;
  thinking.answerAll(({ turns }) => {
    if (dying !== null && kills > 0 && Math.random() < 0.6) {
      const { resolve } = dying;
      [dying, kills] = [null, kills - 1];
      setTimeout(() => void server?.kill().then(() => resolve(false)), Math.random() * 400);
    }
    // The number of previous turns determines the next comment, so a repeated turn requests the
    // same comment.
    const number = turns.filter(({ role }) => role === 'assistant').length + 1;
    return number <= issues ? say(number, `Number ${number}.`) : { text: 'All is said.' };
  });
  const { id } = await runFlow(caller, flowId);
  for (let now = caller, ended = false; !ended; ) {
    const dead = Promise.withResolvers<false>();
    dying = dead;
    const end = whenExecution(now, id).then(
      () => true,
      () => dead.promise,
    );
    ended = await Promise.race([end, dead.promise]);
    if (ended && dying === null) await dead.promise;
    dying = null;
    now = await restart();
    if (ended) {
      expect(await whenExecution(now, id)).toMatchObject({ status: 'SUCCEEDED', result: 'All is said.' });
    }
  }
  for (let number = 1; number <= issues; number += 1) {
    const { comments } = emulator.issue('acme', 'app', number);
    expect(comments).toEqual([
      expect.objectContaining({ body: expect.stringContaining(`Number ${number}.`) }),
    ]);
  }
}, 240_000);

test('an approved external call interrupted by a crash is not repeated, and its change says so', async () => {
  const { caller, thinking, flowId, calls, restart } = await beginWithNotes();
  thinking.next({ calls: [{ name: 'Notes__write_note', arguments: {} }] }, { text: 'Asked.' });
  const execution = await runToEnd(caller, flowId);
  const [changeId] = execution.change_ids;
  const approving = caller.call('POST', `/changes/${changeId}/apply`).catch(() => undefined);
  await eventually(() => calls.length > 0);
  const later = await restart();
  await approving;

  const settled = await eventually(async () => {
    const now = await later.get(`/changes/${changeId}`, change);
    return now.status !== 'applying' && now;
  });
  expect(settled).toMatchObject({
    status: 'failed',
    steps: [
      {
        status: 'failed',
        error:
          'It is unknown whether Notes/write_note was called, because Winnow was interrupted. Check its effect before you call it again.',
      },
    ],
  });
  await later.fail('POST', `/changes/${changeId}/retry`, 409);
  expect(calls).toHaveLength(1);
}, 120_000);

test('an external call interrupted by a crash is not repeated, and the model is informed', async () => {
  const policies = { 'Notes/write_note': 'allow' };
  const { caller, thinking, flowId, calls, restart } = await beginWithNotes(policies);
  thinking.next({ calls: [{ name: 'Notes__write_note', arguments: {} }] }, { text: 'I looked.' });
  const { id } = await runFlow(caller, flowId);
  await eventually(() => calls.length > 0);
  const later = await restart();
  expect(await whenExecution(later, id)).toMatchObject({ status: 'SUCCEEDED', result: 'I looked.' });
  expect(calls).toHaveLength(1);
  expect(thinking.requests.at(-1)?.turns.at(-1)?.text).toContain(
    'It is unknown if this call was carried out',
  );
}, 120_000);

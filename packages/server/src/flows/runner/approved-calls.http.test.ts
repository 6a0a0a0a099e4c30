import { type Change, change, changeList } from '@winnow/contract/change';
import { mcpServer, mcpServerList } from '@winnow/contract/mcp-server';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { type McpEmulator, startMcpServer } from '@winnow/emulators/mcp/emulator';
import type { ModelsEmulator } from '@winnow/emulators/models/emulator';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connectAgent, newKey } from '../../mcp/testing/agent.ts';
import { closeAll, startBacklog } from '../../testing/backlog.ts';
import type { Caller } from '../../testing/caller.ts';
import { syncAgain } from '../../testing/github.ts';
import type { RunningWinnow } from '../../testing/running-winnow.ts';
import { logsOf, newFlow, newModel, runToEnd } from '../testing/flow-setup.ts';

const SECRET = 'wiki-secret-0123456789';
const ISSUE = 'acme/app#1';
const page = { title: 'Limits', text: 'Two lines,\nwith “quotes” and \u202eturned\u202c.', tags: ['a', 'b'] };

let winnow: RunningWinnow;
let models: ModelsEmulator;
let github: GitHubEmulator;
let caller: Caller;
let trackerId: string;
let modelId: string;
let wiki: McpEmulator;
let serverId: string;
/**
 * Arguments of writes that the external server received. Reset for each test, like the results that
 * the server returns.
 */
let written: unknown[];
let answer: { text: string; isError: boolean };

beforeAll(async () => {
  ({ winnow, models, github, caller, trackerId } = await startBacklog());
  modelId = (await newModel(caller, models)).id;
});
afterAll(() => closeAll(winnow, models, github));
beforeEach(async () => {
  written = [];
  answer = { text: 'Saved as page 7.', isError: false };
  wiki = await startMcpServer((server) => {
    const inputSchema = z.object({ title: z.string(), text: z.string(), tags: z.array(z.string()) });
    server.registerTool('save_page', { inputSchema }, async (given) => {
      written.push(given);
      return { content: [{ type: 'text', text: answer.text }], isError: answer.isError };
    });
  });
  wiki.expect('authorization', `Bearer ${SECRET}`);
  serverId = (await caller.send('POST', '/mcp-servers', fields(), mcpServer)).id;
});
afterEach(async () => {
  for (const { id, name } of await caller.get('/mcp-servers', mcpServerList)) {
    if (name !== 'winnow') await caller.do('DELETE', `/mcp-servers/${id}`);
  }
  await wiki.close();
});

const fields = (changes: object = {}) => ({
  name: 'Wiki',
  url: wiki.url,
  auth_type: 'bearer',
  secret: SECRET,
  ...changes,
});

/** Runs a flow that proposes one call of the external tool. */
async function propose(on?: Record<string, unknown>) {
  const before = models.requests.length;
  models.next({ calls: [{ name: 'Wiki__save_page', arguments: page }] }, { text: 'Asked for it.' });
  const { id, name } = await newFlow(caller, modelId, { allowed_mcp_servers: ['Wiki'] });
  const execution = await runToEnd(caller, id, on);
  const [changeId = 'none'] = execution.change_ids;
  const told = models.requests[before + 1]?.turns.at(-1)?.text ?? '';
  return { execution, changeId, told, flow: { type: 'flow' as const, id, name } };
}
const changeOf = (id: string) => caller.get(`/changes/${id}`, change);
const approve = (id: string) => caller.send('POST', `/changes/${id}/apply`, undefined, change);
const stepOf = ({ steps: [step] }: Change) => step;

test('a call that requires approval is proposed, with readable arguments', async () => {
  const { execution, changeId, told, flow } = await propose();
  expect(written).toEqual([]);
  expect(told).toContain(`the call is proposed as change ${changeId} and requires approval`);
  expect(execution).toMatchObject({
    status: 'SUCCEEDED',
    change_ids: [changeId],
    actions_taken_summary: [{ action: 'Wiki/save_page', target_key: null, change_id: changeId }],
  });
  const proposed = await changeOf(changeId);
  expect(proposed).toMatchObject({
    kind: 'flow',
    status: 'proposed',
    title: 'Called Wiki/save_page.',
    actor: flow,
    issue_keys: [ISSUE],
    base_hashes: {},
    steps: [{ action: 'call_tool', target_key: 'Wiki/save_page', before: {}, status: 'pending' }],
  });
  const shown = stepOf(proposed)?.after.arguments ?? '';
  expect(shown).toContain('and \\u202eturned\\u202c."');
  expect(shown).not.toMatch(/[\u202c\u202e]/);
  expect(JSON.parse(shown)).toEqual(page);
  const entries = (await logsOf(caller, execution.id)).filter(({ type }) => type === 'change');
  expect(entries).toMatchObject([{ payload: { tool: 'Wiki/save_page', change_id: changeId } }]);
  const { changes } = await caller.get('/changes?kind=flow&status=proposed', changeList);
  expect(changes.map(({ id }) => id)).toContain(changeId);
});

test('an approved call is made once with exactly the approved arguments, and its result can be read', async () => {
  const { changeId } = await propose();
  const both = await Promise.all([1, 2].map(() => caller.call('POST', `/changes/${changeId}/apply`)));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(written).toEqual([page]);
  expect(await changeOf(changeId)).toMatchObject({
    status: 'applied',
    decided_by: caller.name,
    steps: [{ status: 'applied', error: null, answer: 'Saved as page 7.' }],
  });
  await caller.fail('POST', `/changes/${changeId}/apply`, 409);
  expect(written).toHaveLength(1);
  const { code, detail } = await caller.fail('POST', `/changes/${changeId}/undo`, 409);
  expect(code).toBe('not_undoable');
  expect(detail).toBe('A call of an external tool cannot be undone: only its server knows what it did.');
  expect(caller.answers.join()).not.toContain(SECRET);
});

test('an approved call works without an issue, and does not depend on the version of an issue', async () => {
  const without = await propose({});
  expect((await approve(without.changeId)).issue_keys).toEqual([]);
  const { changeId } = await propose();
  github.editAs('ada', 'acme', 'app', 1, { title: 'Another title by now' });
  await syncAgain(caller, trackerId);
  expect(await approve(changeId)).toMatchObject({ status: 'applied' });
  expect(written).toHaveLength(2);
});

test('a rejected call is never made', async () => {
  const { changeId } = await propose();
  const asked = wiki.requests.length;
  const rejected = await caller.send('POST', `/changes/${changeId}/reject`, undefined, change);
  expect(rejected).toMatchObject({ status: 'rejected', decided_by: caller.name });
  await caller.fail('POST', `/changes/${changeId}/apply`, 409);
  expect(written).toEqual([]);
  expect(wiki.requests).toHaveLength(asked);
});

test('an error result fails the change with the first line of the error, without a retry', async () => {
  const { changeId } = await propose();
  answer = { text: `There is no room.\nBuy ${SECRET} more.`, isError: true };
  const failed = await approve(changeId);
  expect(failed.status).toBe('failed');
  expect(stepOf(failed)).toMatchObject({ status: 'failed', error: 'There is no room.' });
  expect(stepOf(failed)?.answer).toMatch(/^There is no room\.\nBuy .+ more\.$/);
  expect(JSON.stringify(failed)).not.toContain(SECRET);
  const { code } = await caller.fail('POST', `/changes/${changeId}/retry`, 409);
  expect(code).toBe('not_repeatable');
  expect(written).toHaveLength(1);
});

test('truncates a long result', async () => {
  const { changeId } = await propose();
  answer = { text: 'x'.repeat(10_000), isError: false };
  expect(stepOf(await approve(changeId))?.answer).toBe(`${'x'.repeat(4_000)}… (6000 more characters)`);
});

describe('cannot be approved, and stays proposed,', () => {
  test('if its server was removed', async () => {
    const { changeId } = await propose();
    await caller.do('DELETE', `/mcp-servers/${serverId}`);
    const { detail } = await caller.fail('POST', `/changes/${changeId}/apply`, 409);
    expect(detail).toBe('MCP server Wiki not found.');
    expect(await changeOf(changeId)).toMatchObject({ status: 'proposed' });
  });

  test('if its server has moved, without contacting the new address', async () => {
    const { changeId } = await propose();
    const other = await startMcpServer(() => undefined);
    await caller.send('PUT', `/mcp-servers/${serverId}`, fields({ url: other.url }), mcpServer);
    const { detail } = await caller.fail('POST', `/changes/${changeId}/apply`, 409);
    expect(detail).toMatch(/^The address of Wiki has changed since this was proposed\./);
    expect(other.requests).toEqual([]);
    await other.close();
  });

  test('if its server does not have the tool', async () => {
    const { changeId } = await propose();
    wiki.offer((server) => {
      server.registerTool('read_page', {}, async () => ({ content: [] }));
    });
    const { detail } = await caller.fail('POST', `/changes/${changeId}/apply`, 409);
    expect(detail).toBe('The tool save_page of Wiki was removed.');
  });

  test('while its server does not respond, and is made once when it responds again', async () => {
    const { changeId } = await propose();
    wiki.expect('authorization', 'Bearer of another secret');
    const { detail } = await caller.fail('POST', `/changes/${changeId}/apply`, 502);
    expect(detail).toMatch(/^Wiki does not accept the bearer token/);
    wiki.expect('authorization', `Bearer ${SECRET}`);
    expect(await approve(changeId)).toMatchObject({ status: 'applied' });
    expect(written).toEqual([page]);
  });
});

test('an API key with the write scope can decide over MCP; a key that may only propose cannot', async () => {
  const { changeId } = await propose();
  const proposing = await connectAgent(winnow.origin, (await newKey(caller, ['read', 'propose'])).key);
  await proposing.failing('decide_change', { change_id: changeId, decision: 'approve' });
  expect(written).toEqual([]);
  const agent = await connectAgent(winnow.origin, (await newKey(caller)).key);
  const { changes } = await agent.use('list_changes', { status: 'proposed', issue: ISSUE, with_steps: true });
  const listed = changes.find(({ change_id }) => change_id === changeId);
  expect(listed).toMatchObject({
    title: 'Call Wiki/save_page',
    steps: [{ action: 'call_tool', target: 'Wiki/save_page' }],
  });
  const decided = await agent.use('decide_change', { change_id: changeId, decision: 'approve' });
  expect(decided).toMatchObject({ status: 'applied', summary: 'Called Wiki/save_page.' });
  expect(written).toEqual([page]);
  await Promise.all([proposing.close(), agent.close()]);
});

test('other accounts cannot see or decide it', async () => {
  const { changeId } = await propose();
  const stranger = await winnow.newCaller();
  await stranger.fail('GET', `/changes/${changeId}`, 404);
  await stranger.fail('POST', `/changes/${changeId}/apply`, 404);
  await stranger.fail('POST', `/changes/${changeId}/reject`, 404);
  expect((await stranger.get('/changes', changeList)).changes).toEqual([]);
  expect(written).toEqual([]);
});

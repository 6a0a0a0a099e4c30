import { currentUser } from '@winnow/contract/account';
import { type Flow, flow, flowDefinition, flowPresetList } from '@winnow/contract/flow';
import { type McpServer, mcpServer } from '@winnow/contract/mcp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Jobs } from '../platform/jobs/jobs.ts';
import { openLog } from '../platform/log.ts';
import type { Caller } from '../testing/caller.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { startExecution } from './executions/start-execution.ts';
import { newFlow } from './testing/flow-setup.ts';

const URL = 'https://notes.example.com/mcp';

let winnow: RunningWinnow;
let caller: Caller;
let server: McpServer;
let made: Flow;

beforeAll(async () => {
  winnow = await startWinnow();
  caller = await winnow.newCaller();
  server = await caller.send('POST', '/mcp-servers', { name: 'Notes', url: URL }, mcpServer);
  made = await newFlow(caller, null, {
    name: 'Take notes',
    builtin_actions: ['check_readiness'],
    allowed_mcp_servers: ['winnow', 'Notes'],
    tool_policies: {
      'Notes/write_note': 'allow',
      'Notes/drop_note': 'deny',
      'Notes/ask_first': 'ask',
      'winnow/update_issue': 'ask',
    },
    is_preset: true,
  });
});
afterAll(() => winnow.close());

/** Returns the parts of the flow and of its preset that refer to servers. */
async function known() {
  const presets = await caller.get('/flows/presets', flowPresetList);
  const preset = presets.find(({ name }) => name === 'Take notes');
  const present = await caller.get(`/flows/${made.id}`, flow);
  expect([preset?.allowed_mcp_servers, preset?.tool_policies]).toEqual([
    present.allowed_mcp_servers,
    present.tool_policies,
  ]);
  return present;
}
const change = (changes: object) =>
  caller.send('PUT', `/mcp-servers/${server.id}`, { name: 'Notes', url: URL, ...changes }, mcpServer);

test('renaming a server updates flows and presets', async () => {
  await change({ name: 'Wiki' });
  expect(await known()).toMatchObject({
    problem: null,
    allowed_mcp_servers: ['winnow', 'Wiki'],
    tool_policies: {
      'Wiki/write_note': 'allow',
      'Wiki/drop_note': 'deny',
      'Wiki/ask_first': 'ask',
      'winnow/update_issue': 'ask',
    },
  });
  await change({ name: 'Notes' });
});

test('when a server moves to a new address, permissions to call its tools without approval are removed', async () => {
  await change({ url: 'https://elsewhere.example.com/mcp' });
  expect((await known()).tool_policies).toEqual({
    'Notes/drop_note': 'deny',
    'Notes/ask_first': 'ask',
    'winnow/update_issue': 'ask',
  });
});

test('a flow that was read before its server moved starts without the permissions for the old address', async () => {
  const { db, connection } = winnow.database;
  const { account_id: accountId } = await caller.get('/auth/users/me', currentUser);
  const stale = {
    ...made,
    tool_policies: { 'Notes/write_note': 'allow', 'winnow/update_issue': 'allow' },
  } as const;
  const jobs = new Jobs({ db, connection, log: openLog({ level: 'silent' }), exclusive: false });
  const nothing = {
    type: null,
    actor: null,
    project_id: null,
    project: null,
    issue_id: null,
    issue_key: null,
  };
  const event = {
    ...nothing,
    ...{ issue_title: null, url: null, details: {}, coalesced: 0, occurred_at: '2026-01-01T00:00:00.000Z' },
  };
  const id = await db
    .transaction()
    .execute((transaction) =>
      startExecution(
        transaction,
        accountId,
        { flowId: made.id, definition: flowDefinition.parse(stale), event },
        { jobs, at: new Date() },
      ),
    );
  const { definition } = await db
    .selectFrom('flow_execution')
    .select('definition')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(definition.tool_policies).toEqual({ 'winnow/update_issue': 'allow' });
});

test('flows of other accounts with a server of the same name stay unchanged', async () => {
  const stranger = await winnow.newCaller();
  const theirs = await stranger.send('POST', '/mcp-servers', { name: 'Notes', url: URL }, mcpServer);
  await stranger.do('DELETE', `/mcp-servers/${theirs.id}`);
  expect((await known()).tool_policies).toHaveProperty('Notes/drop_note');
});

test('a new server with the name of a removed one does not inherit its policies', async () => {
  await caller.do('DELETE', `/mcp-servers/${server.id}`);
  expect(await known()).toMatchObject({
    problem: expect.stringContaining('MCP server “Notes” not found.'),
    tool_policies: { 'winnow/update_issue': 'ask' },
  });
  await caller.send('POST', '/mcp-servers', { name: 'Notes', url: URL }, mcpServer);
  const { tool_policies: policies } = await known();
  expect(policies).toEqual({ 'winnow/update_issue': 'ask' });
});

import { changeList } from '@winnow/contract/change';
import { issueDetail } from '@winnow/contract/issue-detail';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { differentIssues } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { type Agent, connectAgent, newKey } from './testing/agent.ts';

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
let key: string;
let agent: Agent;

beforeAll(async () => {
  winnow = await startWinnow();
  ({ github, caller } = await newBacklog(winnow, differentIssues(3)));
  ({ key } = await newKey(caller));
  agent = await connectAgent(winnow.origin, key);
});
afterAll(async () => {
  await agent.close();
  await winnow.close();
  await github.close();
});

const turnCount = async () =>
  (await winnow.database.db.selectFrom('write_turn').select('id').execute()).length;

/** Starts to rename an issue. The tracker delays its response. */
async function renameSlowly(number: number): Promise<{ renamed: Promise<unknown> }> {
  const match = { method: 'PATCH', path: `/issues/${number}$` };
  github.faults.add({ match, times: 1, action: { kind: 'delay', delayMs: 2_000 } });
  const renamed = agent.use('update_issue', { issue: `acme/app#${number}`, title: 'Renamed' });
  await eventually(() => github.faults.list()[0]?.fired === 1);
  github.faults.clear();
  return { renamed };
}

test('a waiting call writes nothing if its client disconnects, over HTTP and MCP', async () => {
  const { id } = await caller.get('/issues/acme%2Fapp%232', issueDetail);
  const { renamed } = await renameSlowly(2);
  const gone = new AbortController();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const post = (method: string, path: string, body: unknown) =>
    fetch(`${winnow.origin}${path}`, {
      method,
      headers: { ...headers, accept: 'application/json, text/event-stream' },
      body: JSON.stringify(body),
      signal: gone.signal,
    }).catch(() => 'gone');
  const callTool = (name: string, args: object) =>
    post('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
  const left = [
    post('PATCH', `/api/v1/issue_compliance_update/${id}`, { title: 'By the API', changes: [] }),
    callTool('update_issue', { issue: 'acme/app#2', title: 'By MCP' }),
  ];
  const stays = agent.use('update_issue', { issue: 'acme/app#2', add_labels: ['stayed'] });
  await eventually(async () => (await turnCount()) === 3);
  gone.abort();
  expect(await Promise.all(left)).toEqual(['gone', 'gone']);
  await renamed;
  expect(await stays).toMatchObject({ status: 'applied' });
  const { changes } = await caller.get('/changes', changeList);
  expect(changes.map(({ title }) => title)).toEqual(['Labeled acme/app#2.', 'Updated acme/app#2.']);
  expect(github.issue('acme', 'app', 2)).toMatchObject({ title: 'Renamed' });
});

import { projectList } from '@winnow/contract/issue';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newKey } from './mcp/testing/agent.ts';
import { requestOf, sendMessage } from './mcp/testing/message.ts';
import { closeAll, newBacklog } from './testing/backlog.ts';
import type { Caller } from './testing/caller.ts';
import { differentIssues } from './testing/github.ts';
import { type RunningWinnow, startWinnow } from './testing/running-winnow.ts';

/** Number of concurrent calls. Two of them run, twenty wait, and the remaining ones are refused. */
const CALLS = 30;

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
let key: string;
let projectId: string;

beforeAll(async () => {
  winnow = await startWinnow();
  ({ github, caller } = await newBacklog(winnow, differentIssues(3)));
  ({ key } = await newKey(caller));
  projectId = (await caller.get('/projects', projectList))[0]?.id ?? '';
});
afterAll(() => closeAll(winnow, github));

const detectByAgent = () =>
  sendMessage(
    winnow.origin,
    requestOf('tools/call', { name: 'detect_dependencies', arguments: { project: 'acme/app' } }),
    { key },
  );

test.each<[string, () => Promise<{ status: number }>]>([
  ['GET /changes/export', () => caller.call('GET', '/changes/export')],
  ['GET /auth/api-usage/export', () => caller.call('GET', '/auth/api-usage/export')],
  ['GET /embeddings', () => caller.call('GET', '/embeddings')],
  ['GET /issue-dependencies', () => caller.call('GET', `/issue-dependencies?project_id=${projectId}`)],
  ['the tool detect_dependencies', detectByAgent],
])('%s is limited per account', async (_name, send) => {
  const statuses = (await Promise.all(Array.from({ length: CALLS }, send))).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect((await send()).status).toBe(200);
});

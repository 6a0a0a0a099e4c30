import { createdApiKey } from '@winnow/contract/api-key';
import { change } from '@winnow/contract/change';
import { commitResult, type Dependency, dependencyList } from '@winnow/contract/dependency';
import { issue } from '@winnow/contract/issue';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newBacklog } from '../testing/backlog.ts';
import { type Caller, call } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { TOKEN } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
let ids: string[];

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(() => winnow.close());
afterEach(() => github.close());

async function begin(): Promise<void> {
  ({ github, caller } = await newBacklog(
    winnow,
    [
      { title: 'Store receipts on the server', body: 'The till keeps them for a day only.' },
      { title: 'Search in old receipts', body: 'Blocked by #1.' },
    ],
    {
      seed: {
        orgs: [{ login: 'other', members: ['ada'] }],
        repos: [{ owner: 'other', name: 'plans', issues: [{ title: 'Merger', body: '' }] }],
      },
    },
  ));
  const keys = [1, 2].map((number) => encodeURIComponent(`acme/app#${number}`));
  ids = await Promise.all(keys.map(async (key) => (await caller.get(`/issues/${key}`, issue)).id));
}

async function scan(refresh = false): Promise<Dependency[]> {
  await caller.send('POST', '/issue-dependencies/detect', { issue_ids: ids, refresh }, dependencyList);
  return eventually(async () => {
    const { checking, dependencies } = await caller.send(
      'POST',
      '/issue-dependencies/detect',
      { issue_ids: ids },
      dependencyList,
    );
    return checking ? null : dependencies;
  });
}

const wanted = () => ({ dependencies: [{ source_issue_id: ids[0], dependent_issue_id: ids[1] }] });

function commit() {
  return caller.send('POST', '/issue-dependencies/commit', wanted(), commitResult);
}

test('a write that takes longer than ten seconds is reported as pending; a second commit waits for it', async () => {
  await begin();
  await scan();
  github.faults.add({
    match: { method: 'POST', path: '/issues/2/dependencies/' },
    action: { kind: 'delay', delayMs: 12_000 },
  });
  const { pending, dependencies, failed } = await commit();
  expect({ dependencies, failed }).toEqual({ dependencies: [], failed: [] });
  const changeId = pending[0]?.change_id;
  expect((await commit()).failed).toMatchObject([{ code: 'already_committed' }]);
  await eventually(async () => (await caller.get(`/changes/${changeId}`, change)).status === 'applied');
  expect(github.issue('acme', 'app', 2).blocked_by).toEqual(['acme/app#1']);
});

test('only a user can commit an undone dependency again', async () => {
  await begin();
  await scan();
  const { dependencies } = await commit();
  await caller.send('POST', `/changes/${dependencies[0]?.change_id}/undo`, undefined, change);
  const { key } = await caller.send('POST', '/auth/api-keys', { name: 'Robot' }, createdApiKey);
  const byKey = await call(winnow.origin, 'POST', '/api/v1/issue-dependencies/commit', {
    token: key,
    body: wanted(),
  });
  expect(commitResult.parse(byKey.body).failed).toMatchObject([{ code: 'decision_undone' }]);
  expect((await commit()).dependencies).toHaveLength(1);
});

test('a link to an issue out of scope is not shown', async () => {
  await begin();
  const answer = await fetch(`${github.apiUrl}/repos/acme/app/issues/2/dependencies/blocked_by`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ issue_id: github.issue('other', 'plans', 1).id }),
  });
  expect(answer.status).toBe(201);
  expect((await scan(true)).map(({ issue_key }) => issue_key)).toEqual(['acme/app#1']);
});

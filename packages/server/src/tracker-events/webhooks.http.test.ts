import { issuesCount } from '@winnow/contract/issue';
import { issueDetail } from '@winnow/contract/issue-detail';
import { tracker, trackerWebhook } from '@winnow/contract/tracker';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { GitHubSeedIssue } from '@winnow/emulators/github/seed';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createTestDatabase } from '../platform/testing/database.ts';
import { type Caller, signInCaller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import {
  connect,
  differentIssues,
  include,
  startGitHub,
  syncAgain,
  TOKEN,
  whenSynced,
  whenTracker,
} from '../testing/github.ts';
import { listenLive } from '../testing/live-listener.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { deliver, issueEvent } from './testing/deliver.ts';

vi.setConfig({ maxConcurrency: 8, testTimeout: 60_000 });
let winnow: RunningWinnow;
const emulators: GitHubEmulator[] = [];

beforeAll(async () => {
  winnow = await startWinnow({ isReachable: true });
});
afterAll(async () => {
  await winnow.close();
  for (const emulator of emulators) await emulator.close();
});

async function prepare(
  issues: GitHubSeedIssue[],
  options: Parameters<typeof startGitHub>[1] = {},
): Promise<{ caller: Caller; github: GitHubEmulator }> {
  const github = await startGitHub(issues, options);
  emulators.push(github);
  return { caller: await winnow.newCaller(), github };
}

/** Connects a tracker and waits until its webhooks are active. */
async function connected(issues: GitHubSeedIssue[], options: Parameters<typeof startGitHub>[1] = {}) {
  const { caller, github } = await prepare(issues, options);
  const { id } = await connect(caller, github);
  await whenSynced(caller, id);
  await whenTracker(caller, id, ({ webhooks }) => webhooks.state === 'active');
  return { caller, github, id };
}

/** Returns the webhooks of all repositories of `acme`, as an administrator of GitHub sees them. */
async function hooksOf(github: GitHubEmulator): Promise<string[]> {
  const repos = github.state().repos.map(({ full_name }) => full_name);
  const shown = await Promise.all(
    repos.map(async (repo) => {
      const answer = await fetch(`${github.apiUrl}/repos/${repo}/hooks`, {
        headers: { authorization: `Bearer ${TOKEN}` },
      });
      return wireHooks.parse(await answer.json()).map(({ config }) => `${repo} ${config.url}`);
    }),
  );
  return shown.flat().sort();
}
const wireHooks = z.array(z.object({ config: z.object({ url: z.string() }) }));

/** Removes the webhooks of `acme/app`, as an administrator of GitHub could. */
async function removeHooks(github: GitHubEmulator): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const hooks = `${github.apiUrl}/repos/acme/app/hooks`;
  const there = z.array(z.object({ id: z.int() })).parse(await (await fetch(hooks, { headers })).json());
  for (const { id } of there) await fetch(`${hooks}/${id}`, { method: 'DELETE', headers });
}

/** Sets the time of the last check of the tracker's webhooks back by this many hours. */
async function checkedAgo(trackerId: string, hours: number): Promise<void> {
  await winnow.database.db
    .updateTable('project_webhook')
    .set({ checked_at: new Date(Date.now() - hours * 60 * 60_000) })
    .where('tracker_id', '=', trackerId)
    .execute();
}

const addressOf = (id: string, origin = winnow.origin) => `${origin}/api/v1/trackers/${id}/webhook`;
const issueOf = (caller: Caller, number: number) =>
  caller.get(`/issues/${encodeURIComponent(`acme/app#${number}`)}`, issueDetail);

async function eventsOf(trackerId: string) {
  return winnow.database.db
    .selectFrom('tracker_event')
    .innerJoin('project', 'project.id', 'tracker_event.project_id')
    .select(['type', 'issue_external_id', 'actor', 'source', 'handled_at', 'step_id', 'details'])
    .where('project.tracker_id', '=', trackerId)
    .orderBy('tracker_event.id')
    .execute();
}

describe.concurrent('webhooks', () => {
  test('are created for every project in scope, and removed with the scope or the tracker', async () => {
    const { caller, github, id } = await connected(differentIssues(2), {
      seed: { repos: [{ owner: 'acme', name: 'web', issues: [] }] },
    });
    expect(await hooksOf(github)).toEqual([`acme/app ${addressOf(id)}`, `acme/web ${addressOf(id)}`]);
    await github.deliveries.settled();
    expect(github.deliveries.all.map(({ status }) => status)).toEqual([202, 202]);

    const { name } = await caller.get(`/trackers/${id}`, tracker);
    const rules = [
      include('ORGANIZATION', 'acme'),
      { ...include('PROJECT', 'acme/web'), rule_type: 'EXCLUDE' },
    ];
    await caller.call('PUT', `/trackers/${id}`, { name, scope_rules: rules });
    await eventually(async () => (await hooksOf(github)).length === 1, {
      what: 'the webhook that is out of scope to go',
    });
    expect(await hooksOf(github)).toEqual([`acme/app ${addressOf(id)}`]);

    await whenSynced(caller, id);
    await caller.do('DELETE', `/trackers/${id}`);
    await eventually(async () => (await hooksOf(github)).length === 0, { what: 'the last webhook to go' });
  });

  test('are not created twice, and one with another URL is removed', async () => {
    const { caller, github, id } = await connected(differentIssues(1));
    const posted = () => github.requests.matching('POST', /\/hooks$/).length;
    expect(posted()).toBe(1);
    await winnow.database.db
      .updateTable('project_webhook')
      .set({ url: 'https://former.example.org/hook' })
      .where('tracker_id', '=', id)
      .execute();
    await syncAgain(caller, id);
    await eventually(() => posted() === 2, { what: 'the webhook at the new address' });
    expect(github.requests.matching('DELETE', /\/hooks\/\d+$/).length).toBe(1);
    await whenTracker(caller, id, ({ webhooks }) => webhooks.state === 'active');
    expect(await hooksOf(github)).toEqual([`acme/app ${addressOf(id)}`]);
    await syncAgain(caller, id);
    expect(posted()).toBe(2);
  });

  test('refused to the token leave the tracker polled, and are retried with another token', async () => {
    const token = 'github_pat_without_hooks_0123456789abcdef';
    const { caller, github } = await prepare(differentIssues(2));
    const repo = { full_name: 'acme/app', permission: 'admin' as const };
    github.setToken({ token, login: 'ada', repos: [repo] });
    const { id, name } = await connect(caller, github, {
      api_key: token,
      scope_rules: [include('ORGANIZATION', 'acme')],
    });
    const asked = () => github.requests.matching('GET', /\/hooks$/).length;
    await eventually(() => asked() === 1, { what: 'the request for the webhook' });
    const polled = await whenSynced(caller, id);
    expect(polled).toMatchObject({
      webhooks: { state: 'polling', last_event_at: null },
      sync: { last_error: null },
    });
    await eventually(async () => {
      const { problem } = await caller.get(`/trackers/${id}/webhook`, trackerWebhook);
      return /This token is not allowed to access the webhooks/.test(problem ?? '');
    });
    await syncAgain(caller, id);
    expect(asked()).toBe(1);

    const better = 'github_pat_with_hooks_0123456789abcdefgh';
    github.setToken({ token: better, login: 'ada', repos: [{ ...repo, hooks: 'write' }] });
    await caller.send('PUT', `/trackers/${id}`, { name, api_key: better }, tracker);
    await whenTracker(caller, id, ({ webhooks }) => webhooks.state === 'active');
    expect(await hooksOf(github)).toEqual([`acme/app ${addressOf(id)}`]);
  });

  test('that cannot be created are reported and retried at the next sync', async () => {
    const { caller, github } = await prepare(differentIssues(1));
    github.faults.add({ match: { path: '/hooks' }, action: { kind: 'status', status: 500 } });
    const { id } = await connect(caller, github);
    await whenTracker(caller, id, ({ webhooks }) => webhooks.state === 'failed');
    const { problem, state } = await caller.get(`/trackers/${id}/webhook`, trackerWebhook);
    expect(state).toBe('failed');
    expect(problem).toMatch(/GitHub/);
    await whenSynced(caller, id);
    github.faults.clear();
    await syncAgain(caller, id);
    await whenTracker(caller, id, ({ webhooks }) => webhooks.state === 'active');
    expect((await caller.get(`/trackers/${id}/webhook`, trackerWebhook)).problem).toBeNull();
  });

  test('report an edit, a comment, a close, a new issue and a deletion, and notify listeners', async () => {
    const { caller, github, id } = await connected(differentIssues(4));
    const listener = await listenLive(winnow.origin, caller.tokens.access_token);
    github.editAs('ada', 'acme', 'app', 1, { title: 'Changed in the tracker' });
    await eventually(async () => (await issueOf(caller, 1)).title === 'Changed in the tracker');
    await listener.heard((event) => event.type === 'issues_changed' && event.tracker_id === id);
    await listener.close();
    github.commentAs('ada', 'acme', 'app', 2, 'Said in the tracker');
    await eventually(async () =>
      (await issueOf(caller, 2)).comments.some(({ body }) => body === 'Said in the tracker'),
    );
    expect((await issueOf(caller, 2)).comments_count).toBe(1);
    github.editAs('ada', 'acme', 'app', 3, { state: 'closed' });
    await eventually(async () => (await issueOf(caller, 3)).state === 'closed');
    github.createIssue('acme', 'app', { title: 'Created manually', body: null });
    github.deleteIssue('acme', 'app', 4);
    await eventually(async () => (await caller.call('GET', '/issues/acme%2Fapp%234')).status === 404);
    const stored = await eventually(async () => {
      const events = await eventsOf(id);
      return events.every(({ handled_at }) => handled_at !== null) && events;
    });
    expect(
      stored.map(({ type, issue_external_id, source }) => `${source} ${type} ${issue_external_id}`),
    ).toEqual(
      expect.arrayContaining([
        'webhook issue_updated 1',
        'webhook comment_created 2',
        'webhook issue_closed 3',
        'webhook issue_deleted 4',
      ]),
    );
    const last = (await caller.get(`/trackers/${id}`, tracker)).webhooks.last_event_at;
    expect(Date.now() - Date.parse(last ?? '')).toBeLessThan(60_000);
  });

  test('of a missing issue remove it immediately only if they report a deletion', async () => {
    const { caller, github, id } = await connected(differentIssues(3));
    const missing = async () => {
      const issues = await winnow.database.db
        .selectFrom('issue')
        .select('external_id')
        .where('tracker_id', '=', id)
        .where('missing_since', 'is not', null)
        .execute();
      return issues.map(({ external_id }) => external_id);
    };
    github.faults.add({ match: { path: '/issues/1$' }, action: { kind: 'status', status: 404 } });
    github.editAs('ada', 'acme', 'app', 1, { title: 'Edited while it is not shown' });
    await eventually(async () => (await eventsOf(id)).some(({ handled_at }) => handled_at !== null));
    expect((await caller.get('/issues-count', issuesCount)).total_issues).toBe(3);
    expect(await missing(), 'a sync checks again').toEqual(['1']);
    github.faults.clear();
    github.editAs('ada', 'acme', 'app', 1, { title: 'Shown again' });
    await eventually(async () => (await issueOf(caller, 1)).title === 'Shown again');
    expect(await missing()).toEqual([]);
    github.deleteIssue('acme', 'app', 2);
    await eventually(async () => (await caller.get('/issues-count', issuesCount)).total_issues === 2);
    const deletions = (await eventsOf(id)).filter(({ type }) => type === 'issue_deleted');
    expect(deletions.map(({ source }) => source)).toEqual(['webhook']);
  });

  test('of many issues lead to one read of the listing', async () => {
    const { caller, github, id } = await connected(differentIssues(60));
    const single = () => github.requests.matching('GET', /\/issues\/\d+$/).length;
    // Deliveries that arrive during the first read are then read together.
    github.faults.add({
      match: { path: '/issues/1$' },
      times: 1,
      action: { kind: 'delay', delayMs: 12_000 },
    });
    for (let number = 1; number <= 50; number += 1) {
      github.editAs('ada', 'acme', 'app', number, { title: `Edited ${number}` });
    }
    await eventually(
      async () => (await eventsOf(id)).filter(({ handled_at }) => handled_at !== null).length === 50,
    );
    for (const number of [1, 25, 50]) expect((await issueOf(caller, number)).title).toBe(`Edited ${number}`);
    expect(single()).toBeLessThan(40);
    expect((await caller.get('/issues-count', issuesCount)).total_issues).toBe(60);
  });

  test('of a renamed project are followed', async () => {
    const { caller, github } = await connected(differentIssues(1));
    github.renameRepo('acme', 'app', 'application');
    github.editAs('ada', 'acme', 'application', 1, { title: 'Still the same' });
    await eventually(async () => {
      const found = await caller.call('GET', `/issues/${encodeURIComponent('acme/application#1')}`);
      return found.status === 200 && issueDetail.parse(found.body).title === 'Still the same';
    });
  });

  test('of a renamed project rename and re-link all its issues', async () => {
    const { caller, github, id } = await connected(differentIssues(150));
    github.renameRepo('acme', 'app', 'application');
    github.editAs('ada', 'acme', 'application', 1, { title: 'Still the same' });
    await eventually(async () => {
      const found = await caller.call('GET', `/issues/${encodeURIComponent('acme/application#1')}`);
      return found.status === 200 && issueDetail.parse(found.body).title === 'Still the same';
    });
    const issues = await winnow.database.db
      .selectFrom('issue')
      .select(['key', 'url'])
      .where('tracker_id', '=', id)
      .execute();
    const isNew = ({ key, url }: { key: string; url: string }) =>
      key.startsWith('acme/application#') && url.includes('/acme/application/');
    expect([issues.length, issues.filter(isNew).length]).toEqual([150, 150]);
  });

  test('never read another project that took an old name', async () => {
    const { caller, github, id } = await connected(differentIssues(2), {
      seed: { repos: [{ owner: 'acme', name: 'web', issues: [{ title: 'An impostor', body: null }] }] },
    });
    const { external_id } = await winnow.database.db
      .selectFrom('project')
      .select('external_id')
      .where('tracker_id', '=', id)
      .where('identifier', '=', 'acme/app')
      .executeTakeFirstOrThrow();
    github.renameRepo('acme', 'app', 'application');
    github.renameRepo('acme', 'web', 'app');
    github.editAs('ada', 'acme', 'application', 1, { title: 'The real one' });
    // Edits the issue of the other project. If the server confused the two projects, it would read
    // this issue.
    github.editAs('ada', 'acme', 'app', 1, { state: 'closed' });
    github.editAs('ada', 'acme', 'app', 1, { state: 'open' });
    const titles = () =>
      winnow.database.db
        .selectFrom('issue')
        .innerJoin('project', 'project.id', 'issue.project_id')
        .select(['issue.key', 'issue.title'])
        .where('project.tracker_id', '=', id)
        .where('project.external_id', '=', external_id)
        .orderBy('issue.external_id')
        .execute();
    await eventually(async () => (await titles())[0]?.key === 'acme/application#1');
    await eventually(async () => (await titles())[0]?.title === 'The real one');
    const found = await caller.call('GET', '/issues/acme%2Fapp%231');
    expect(issueDetail.parse(found.body).title).toBe('An impostor');
  });

  test('deleted by an administrator are noticed at the next missed edit and created again', async () => {
    const { caller, github, id } = await connected(differentIssues(3), {
      clock: () => new Date(Date.now() - 5 * 60_000),
    });
    await winnow.database.db
      .updateTable('project')
      .set({ created_at: new Date(Date.now() - 10 * 60_000) })
      .where('tracker_id', '=', id)
      .execute();
    await removeHooks(github);
    expect(await hooksOf(github)).toEqual([]);
    github.editAs('ada', 'acme', 'app', 1, { title: 'Edited while nothing tells' });
    await syncAgain(caller, id);
    await eventually(async () => (await hooksOf(github)).length === 1, { what: 'the webhook to come back' });
    expect((await eventsOf(id)).map(({ type, source }) => `${source} ${type}`)).toEqual([
      'polling issue_updated',
    ]);
    await whenTracker(caller, id, ({ webhooks }) => webhooks.state === 'active');
    github.editAs('ada', 'acme', 'app', 2, { title: 'Told again' });
    await eventually(async () => (await issueOf(caller, 2)).title === 'Told again');
  });

  test('unchecked for a day do not count as active, and are checked after half a day', async () => {
    const { caller, github, id } = await connected(differentIssues(1));
    await removeHooks(github);
    await checkedAgo(id, 13);
    await syncAgain(caller, id);
    await eventually(async () => (await hooksOf(github)).length === 1, { what: 'the webhook to come back' });
    await eventually(async () => {
      const hooks = await winnow.database.db
        .selectFrom('project_webhook')
        .select('checked_at')
        .where('tracker_id', '=', id)
        .execute();
      return hooks.every(({ checked_at: at }) => at !== null && Date.now() - at.getTime() < 60 * 60_000);
    });
    const token = {
      token: TOKEN,
      login: 'ada',
      repos: [{ full_name: 'acme/app', permission: 'read' as const }],
    };
    github.setToken(token);
    await checkedAgo(id, 25);
    await syncAgain(caller, id);
    await whenTracker(caller, id, ({ webhooks }) => webhooks.state === 'polling');
  });

  test('of a deleted comment delete it here', async () => {
    const { caller, github } = await connected([
      { title: 'One', body: null, comments: [{ user: 'ada', body: 'Pasted by mistake' }] },
    ]);
    expect((await issueOf(caller, 1)).comments).toHaveLength(1);
    const headers = { authorization: `Bearer ${TOKEN}` };
    const answer = await fetch(`${github.apiUrl}/repos/acme/app/issues/1/comments`, { headers });
    const [comment] = z.array(z.object({ id: z.int() })).parse(await answer.json());
    await fetch(`${github.apiUrl}/repos/acme/app/issues/comments/${comment?.id}`, {
      method: 'DELETE',
      headers,
    });
    await eventually(async () => (await issueOf(caller, 1)).comments.length === 0);
  });

  test('about issues of an inaccessible project remove nothing', async () => {
    const token = 'github_pat_that_loses_a_project_0123456789';
    const { caller, github } = await prepare(differentIssues(2), {
      seed: { repos: [{ owner: 'acme', name: 'web', private: true, issues: [] }] },
    });
    const mayRead = (full_name: string) => ({
      full_name,
      permission: 'admin' as const,
      hooks: 'write' as const,
    });
    github.setToken({ token, login: 'ada', repos: [mayRead('acme/app'), mayRead('acme/web')] });
    const { id } = await connect(caller, github, { api_key: token });
    await whenSynced(caller, id);
    await whenTracker(caller, id, ({ webhooks }) => webhooks.state === 'active');
    github.setToken({ token, login: 'ada', repos: [mayRead('acme/web')] });
    github.editAs('ada', 'acme', 'app', 1, { title: 'Hidden edit' });
    await eventually(async () => {
      const events = await eventsOf(id);
      return events.length === 1 && events[0]?.handled_at !== null;
    });
    expect((await caller.get('/issues-count', issuesCount)).total_issues).toBe(2);
  });

  test('of a transferred issue move it here, too', async () => {
    const { caller, github } = await connected(differentIssues(2), {
      seed: { repos: [{ owner: 'acme', name: 'web', issues: [] }] },
    });
    const { number, title } = github.transferIssue('acme', 'app', 1, 'web');
    await eventually(async () => (await caller.call('GET', '/issues/acme%2Fapp%231')).status === 404);
    const moved = await eventually(async () => {
      const answer = await caller.call('GET', `/issues/${encodeURIComponent(`acme/web#${number}`)}`);
      return answer.status === 200 && issueDetail.parse(answer.body);
    });
    expect(moved.title).toBe(title);
    expect((await caller.get('/issues-count', issuesCount)).total_issues).toBe(2);
  });

  test('from a tracker that fails for a while are read once it works again', async () => {
    const { caller, github, id } = await connected(differentIssues(1));
    github.faults.add({ match: { path: '/issues/1$' }, action: { kind: 'status', status: 503 } });
    github.editAs('ada', 'acme', 'app', 1, { title: 'Worth waiting for' });
    await eventually(() =>
      winnow.logLines.some(
        ({ job, message }) =>
          job === 'read-delivered:v1' && message === 'Job failed; it will be tried again.',
      ),
    );
    expect((await eventsOf(id))[0]?.handled_at).toBeNull();
    github.faults.clear();
    await eventually(async () => (await issueOf(caller, 1)).title === 'Worth waiting for');
  });

  test('about issues hidden from the token are left to the next sync, which reports it', async () => {
    const { caller, github, id } = await connected(differentIssues(2));
    github.revokeToken(TOKEN);
    github.editAs('ada', 'acme', 'app', 1, { title: 'Not to be read' });
    const failed = await whenTracker(caller, id, ({ sync }) => sync.state === 'failed');
    expect(failed.health.status).toBe('error');
    expect((await eventsOf(id)).map(({ handled_at }) => handled_at)).not.toContain(null);
    expect((await issueOf(caller, 1)).title).not.toBe('Not to be read');
    expect((await caller.get('/issues-count', issuesCount)).total_issues).toBe(2);
  });

  test('recognize a comment posted by Winnow', async () => {
    const { caller, github, id } = await connected([
      { title: 'The same text', body: 'Twice the same thing happens.' },
      { title: 'The same text', body: 'Twice the same thing happens.' },
    ]);
    const [first, second] = await Promise.all([issueOf(caller, 1), issueOf(caller, 2)]);
    await caller.call('PATCH', '/issue-duplicates/execute-resolution', {
      issue1_id: first.id,
      issue2_id: second.id,
      resolution: 'close_b',
    });
    const posted = await eventually(async () =>
      (await eventsOf(id)).find(({ type }) => type === 'comment_created'),
    );
    const step = await winnow.database.db
      .selectFrom('change_step')
      .select('id')
      .where('action', '=', 'comment')
      .where('id', '=', posted.step_id ?? '00000000-0000-4000-8000-000000000000')
      .executeTakeFirst();
    expect(step).toBeDefined();
    expect(github.issue('acme', 'app', 2).state).toBe('closed');
  });
});

test('of a server without a public URL are removed at its next sync', async () => {
  const database = await createTestDatabase();
  const github = await startGitHub(differentIssues(1));
  emulators.push(github);
  let server = await startWinnow({ database, isReachable: true });
  try {
    const before = await server.newCaller();
    const { id } = await connect(before, github);
    await whenSynced(before, id);
    await whenTracker(before, id, ({ webhooks }) => webhooks.state === 'active');
    expect(await hooksOf(github)).toHaveLength(1);
    await server.close();
    server = await startWinnow({ database });
    const caller = await signInCaller(server.origin, before.name, before.password);
    await syncAgain(caller, id);
    await eventually(async () => (await hooksOf(github)).length === 0, { what: 'the webhook to go' });
    await whenTracker(caller, id, ({ webhooks }) => webhooks.state === 'polling');
  } finally {
    await server.close();
    await database.drop();
  }
});

test('that deliver nothing for a day count as failed until the next delivery', async () => {
  const server = await startWinnow({ env: { PUBLIC_URL: 'http://127.0.0.1:9' } });
  const { db } = server.database;
  try {
    const caller = await server.newCaller();
    const github = await startGitHub(differentIssues(4), { clock: () => new Date(Date.now() - 5 * 60_000) });
    emulators.push(github);
    const { id } = await connect(caller, github);
    await whenSynced(caller, id);
    await whenTracker(caller, id, ({ webhooks }) => webhooks.state === 'active');
    await db
      .updateTable('project')
      .set({ created_at: new Date(Date.now() - 10 * 60_000) })
      .where('tracker_id', '=', id)
      .execute();
    const settled = (asked: number) =>
      eventually(() => github.requests.matching('PATCH', /\/hooks\/\d+$/).length === asked);

    github.editAs('ada', 'acme', 'app', 1, { title: 'Missed' });
    await syncAgain(caller, id);
    await settled(1);
    const { state, problem } = await caller.get(`/trackers/${id}/webhook`, trackerWebhook);
    expect([state, problem], 'a single delivery may get lost').toEqual(['active', null]);

    await db
      .updateTable('project_webhook')
      .set({ missed_since: new Date(Date.now() - 25 * 60 * 60_000) })
      .where('tracker_id', '=', id)
      .execute();
    github.editAs('ada', 'acme', 'app', 2, { title: 'Missed a day later' });
    await syncAgain(caller, id);
    await whenTracker(caller, id, ({ webhooks }) => webhooks.state === 'failed');
    const failed = await caller.get(`/trackers/${id}/webhook`, trackerWebhook);
    expect(failed.problem).toMatch(/^The webhook of acme\/app exists, but nothing has been delivered/);
    await settled(2);
    github.editAs('ada', 'acme', 'app', 3, { title: 'Missed again' });
    await syncAgain(caller, id);
    expect((await caller.get(`/trackers/${id}`, tracker)).webhooks.state).toBe('failed');

    const { external_id } = await db
      .selectFrom('project')
      .select('external_id')
      .where('tracker_id', '=', id)
      .executeTakeFirstOrThrow();
    const repository = { id: Number(external_id), full_name: 'acme/app' };
    await deliver(server.origin, id, { body: issueEvent(repository, 4), secret: failed.secret });
    await whenTracker(caller, id, ({ webhooks }) => webhooks.state === 'active');
    expect((await caller.get(`/trackers/${id}/webhook`, trackerWebhook)).problem).toBeNull();
  } finally {
    await server.close();
  }
});

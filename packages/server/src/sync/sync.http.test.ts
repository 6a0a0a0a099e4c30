import { pairList } from '@winnow/contract/duplicate';
import { issuesCount, projectList } from '@winnow/contract/issue';
import { issueDetail } from '@winnow/contract/issue-detail';
import type { LiveEvent } from '@winnow/contract/live';
import { tracker } from '@winnow/contract/tracker';
import type { UsageKind } from '@winnow/contract/usage';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { GitHubSeedIssue } from '@winnow/emulators/github/seed';
import type { Exchange } from '@winnow/emulators/http/host';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { totalUsage } from '../billing/testing/total-usage.ts';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import {
  connect,
  differentIssues,
  include,
  minutesAfterStart,
  startGitHub,
  syncAgain,
  TOKEN,
  whenCompared,
  whenSynced,
  whenTracker,
} from '../testing/github.ts';
import { listenLive } from '../testing/live-listener.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

// The tests mostly wait for the server, so they run concurrently.
vi.setConfig({ maxConcurrency: 16, testTimeout: 60_000 });
let winnow: RunningWinnow;
const emulators: GitHubEmulator[] = [];

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(async () => {
  await winnow.close();
  for (const emulator of emulators) await emulator.close();
});

/** Creates a user and a GitHub emulator. */
async function prepare(
  issues: GitHubSeedIssue[],
  options: Parameters<typeof startGitHub>[1] = {},
): Promise<{ caller: Caller; github: GitHubEmulator }> {
  const github = await startGitHub(issues, options);
  emulators.push(github);
  return { caller: await winnow.newCaller(), github };
}

async function usageOf(caller: Caller, kind: UsageKind): Promise<number> {
  const account_id = await caller.accountId();
  return totalUsage(winnow.database.db, account_id, kind);
}

function issueKey(number: number): string {
  return `/issues/${encodeURIComponent(`acme/app#${number}`)}`;
}

/** Expects that the stored issues are the same as those in the emulator. */
async function expectSame(caller: Caller, github: GitHubEmulator): Promise<void> {
  const issues = github.state().repos.find((repo) => repo.full_name === 'acme/app')?.issues ?? [];
  const account_id = await caller.accountId();
  const stored = await winnow.database.db
    .selectFrom('issue')
    .select(['external_id', 'title', 'description', 'state', 'labels', 'comments_count'])
    .where('account_id', '=', account_id)
    .execute();
  const expected = issues.map((issue) => ({
    external_id: String(issue.number),
    title: issue.title,
    description: issue.body ?? '',
    state: issue.state === 'open' ? 'opened' : 'closed',
    labels: issue.labels,
    comments_count: issue.comments.length,
  }));
  const byNumber = <T extends { external_id: string }>(rows: T[]) =>
    rows.sort((one, other) => Number(one.external_id) - Number(other.external_id));
  expect(byNumber(stored)).toEqual(byNumber(expected));
}

const ISSUE_PAGES = /\/repos\/acme\/app\/issues$/;
const issuePage = { path: '/repos/acme/app/issues\\?' };

describe.concurrent('a sync', () => {
  test('a sync stores texts of every kind unchanged', async () => {
    const megabyte = 'The report goes on and on. '.repeat(40_000).slice(0, 1_000_000);
    const labels = Array.from({ length: 10_000 }, (_, index) => `label ${index}`);
    const texts: [title: string, body: string | null, more?: Partial<GitHubSeedIssue>][] = [
      ['Without a body', null],
      ['With an empty body', ''],
      ['A megabyte', megabyte],
      ['🔥🔥🔥', '😀👩🏽‍🚀🏳️‍🌈 ‍'],
      ['دليل المستخدم لا يفتح', 'عند النقر على الزر لا يحدث شيء. \u202eabc\u202c'],
      ['<script>alert(1)</script> & <b>bold</b>', '<img src=x onerror=alert(1)>\n\n```html\n<p>'],
      ['Ten thousand labels', 'Each one is different.', { labels }],
      ['Only blanks', ' \n\t\n '],
      ['NUL \0 in the \0 title', 'NUL \0 in the body', { labels: ['la\0bel'] }],
      ['Half a \ud800 pair', 'another \udfff half'],
      ['A megabyte', megabyte],
      [
        'A comment of every kind',
        'See below.',
        {
          comments: [
            { user: 'bob', body: megabyte },
            { user: 'bob', body: '🎉' },
            { user: 'bob', body: '' },
            { user: 'bob', body: 'NUL \0 here' },
          ],
        },
      ],
      ['A pull request', 'Fixes #1', { pull_request: true }],
    ];
    const { caller, github } = await prepare(
      texts.map(([title, body, more], index) => ({
        title,
        body,
        created_at: minutesAfterStart(index),
        ...more,
      })),
    );
    const { id } = await connect(caller, github);
    // The pull request is read, but does not count towards the number of issues.
    const issues = texts.length - 1;
    expect((await whenSynced(caller, id)).sync).toMatchObject({ issues, last_error: null });
    const stored = await Promise.all(texts.map((_, index) => caller.get(issueKey(index + 1), issueDetail)));
    const clean = (text: string | null) => (text ?? '').replaceAll('\0', '').replace(/\p{Surrogate}/gu, '');
    expect(stored.map(({ title }) => title)).toEqual(texts.map(([title]) => clean(title)));
    expect(stored.map(({ description }) => description)).toEqual(texts.map(([, body]) => clean(body)));
    expect(stored[6]?.labels).toEqual(labels);
    expect(stored[8]?.labels).toEqual(['label']);
    expect(stored[11]?.comments.map(({ body }) => body)).toEqual([megabyte, '🎉', '', 'NUL  here']);
    expect(stored.at(-1)?.issue_type).toBe('change_request');
    await whenCompared(caller);
    const { duplicates } = await caller.get('/issue-duplicates?similarity_threshold=0.999', pairList);
    expect(duplicates.map(({ issue1, issue2 }) => [issue1.title, issue2.title])).toContainEqual([
      'A megabyte',
      'A megabyte',
    ]);
    const { duplicates: all } = await caller.get('/issue-duplicates?limit=100&scope=account', pairList);
    expect(all.flatMap(({ issue1, issue2 }) => [issue1.title, issue2.title])).not.toContain('A pull request');
    expect(all.every(({ similarity }) => Number.isFinite(similarity))).toBe(true);
  });

  test('concurrent requests for a sync read each page once', async () => {
    const { caller, github } = await prepare(differentIssues(230));
    github.faults.add({ match: issuePage, action: { kind: 'delay', delayMs: 50 } });
    const { id } = await connect(caller, github);
    await Promise.all(
      Array.from({ length: 8 }, () => caller.send('POST', `/trackers/${id}/sync`, undefined, tracker)),
    );
    await whenSynced(caller, id);
    await eventually(async () => {
      const { sync } = await caller.get(`/trackers/${id}`, tracker);
      return sync.state === 'idle';
    });
    const first = github.requests
      .matching('GET', ISSUE_PAGES)
      .filter(({ query }) => query.since === undefined);
    expect(first.length).toBe(new Set(first.map(({ url }) => url)).size);
    expect(await usageOf(caller, 'issues_ingested')).toBe(230);
    await expectSame(caller, github);
  });

  test('an unreachable tracker does not prevent removing what is out of scope', async () => {
    const { caller, github } = await prepare(differentIssues(3), {
      seed: { repos: [{ owner: 'acme', name: 'web', issues: differentIssues(2) }] },
    });
    const { id, name } = await connect(caller, github);
    await whenSynced(caller, id);
    github.faults.add({ action: { kind: 'status', status: 500 } });
    const rules = [
      include('ORGANIZATION', 'acme'),
      { ...include('PROJECT', 'acme/web'), rule_type: 'EXCLUDE' },
    ];
    await caller.call('PUT', `/trackers/${id}`, { name, scope_rules: rules });
    await eventually(async () => (await caller.get('/issues-count', issuesCount)).total_issues === 3);
    expect((await caller.get('/projects', projectList)).map(({ identifier }) => identifier)).toEqual([
      'acme/app',
    ]);
  });

  test('the sample backlog does not count as ingested issues', async () => {
    const caller = await winnow.newCaller();
    const { id } = await caller.send('POST', '/trackers', { name: 'Sample', type: 'sample' }, tracker);
    await whenSynced(caller, id);
    expect((await caller.get('/issues-count', issuesCount)).total_issues).toBeGreaterThan(100);
    expect(await usageOf(caller, 'issues_ingested')).toBe(0);
  });

  test('a sync completes although the tracker returns 500 half the time', async () => {
    const { caller, github } = await prepare(differentIssues(120));
    const { id } = await connect(caller, github, { scope_rules: [include('ORGANIZATION', 'ada')] });
    await whenSynced(caller, id);
    github.faults.add({ probability: 0.5, seed: 4, action: { kind: 'status', status: 500 } });
    const rules = [include('ORGANIZATION', 'acme')];
    const { name } = await caller.get(`/trackers/${id}`, tracker);
    await caller.call('PUT', `/trackers/${id}`, { name, scope_rules: rules });
    const after = await whenTracker(caller, id, ({ sync }) => sync.state === 'idle' && sync.issues === 120);
    expect(after).toMatchObject({ sync: { last_error: null }, health: { status: 'ok' } });
    expect(github.faults.list()[0]?.fired).toBeGreaterThan(3);
    expect(await usageOf(caller, 'issues_ingested')).toBe(120);
    await expectSame(caller, github);
  });

  test('no issue is lost when pages change during reading', async () => {
    let page = 0;
    const onExchange = ({ path }: Exchange) => {
      if (!ISSUE_PAGES.test(path)) return;
      page += 1;
      if (page > 3) return;
      for (const number of [page, 100 + page, 200 + page]) {
        github.editAs('ada', 'acme', 'app', number, { title: `Edited during page ${page}, ${number}` });
      }
      github.createIssue('acme', 'app', { title: `Added during page ${page}`, body: null });
    };
    const { caller, github } = await prepare(differentIssues(230), { onExchange });
    const { id } = await connect(caller, github);
    await whenSynced(caller, id);
    await syncAgain(caller, id);
    expect(page).toBeGreaterThan(3);
    await expectSame(caller, github);
    expect(await usageOf(caller, 'issues_ingested')).toBe(233);
  });

  test('a rate-limited sync reports until when, and resumes automatically', async () => {
    const { caller, github } = await prepare(differentIssues(150));
    github.faults.add({
      match: issuePage,
      skip: 1,
      times: 1,
      action: { kind: 'primary-limit', resetInSeconds: 6 },
    });
    const { id } = await connect(caller, github);
    const held = await whenTracker(caller, id, ({ sync }) => sync.last_error !== null);
    expect(held.sync.state).toBe('queued');
    expect(held.sync.last_error).toMatch(/until \d\d:\d\d:\d\d UTC/);
    expect(held.health).toMatchObject({ status: 'warning', message: held.sync.last_error });
    expect(held.sync.issues).toBe(100);
    const after = await whenSynced(caller, id);
    expect(after).toMatchObject({ sync: { issues: 150, last_error: null }, health: { status: 'ok' } });
    expect(await usageOf(caller, 'issues_ingested')).toBe(150);
  });

  test('a token revoked during a sync is reported, issues are retained, and a new token resumes it', async () => {
    const onExchange = ({ path }: Exchange) => {
      if (ISSUE_PAGES.test(path)) github.revokeToken(TOKEN);
    };
    const { caller, github } = await prepare(differentIssues(150), { onExchange });
    const { id, name } = await connect(caller, github);
    const failed = await whenTracker(caller, id, ({ sync }) => sync.state === 'failed');
    expect(failed.sync).toMatchObject({
      issues: 100,
      progress: null,
      last_error: expect.stringMatching(/did not accept this token/),
    });
    expect(failed.health).toMatchObject({
      status: 'error',
      cause: 'token_refused',
      message: failed.sync.last_error,
    });
    const renewed = 'ghp_a_new_token_for_the_same_person_xyz';
    github.setToken({ token: renewed, login: 'ada' });
    await caller.send('PUT', `/trackers/${id}`, { name, api_key: renewed }, tracker);
    const after = await whenSynced(caller, id);
    expect(after).toMatchObject({ sync: { issues: 150, last_error: null }, health: { status: 'ok' } });
    expect(await usageOf(caller, 'issues_ingested')).toBe(150);
  });

  test.each([
    ['its scope', '/orgs/acme/repos'],
    ['its issues', '/repos/acme/app/issues\\?.*since'],
    ['its comments', '/repos/acme/app/issues/comments'],
  ])('a sync ends without an error if its tracker is deleted while it reads %s', async (_, path) => {
    const { caller, github } = await prepare(
      differentIssues(120).map((issue) => ({ ...issue, comments: [{ user: 'bob', body: 'Same here.' }] })),
    );
    github.faults.add({ match: { path }, times: 1, action: { kind: 'delay', delayMs: 400 } });
    const { id } = await connect(caller, github);
    await eventually(() => github.faults.list()[0]?.fired === 1);
    await caller.do('DELETE', `/trackers/${id}`);
    const asked = () => github.requests.all().filter(({ fault }) => fault === 'delay').length;
    await eventually(() => asked() === 1);
    await eventually(async () => (await jobsOf(id)).length === 0, { what: 'the end of the job' });
    expect((await caller.get('/issues-count', issuesCount)).total_issues).toBe(0);
    expect(
      winnow.logLines.filter((line) => JSON.stringify(line).includes(id) && line.level !== 'info'),
    ).toEqual([]);
  });

  test('comments are stored, and new and edited ones are found', async () => {
    const { caller, github } = await prepare([
      { title: 'One', body: null, comments: [{ user: 'bob', body: 'first' }] },
      { title: 'Two', body: null },
    ]);
    const { id } = await connect(caller, github);
    await whenSynced(caller, id);
    const bodies = async (number: number) =>
      (await caller.get(issueKey(number), issueDetail)).comments.map(({ author, body }) => [author, body]);
    expect(await bodies(1)).toEqual([['bob', 'first']]);
    github.commentAs('ada', 'acme', 'app', 2, 'second');
    await syncAgain(caller, id);
    expect(await bodies(2)).toEqual([['ada', 'second']]);
    expect((await caller.get(issueKey(2), issueDetail)).comments_count).toBe(1);
  });

  test('an issue first seen through its comment is counted', async () => {
    let added = false;
    const onExchange = ({ path }: Exchange) => {
      if (added || !ISSUE_PAGES.test(path)) return;
      added = true;
      github.createIssue('acme', 'app', {
        title: 'Made in between',
        body: null,
        comments: [{ user: 'bob', body: 'so soon' }],
      });
    };
    const { caller, github } = await prepare(differentIssues(5), { onExchange });
    const { id } = await connect(caller, github);
    expect((await whenSynced(caller, id)).sync.issues).toBe(6);
    expect((await caller.get(issueKey(6), issueDetail)).comments.map(({ body }) => body)).toEqual([
      'so soon',
    ]);
    await syncAgain(caller, id);
    expect(await usageOf(caller, 'issues_ingested')).toBe(6);
  });

  test('progress is published on the live channel until the end', async () => {
    const { caller, github } = await prepare(differentIssues(250));
    const listener = await listenLive(winnow.origin, caller.tokens.access_token);
    github.faults.add({ match: issuePage, action: { kind: 'delay', delayMs: 150 } });
    const { id } = await connect(caller, github);
    const isProgress = (event: LiveEvent) => event.type === 'sync_progress' && event.tracker_id === id;
    await listener.heard((event) => isProgress(event) && 'state' in event && event.state === 'idle');
    const published = listener.events.flatMap((event) => (event.type === 'sync_progress' ? [event] : []));
    expect(published.every(({ tracker_id }) => tracker_id === id)).toBe(true);
    const done = published.flatMap(({ progress }) => (progress === null ? [] : [progress.done]));
    expect(done.length).toBeGreaterThanOrEqual(2);
    expect(done).toEqual([...done].sort((one, other) => one - other));
    expect(published.every(({ progress }) => progress === null || progress.done <= progress.total)).toBe(
      true,
    );
    expect(published.at(-1)).toMatchObject({ state: 'idle', progress: null });
    await listener.heard((event) => event.type === 'issues_changed' && event.tracker_id === id);
    await listener.heard((event) => event.type === 'pairs_changed' && event.state === 'idle');
    await listener.close();
  });

  test('the next sync finds only what changed', async () => {
    const { caller, github } = await prepare(differentIssues(230));
    const { id } = await connect(caller, github);
    await whenSynced(caller, id);
    await whenCompared(caller);
    const before = await hashes(caller);
    expect(await usageOf(caller, 'issues_processed')).toBe(230);

    github.editAs('ada', 'acme', 'app', 7, { title: 'Seven has another title now' });
    github.editAs('ada', 'acme', 'app', 8, { state: 'closed' });
    github.createIssue('acme', 'app', { title: 'Quite new', body: null });
    github.requests.clear();
    await syncAgain(caller, id);
    expect(github.requests.matching('GET', ISSUE_PAGES).length).toBeLessThanOrEqual(2);
    const after = await hashes(caller);
    const changed = [...after]
      .filter(([key, { hash }]) => before.get(key)?.hash !== hash)
      .map(([key]) => key);
    expect(changed.sort()).toEqual(['acme/app#231', 'acme/app#7', 'acme/app#8']);
    const touched = [...after].filter(([key, { revision }]) => before.get(key)?.revision !== revision);
    expect(touched.map(([key]) => key).sort()).toEqual(changed);
    await whenCompared(caller);
    expect(await usageOf(caller, 'issues_processed')).toBe(233);
    expect(await usageOf(caller, 'issues_ingested')).toBe(231);

    const listener = await listenLive(winnow.origin, caller.tokens.access_token);
    github.requests.clear();
    await syncAgain(caller, id);
    const again = github.requests.all().filter(({ path }) => path.startsWith('/repos/acme/app/issues'));
    expect(again.map(({ status }) => status)).toEqual([304, 304]);
    await listener.heard((event) => event.type === 'sync_progress' && event.state === 'idle');
    expect(listener.events.filter(({ type }) => type === 'issues_changed')).toEqual([]);
    expect(await hashes(caller)).toEqual(after);
    await listener.close();
  });
});

test('no error was logged and no job failed, except for the tracker that did not respond', () => {
  const troubled = winnow.logLines.filter(
    (line) =>
      (line.level === 'error' || /fail/i.test(line.message ?? '')) &&
      !JSON.stringify(line).includes('The tracker could not be read completely.'),
  );
  expect(troubled).toEqual([]);
});

async function hashes(caller: Caller): Promise<Map<string, { hash: string; revision: number }>> {
  const account_id = await caller.accountId();
  const rows = await winnow.database.db
    .selectFrom('issue')
    .select(['key', 'content_hash', 'revision'])
    .where('account_id', '=', account_id)
    .execute();
  return new Map(rows.map(({ key, content_hash, revision }) => [key, { hash: content_hash, revision }]));
}

async function jobsOf(trackerId: string): Promise<unknown[]> {
  const { rows } = await winnow.database.pool.query('select id from graphile_worker.jobs where key = $1', [
    `sync:${trackerId}`,
  ]);
  return rows;
}

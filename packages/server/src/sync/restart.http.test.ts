import { tmpdir } from 'node:os';
import { issueDetail } from '@winnow/contract/issue-detail';
import { tracker } from '@winnow/contract/tracker';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { totalUsage } from '../billing/testing/total-usage.ts';
import { acceptKey } from '../platform/install-key.ts';
import { openSecrets } from '../platform/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { type Caller, signInCaller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import {
  connect,
  differentIssues,
  startGitHub,
  TOKEN,
  whenCompared,
  whenSynced,
  whenTracker,
} from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

vi.setConfig({ testTimeout: 60_000 });
let database: TestDatabase;
let running: RunningWinnow | null = null;
let github: GitHubEmulator;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await running?.close();
  running = null;
  await github.close();
  await database.drop();
});

/** Stops the current server process and starts another one on the same database. */
async function restart(env: Record<string, string> = {}): Promise<RunningWinnow> {
  await running?.close();
  running = null;
  running = await startWinnow({ database, env });
  return running;
}

/** Signs the same user in to the process that is running now. */
function signInAgain({ name, password }: Caller): Promise<Caller> {
  return signInCaller(running?.origin ?? '', name, password);
}

async function ingested(caller: Caller): Promise<number> {
  const account_id = await caller.accountId();
  return totalUsage(database.db, account_id, 'issues_ingested');
}

test('an interrupted sync resumes in the next process and reads nothing twice', async () => {
  const issues = differentIssues(230).map((issue, index) =>
    index % 3 === 0 ? { ...issue, comments: [{ user: 'bob', body: `comment ${index}` }] } : issue,
  );
  github = await startGitHub(issues);
  let caller = await (await restart()).newCaller();
  const stops = ['/issues\\?', '/issues\\?.*since', '/issues/comments'];
  const hold = (path: string | undefined) => {
    github.faults.clear();
    if (path === undefined) return;
    github.faults.add({ match: { path }, times: 1, action: { kind: 'delay', delayMs: 600_000 } });
  };
  hold(stops[0]);
  const { id } = await connect(caller, github);
  for (const [index, path] of stops.entries()) {
    await eventually(() => github.faults.list()[0]?.fired === 1, { what: `the request for ${path}` });
    const before = running;
    running = null;
    await before?.close();
    hold(stops[index + 1]);
    await restart();
  }
  caller = await signInAgain(caller);
  const after = await whenSynced(caller, id);
  expect(after.sync).toMatchObject({ issues: 230, last_error: null });
  expect(await ingested(caller)).toBe(230);
  expect((await caller.get('/issues/acme%2Fapp%23229', issueDetail)).comments).toHaveLength(1);
  // Ignores responses with status 304: they are requests for pages that had not changed.
  const pages = github.requests
    .all()
    .filter(({ path, status }) => status === 200 && path.startsWith('/repos/acme/app/issues'))
    .map(({ url }) => url);
  expect(pages.length).toBe(4);
  expect(new Set(pages).size).toBe(pages.length);
  await whenCompared(caller);
});

/** Changes the columns of a tracker's sync job, as soon as the job is not running. */
async function changeJob(trackerId: string, values: string): Promise<void> {
  await eventually(async () => {
    const { rowCount } = await database.pool.query(
      `update graphile_worker._private_jobs set ${values} where key = $1 and locked_at is null`,
      [`sync:${trackerId}`],
    );
    return rowCount === 1;
  });
}

async function jobOf(trackerId: string) {
  const { rows } = await database.pool.query<{ attempts: number; minutes: number }>(
    `select attempts, extract(epoch from run_at - now()) / 60 as minutes from graphile_worker.jobs where key = $1`,
    [`sync:${trackerId}`],
  );
  return rows.map(({ attempts, minutes }) => ({ attempts, minutes: Math.round(Number(minutes)) }));
}

test.each([
  ['whose poll was overdue', `run_at = now() - interval '1 day'`],
  ['with a retry much later', `attempts = 9, run_at = now() + interval '5 hours'`],
  ['whose job had failed permanently', `attempts = max_attempts, run_at = now() - interval '1 day'`],
])('a tracker %s is polled immediately after a day without a server', async (_, job) => {
  github = await startGitHub(differentIssues(3));
  const caller = await (await restart()).newCaller();
  const { id } = await connect(caller, github);
  const synced = await whenSynced(caller, id);
  await running?.close();
  running = null;
  await changeJob(id, job);
  github.createIssue('acme', 'app', { title: 'Created while the server was down', body: null });
  await restart();
  const after = await whenSynced(await signInAgain(caller), id, synced.sync.last_finished_at);
  expect(after.sync.issues).toBe(4);
  await eventually(async () => (await jobOf(id)).some(({ minutes }) => minutes > 0));
  expect(await jobOf(id)).toEqual([{ attempts: 0, minutes: 5 }]);
});

test.each([
  ['the tracker is unreachable', () => github.close(), /Nothing responds/],
  [
    'the server itself has a fault',
    () => database.pool.query('alter table project rename column name to no_name'),
    /server log/,
  ],
])('when %s, even the last attempt is followed by another poll', async (_, breakIt, sentence) => {
  github = await startGitHub(differentIssues(3));
  const caller = await (await restart()).newCaller();
  const { id } = await connect(caller, github);
  await whenSynced(caller, id);
  await breakIt();
  await changeJob(id, 'attempts = max_attempts - 1, run_at = now()');
  const failed = await whenTracker(caller, id, ({ sync }) => sync.state === 'failed');
  expect(failed.sync.last_error).toMatch(sentence);
  await eventually(async () => (await jobOf(id)).some(({ minutes }) => minutes > 6));
  expect(await jobOf(id)).toEqual([{ attempts: 0, minutes: 30 }]);
});

test('a tracker whose sync job was lost is synced by the next process', async () => {
  github = await startGitHub(differentIssues(3));
  const caller = await (await restart()).newCaller();
  const { id } = await connect(caller, github);
  const synced = await whenSynced(caller, id);
  await running?.close();
  running = null;
  await database.pool.query('delete from graphile_worker._private_jobs');
  await restart();
  await whenSynced(await signInAgain(caller), id, synced.sync.last_finished_at);
});

test('an API key that cannot be decrypted is reported at the tracker, and a new key fixes it', async () => {
  github = await startGitHub(differentIssues(3));
  const first = await (await restart()).newCaller();
  const { id, name } = await connect(first, github);
  await whenSynced(first, id);
  const secretKey = 'another key of sufficient length, 0123456789';
  await acceptKey(database.db, await openSecrets({ secretKey, dataDir: tmpdir() }));
  await restart({ SECRET_KEY: secretKey });
  const caller = await signInAgain(first);
  await caller.send('POST', `/trackers/${id}/sync`, undefined, tracker);
  const failed = await whenTracker(caller, id, ({ sync }) => sync.state === 'failed');
  expect(failed.sync.last_error).toMatch(/enter the secret again/);
  await caller.send('PUT', `/trackers/${id}`, { name, api_key: TOKEN }, tracker);
  expect((await whenSynced(caller, id)).sync.last_error).toBeNull();
});

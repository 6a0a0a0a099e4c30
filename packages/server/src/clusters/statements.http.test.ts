// prose-exception-file: sample comments on issues
import { type Cluster, clusterDetail, clusterList } from '@winnow/contract/cluster';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { GitHubSeedIssue } from '@winnow/emulators/github/seed';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { syncAgain, whenCompared } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

type GitHubSeedComment = NonNullable<GitHubSeedIssue['comments']>[number];

/** Texts about different subjects, so that only a comment's statement can connect the issues. */
const TEXTS: GitHubSeedIssue[] = [
  { title: 'Invoices print without a margin', body: 'The first line is cut off on paper.' },
  { title: 'Calendar shows Tuesday twice', body: 'Since the change to winter time in Lisbon.' },
  { title: 'Passwords with an umlaut are refused', body: 'Signing in ends with a red border.' },
  // The tracker has assigned an issue to Grace, but none to Mallory.
  { title: 'Write the release notes', body: 'For the third version of the till.', assignees: ['grace'] },
];
const USERS = { users: [{ login: 'grace' }, { login: 'mallory' }], orgs: [] };

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
let trackerId: string;

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(() => winnow.close());
afterEach(() => github.close());

/** Connects a backlog in which these comments are on the closed calendar issue. */
async function begin(comments: GitHubSeedComment[], calendar: Partial<GitHubSeedIssue> = {}): Promise<void> {
  const issues = TEXTS.map((text, at) =>
    at === 1 ? { ...text, state: 'closed' as const, comments, ...calendar } : text,
  );
  ({ github, caller, trackerId } = await newBacklog(winnow, issues, { seed: USERS }));
  await whenSettled();
}

/** Waits until all issues were compared and no clustering is pending. */
async function whenSettled(): Promise<void> {
  await whenCompared(caller);
  const accountId = await caller.accountId();
  const { db } = winnow.database;
  const left = (table: 'cluster_stale' | 'dependency_stale') =>
    db.selectFrom(table).select('issue_id').where('account_id', '=', accountId).limit(1).execute();
  await eventually(
    async () => {
      const all = [...(await left('dependency_stale')), ...(await left('cluster_stale'))];
      return all.length === 0;
    },
    { timeoutMs: 30_000, what: 'all comments to be read and clustered' },
  );
}

async function clusters(): Promise<Cluster[]> {
  return (await caller.get('/clusters?status=all&probability_threshold=0', clusterList)).clusters;
}

async function detail() {
  const [only] = await clusters();
  return caller.get(`/clusters/${only?.id}`, clusterDetail);
}

async function numbers(): Promise<string[][]> {
  const all = await Promise.all(
    (await clusters()).map(({ id }) => caller.get(`/clusters/${id}`, clusterDetail)),
  );
  return all.map(({ members }) => members.map(({ issue }) => issue.key.split('#')[1] ?? '').sort());
}

const by = (user: string, body: string): GitHubSeedComment => ({ user, body });

describe('no cluster arises', () => {
  test.each([
    { what: 'a stranger states the duplicate', comments: [by('mallory', 'Duplicate of #1')] },
    {
      what: 'the issue is open',
      comments: [by('grace', 'Duplicate of #1')],
      calendar: { state: 'open' as const },
    },
    { what: 'the comment is a question', comments: [by('grace', 'Duplicate of #1?')] },
    {
      what: 'a later comment denies the duplicate',
      comments: [by('grace', 'Duplicate of #1'), by('grace', 'Not a duplicate of #1.')],
    },
    {
      what: 'only the reporter states the duplicate',
      comments: [],
      calendar: { user: 'mallory', body: 'Duplicate of #1' },
    },
  ])('if $what', async ({ comments, calendar }) => {
    await begin(comments, calendar);
    expect(await numbers()).toEqual([]);
  });
});

test('a stranger cannot replace or deny what a member states', async () => {
  await begin([
    by('grace', 'Closing as duplicate of #1'),
    by('mallory', 'Duplicate of #3'),
    by('mallory', 'Not a duplicate of #1.'),
  ]);
  expect(await numbers()).toEqual([['1', '2']]);
  const { edges } = await detail();
  expect(JSON.stringify(edges)).toContain(
    'A comment of grace on acme/app#2 says “Closing as duplicate of #1”',
  );
});

test('a new comment, a reopened issue and an assignment update the clusters', async () => {
  await begin([]);
  expect(await numbers()).toEqual([]);
  github.commentAs('grace', 'acme', 'app', 2, 'Duplicate of https://github.com/acme/app/issues/1');
  github.commentAs('grace', 'acme', 'app', 2, 'Dup of #1');
  await syncAgain(caller, trackerId);
  await eventually(async () => (await numbers()).join() === '1,2');
  github.editAs('ada', 'acme', 'app', 2, { state: 'open' });
  await syncAgain(caller, trackerId);
  await eventually(async () => (await numbers()).length === 0);
  github.editAs('ada', 'acme', 'app', 2, { state: 'closed' });
  await syncAgain(caller, trackerId);
  await eventually(async () => (await numbers()).join() === '1,2');
  github.editAs('ada', 'acme', 'app', 4, { assignees: [] });
  await syncAgain(caller, trackerId);
  await eventually(async () => (await numbers()).length === 0);
  github.editAs('ada', 'acme', 'app', 3, { assignees: ['grace'] });
  await syncAgain(caller, trackerId);
  await eventually(async () => (await numbers()).join() === '1,2');
});

test('an issue that a person excluded stays out', async () => {
  await begin([by('grace', 'Duplicate of #1')]);
  const { id, revision, members } = await detail();
  const calendar = members.find(({ issue }) => issue.key === 'acme/app#2');
  await caller.call('POST', `/clusters/${id}/exclude`, { revision, issue_id: calendar?.issue.id });
  github.commentAs('grace', 'acme', 'app', 2, 'Duplicate of #1');
  await syncAgain(caller, trackerId);
  await whenSettled();
  expect(await numbers()).toEqual([]);
});

test('an original that is added later is found', async () => {
  await begin([by('grace', 'Duplicate of #5')]);
  expect(await numbers()).toEqual([]);
  github.createIssue('acme', 'app', { title: 'Days of the week are wrong', body: 'In every month.' });
  await syncAgain(caller, trackerId);
  await eventually(async () => (await numbers()).join() === '2,5');
});

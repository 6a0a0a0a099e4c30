import { change, changeList, changePreview } from '@winnow/contract/change';
import {
  commitResult,
  type Dependency,
  dependencyGraph,
  dependencyList,
  extendedScan,
} from '@winnow/contract/dependency';
import { issue } from '@winnow/contract/issue';
import { issueDetail } from '@winnow/contract/issue-detail';
import type { GitHubEmulator, GitHubEmulatorOptions } from '@winnow/emulators/github/emulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { syncAgain, TOKEN } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const ISSUES = [
  { title: 'Store receipts on the server', body: 'The till keeps them for a day only.' },
  { title: 'Search in old receipts', body: 'Blocked by #1. Customers ask for receipts of last year.' },
  { title: 'Export receipts for the accountant', body: 'Depends on #2.' },
  { title: 'Dark theme', body: 'Labels cannot be read at night.' },
];

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
let trackerId: string;
let ids: string[];

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(() => winnow.close());
afterEach(() => github.close());

async function begin(options: Pick<GitHubEmulatorOptions, 'dependencies'> = {}): Promise<void> {
  ({ github, caller, trackerId } = await newBacklog(winnow, ISSUES, options));
  ids = await Promise.all(ISSUES.map((_issue, index) => idOf(index + 1)));
}

async function idOf(number: number): Promise<string> {
  return (await caller.get(`/issues/${encodeURIComponent(`acme/app#${number}`)}`, issue)).id;
}

function detect(issueIds: readonly string[], refresh = false) {
  return caller.send('POST', '/issue-dependencies/detect', { issue_ids: issueIds, refresh }, dependencyList);
}

function commit(...dependencies: Pick<Dependency, 'source_issue_id' | 'dependent_issue_id'>[]) {
  return caller.send(
    'POST',
    '/issue-dependencies/commit',
    { dependencies: dependencies.map(named) },
    commitResult,
  );
}

function named({
  source_issue_id,
  dependent_issue_id,
}: Pick<Dependency, 'source_issue_id' | 'dependent_issue_id'>) {
  return { source_issue_id, dependent_issue_id };
}

/** Formats each dependency as `1>2`: the first issue number blocks the second. */
function short(dependencies: readonly Dependency[]): string[] {
  return dependencies
    .map(({ issue_key, dependency_key }) => `${issue_key.split('#')[1]}>${dependency_key.split('#')[1]}`)
    .sort();
}

function blockersOf(number: number): string[] {
  return github.issue('acme', 'app', number).blocked_by;
}

/** Marks one issue as blocking another one on GitHub. */
async function blockThere(source: number, dependent: number): Promise<void> {
  const answer = await fetch(`${github.apiUrl}/repos/acme/app/issues/${dependent}/dependencies/blocked_by`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ issue_id: github.issue('acme', 'app', source).id }),
  });
  expect(answer.status).toBe(201);
}

/** Returns the dependency in which issue #1 blocks another issue, in the form of a scan result. */
function firstOf(dependencies: readonly Dependency[]): Dependency {
  const found = dependencies.find(({ issue_key }) => issue_key.endsWith('#1'));
  if (!found) throw new Error('It was not found.');
  return found;
}

describe('scanning', () => {
  test('finds dependencies stated in the given issues, with reasons', async () => {
    await begin();
    const { dependencies, notice } = await detect(ids);
    expect(notice).toBeNull();
    expect(short(dependencies)).toEqual(['1>2', '2>3']);
    const first = firstOf(dependencies);
    expect(first).toMatchObject({ is_committed: false, comes_from_tracker: false, undone: false });
    expect(first.reason).toContain('Blocked by');
    expect(short((await detect(ids.slice(1))).dependencies)).toEqual(['2>3']);
  });

  test('omits a deleted issue, and is refused if all are deleted', async () => {
    await begin();
    const gone = '00000000-0000-4000-8000-000000000000';
    expect(short((await detect([gone, ...ids])).dependencies)).toEqual(['1>2', '2>3']);
    expect((await caller.call('POST', '/issue-dependencies/detect', { issue_ids: [gone] })).status).toBe(404);
  });

  test('does not mistake a key truncated at the text limit for another key', async () => {
    await begin();
    const fill = 'x'.repeat(20_000 - 'Blocked by #1'.length - 1);
    github.editAs('ada', 'acme', 'app', 4, { body: `${fill} Blocked by #12` });
    await syncAgain(caller, trackerId);
    expect(short((await detect(ids)).dependencies)).toEqual(['1>2', '2>3']);
  });

  test('removes dependencies when the texts stop stating them', async () => {
    await begin();
    await detect(ids);
    github.editAs('ada', 'acme', 'app', 3, { body: 'For the accountant.' });
    await syncAgain(caller, trackerId);
    expect(short((await detect(ids)).dependencies)).toEqual(['1>2']);
  });

  test('displays dependencies of the tracker, which cannot be committed', async () => {
    await begin();
    await blockThere(1, 4);
    const { dependencies } = await detect(ids);
    expect(short(dependencies)).toEqual(['1>2', '1>4', '2>3']);
    const told = dependencies.find(({ dependency_key }) => dependency_key.endsWith('#4'));
    expect(told).toMatchObject({ comes_from_tracker: true, is_committed: false, confidence_score: 1 });
    if (!told) throw new Error('not found');
    expect((await commit(told)).failed).toMatchObject([
      { detail: expect.stringContaining('already has this') },
    ]);
  });

  test('can be extended by further issues, and then returns only new dependencies', async () => {
    await begin();
    const further = await caller.send(
      'POST',
      '/issue-dependencies/extend',
      { issue_ids: [ids[1]], extend_by: 2 },
      extendedScan,
    );
    expect(further.issues).toHaveLength(2);
    const all = await caller.send(
      'POST',
      '/issue-dependencies/extend',
      { issue_ids: [ids[1]], extend_by: 10 },
      extendedScan,
    );
    expect(all.issues.map(({ key }) => key).sort()).toEqual(['acme/app#1', 'acme/app#3', 'acme/app#4']);
    expect(short(all.dependencies)).toEqual(['1>2', '2>3']);
    const nothing = await caller.send('POST', '/issue-dependencies/extend', { issue_ids: ids }, extendedScan);
    expect(nothing).toMatchObject({ issues: [], dependencies: [] });
  });

  test('returns both directions for two issues that each claim to wait for the other', async () => {
    await begin();
    github.editAs('ada', 'acme', 'app', 1, { body: 'Depends on #2.' });
    await syncAgain(caller, trackerId);
    expect(short((await detect(ids)).dependencies)).toEqual(['1>2', '2>1', '2>3']);
  });

  test('omits a dismissed dependency until it is restored', async () => {
    await begin();
    const [first] = (await detect(ids)).dependencies;
    if (!first) throw new Error('not found');
    await caller.do('POST', '/issue-dependencies/dismiss', named(first));
    expect((await detect(ids)).dependencies).toHaveLength(1);
    await caller.do('POST', '/issue-dependencies/restore', named(first));
    expect((await detect(ids)).dependencies).toHaveLength(2);
  });
});

describe('committing', () => {
  test('writes the preview to the tracker, and undo removes it', async () => {
    await begin();
    const first = firstOf((await detect(ids)).dependencies);
    const preview = await caller.send(
      'POST',
      '/changes/preview',
      { kind: 'dependency', payload: { dependencies: [named(first)] } },
      changePreview,
    );
    expect(preview.steps.map(({ action }) => action)).toEqual(['link_blocking', 'comment']);
    const done = await commit(first);
    expect(done).toMatchObject({ failed: [], pending: [], dependencies: [{ is_committed: true }] });
    expect(blockersOf(2)).toEqual(['acme/app#1']);
    expect(github.issue('acme', 'app', 2).comments).toEqual([]);
    expect((await detect(ids)).dependencies.filter(({ is_committed }) => is_committed)).toHaveLength(1);
    const detail = await caller.get(`/issues/${first.dependent_issue_id}`, issueDetail);
    expect(short(detail.dependencies)).toEqual(['1>2', '2>3']);
    const changeId = done.dependencies[0]?.change_id ?? '';
    expect(await caller.get(`/changes/${changeId}`, change)).toMatchObject({
      kind: 'dependency',
      title: 'acme/app#1 blocks acme/app#2.',
      steps: [{ status: 'applied' }, { status: 'skipped' }],
    });
    await caller.send('POST', `/changes/${changeId}/undo`, undefined, change);
    expect(blockersOf(2)).toEqual([]);
    const [again] = (await detect(ids)).dependencies.filter(({ issue_key }) => issue_key.endsWith('#1'));
    expect(again).toMatchObject({ is_committed: false, comes_from_tracker: false, undone: true });
  });

  test('posts a comment with a task list if the tracker has no such links', async () => {
    await begin({ dependencies: false });
    const first = firstOf((await detect(ids)).dependencies);
    const done = await commit(first);
    expect(done.dependencies).toHaveLength(1);
    expect(github.issue('acme', 'app', 2).comments.map(({ body }) => body)).toEqual([
      expect.stringMatching(/^Has to wait for:\n\n- \[ \] acme\/app#1/),
    ]);
    await caller.send('POST', `/changes/${done.dependencies[0]?.change_id}/undo`, undefined, change);
    expect(github.issue('acme', 'app', 2).comments).toEqual([]);
  });

  test('handles many dependencies at once: each succeeds or returns an error, and cycles are refused', async () => {
    await begin();
    await blockThere(3, 1);
    const { dependencies } = await detect(ids);
    const own = dependencies.filter(({ comes_from_tracker }) => !comes_from_tracker);
    const done = await commit(...own, { source_issue_id: ids[3] ?? '', dependent_issue_id: ids[0] ?? '' });
    expect(done.dependencies).toHaveLength(1);
    expect(done.failed.map(({ detail }) => detail).sort()).toEqual([
      'Dependency not found. Scan again.',
      expect.stringContaining('wait for each other'),
    ]);
  });

  test("leaves a dependency uncommitted if the tracker refuses, with the tracker's message", async () => {
    await begin();
    const first = firstOf((await detect(ids)).dependencies);
    github.faults.add({
      match: { method: 'POST', path: '/dependencies/' },
      action: { kind: 'status', status: 403 },
    });
    const done = await commit(first);
    expect(done).toMatchObject({ dependencies: [], pending: [] });
    expect(done.failed.map(({ detail }) => detail)).toEqual([expect.stringMatching(/GitHub/)]);
    expect(firstOf((await detect(ids)).dependencies).is_committed).toBe(false);
  });
});

test('the graph of a project marks satisfied dependencies, cycles and the longest chain', async () => {
  await begin();
  await detect(ids);
  await blockThere(3, 1);
  expect(short((await detect(ids)).dependencies), 'links read a moment ago').toEqual(['1>2', '2>3']);
  await detect(ids, true);
  const project = (await caller.get(`/issues/${ids[0]}`, issue)).project_id;
  const graph = await caller.get(`/issue-dependencies?project_id=${project.slice(0, 8)}`, dependencyGraph);
  expect(graph.issues.map(({ key }) => key).sort()).toEqual(['acme/app#1', 'acme/app#2', 'acme/app#3']);
  expect(graph.cycles).toHaveLength(1);
  expect(graph.dependencies.every(({ is_in_cycle }) => is_in_cycle)).toBe(true);
});

test('another account has no access to issues, dependencies or graphs', async () => {
  await begin();
  const [first] = (await detect(ids)).dependencies;
  if (!first) throw new Error('not found');
  const project = (await caller.get(`/issues/${ids[0]}`, issue)).project_id;
  const other = await winnow.newCaller();
  for (const [method, path, body] of [
    ['POST', '/issue-dependencies/detect', { issue_ids: ids }],
    ['POST', '/issue-dependencies/extend', { issue_ids: ids }],
    ['POST', '/issue-dependencies/dismiss', named(first)],
    ['POST', '/changes/preview', { kind: 'dependency', payload: { dependencies: [named(first)] } }],
    ['GET', `/issue-dependencies?project_id=${project}`, undefined],
  ] as const) {
    expect([path, (await other.call(method, path, body)).status]).toEqual([path, 404]);
  }
  const done = await other.send(
    'POST',
    '/issue-dependencies/commit',
    { dependencies: [named(first)] },
    commitResult,
  );
  expect(done.failed).toHaveLength(1);
  expect((await other.get('/changes', changeList)).total).toBe(0);
});

import { change, changePreview } from '@winnow/contract/change';
import { commitResult, type Dependency, dependencyList } from '@winnow/contract/dependency';
import { issue } from '@winnow/contract/issue';
import type { GitHubEmulator, GitHubEmulatorOptions } from '@winnow/emulators/github/emulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { syncAgain, TOKEN } from '../testing/github.ts';
import { listenLive } from '../testing/live-listener.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const ISSUES = [
  { title: 'Store receipts on the server', body: 'The till keeps them for a day only.' },
  { title: 'Search in old receipts', body: 'Blocked by #1.' },
  { title: 'Export receipts for the accountant', body: 'Depends on #2. Blocks #1.' },
];
const LINKS_OF_2 = '/issues/2/dependencies/blocked_by';

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

async function begin(
  options: Pick<GitHubEmulatorOptions, 'dependencies'> = {},
  issues: { title: string; body: string }[] = ISSUES,
): Promise<void> {
  ({ github, caller, trackerId } = await newBacklog(winnow, issues, options));
  const keys = issues.map((_issue, index) => encodeURIComponent(`acme/app#${index + 1}`));
  ids = await Promise.all(keys.map(async (key) => (await caller.get(`/issues/${key}`, issue)).id));
}

function scan(refresh = false) {
  return caller.send('POST', '/issue-dependencies/detect', { issue_ids: ids, refresh }, dependencyList);
}

/** Returns the dependencies after the links were read from the tracker. */
async function known(refresh = false): Promise<Dependency[]> {
  await scan(refresh);
  return eventually(async () => {
    const { checking, dependencies } = await scan();
    return checking ? null : dependencies;
  });
}

/**
 * Returns the dependency in which issue `source` blocks issue `dependent`, both given by number.
 */
function between(dependencies: readonly Dependency[], source: number, dependent: number) {
  return dependencies.find(
    (one) => one.issue_key.endsWith(`#${source}`) && one.dependency_key.endsWith(`#${dependent}`),
  );
}

function named(source: number, dependent: number) {
  return { source_issue_id: ids[source - 1] ?? '', dependent_issue_id: ids[dependent - 1] ?? '' };
}

function commit(...dependencies: (ReturnType<typeof named> & { base_hashes?: Record<string, string> })[]) {
  return caller.send('POST', '/issue-dependencies/commit', { dependencies }, commitResult);
}

/** Removes the only link of the second issue on GitHub. */
async function unblockThere(): Promise<void> {
  const answer = await fetch(
    `${github.apiUrl}/repos/acme/app${LINKS_OF_2}/${github.issue('acme', 'app', 1).id}`,
    { method: 'DELETE', headers: { authorization: `Bearer ${TOKEN}` } },
  );
  expect(answer.status).toBe(200);
  expect(github.issue('acme', 'app', 2).blocked_by).toEqual([]);
}

describe('a committed dependency', () => {
  test('becomes uncommitted when the link is removed in the tracker, and can be committed again', async () => {
    await begin();
    await known();
    await commit(named(1, 2));
    expect(between(await known(), 1, 2)).toMatchObject({ is_committed: true });
    await unblockThere();
    expect(between(await known(true), 1, 2)).toMatchObject({
      is_committed: false,
      comes_from_tracker: false,
      change_id: null,
    });
    expect((await commit(named(1, 2))).dependencies).toMatchObject([{ is_committed: true }]);
    expect(github.issue('acme', 'app', 2).blocked_by).toEqual(['acme/app#1']);
  });

  test('is removed if no text states it and no tracker lists it', async () => {
    await begin();
    await known();
    await commit(named(1, 2));
    await known();
    github.editAs('ada', 'acme', 'app', 2, { body: 'Customers ask for it.' });
    await syncAgain(caller, trackerId);
    expect(between(await known(true), 1, 2)).toMatchObject({ is_committed: true });
    await unblockThere();
    expect(between(await known(true), 1, 2)).toBeUndefined();
  });

  test('by a comment counts as committed: it prevents cycles and cannot be dismissed', async () => {
    await begin({ dependencies: false });
    await known();
    expect((await commit(named(1, 2), named(2, 3))).dependencies).toHaveLength(2);
    expect(between(await known(true), 1, 2)).toMatchObject({ is_committed: true });
    expect((await commit(named(3, 1))).failed).toMatchObject([
      { detail: expect.stringContaining('wait for each other') },
    ]);
    expect((await caller.call('POST', '/issue-dependencies/dismiss', named(1, 2))).status).toBe(409);
  });

  test('that is undone while its links are read stays undone', async () => {
    await begin();
    await known();
    const { dependencies } = await commit(named(1, 2));
    await known();
    github.faults.add({
      match: { method: 'GET', path: LINKS_OF_2 },
      times: 1,
      action: { kind: 'slow', chunkBytes: 500, intervalMs: 1_000 },
    });
    const reading = scan(true);
    await eventually(() => github.faults.list().some(({ fired }) => fired > 0));
    await caller.send('POST', `/changes/${dependencies[0]?.change_id}/undo`, undefined, change);
    await reading;
    expect(between(await known(), 1, 2)).toMatchObject({
      is_committed: false,
      comes_from_tracker: false,
      undone: true,
    });
  });

  test('must match the preview: nothing is written if an issue has changed', async () => {
    await begin();
    await known();
    const seen = await caller.send(
      'POST',
      '/changes/preview',
      { kind: 'dependency', payload: { dependencies: [named(1, 2)] } },
      changePreview,
    );
    github.editAs('ada', 'acme', 'app', 2, { title: 'Search in receipts' });
    await syncAgain(caller, trackerId);
    const late = await commit({ ...named(1, 2), base_hashes: seen.base_hashes });
    expect(late).toMatchObject({
      dependencies: [],
      failed: [{ dependency: named(1, 2), detail: expect.stringContaining('changed') }],
    });
    expect(github.issue('acme', 'app', 2).blocked_by).toEqual([]);
  });
});

describe('a tracker that does not respond', () => {
  test('does not delay findings in texts, is asked once for concurrent calls, and a live event reports its result', async () => {
    await begin();
    await known();
    const live = await listenLive(winnow.origin, caller.tokens.access_token);
    github.faults.add({
      match: { method: 'GET', path: '/dependencies/' },
      action: { kind: 'delay', delayMs: 4_000 },
    });
    const [first, second] = await Promise.all([scan(true), scan(true)]);
    expect(first).toMatchObject({ checking: true, notice: null });
    expect(between(second.dependencies, 1, 2)).toBeDefined();
    await live.heard(({ type }) => type === 'dependencies_changed');
    expect(github.faults.list()[0]?.matched).toBe(ids.length * 2);
    github.faults.clear();
    expect((await scan()).checking).toBe(false);
    await live.close();
  });

  test('is not asked again for a while, unless a user requests it; the reason is displayed', async () => {
    await begin();
    await known();
    const failing = {
      match: { method: 'GET', path: '/dependencies/' },
      action: { kind: 'status', status: 500 },
    };
    github.faults.add(failing as Parameters<typeof github.faults.add>[0]);
    await scan(true);
    await eventually(async () => (await scan(true)).notice);
    github.editAs('ada', 'acme', 'app', 1, { title: 'Store receipts' });
    await syncAgain(caller, trackerId);
    const before = github.faults.list()[0]?.matched;
    expect((await scan()).notice).toMatch(/^Not all links could be read: /);
    expect(github.faults.list()[0]?.matched).toBe(before);
    github.faults.clear();
    expect(
      (await eventually(async () => (await scan(true)).notice === null && (await scan()))).notice,
    ).toBeNull();
  });

  test('is waited for only once when many dependencies are committed', async () => {
    const waiting = Array.from({ length: 8 }, (_, index) => ({
      title: `Wish ${index + 2}`,
      body: 'Blocked by #1.',
    }));
    await begin({}, [{ title: 'Store receipts', body: 'On the server.' }, ...waiting]);
    await known();
    github.faults.add({
      match: { method: 'GET', path: '/repos/acme/app/issues/' },
      action: { kind: 'delay', delayMs: 30_000 },
    });
    const done = await commit(...waiting.map((_issue, index) => named(1, index + 2)));
    expect(done.dependencies).toEqual([]);
    expect(done.failed).toHaveLength(waiting.length);
    expect(new Set(done.failed.map(({ detail }) => detail))).toContain(
      'The request ran out of time. Try again.',
    );
    expect(github.faults.list()[0]?.matched).toBeLessThan(waiting.length);
  });
});

import { resolutionResult } from '@winnow/contract/change';
import { pairList } from '@winnow/contract/duplicate';
import { issuesCount } from '@winnow/contract/issue';
import { issueDetail } from '@winnow/contract/issue-detail';
import { tracker } from '@winnow/contract/tracker';
import { type GitHubEmulator, startGitHubEmulator } from '@winnow/emulators/github/emulator';
import { type JiraEmulator, startJiraEmulator } from '@winnow/emulators/jira/emulator';
import type { JiraSeedWorkflow } from '@winnow/emulators/jira/seed';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import {
  connect,
  differentIssues,
  startGitHub,
  syncAgain,
  TOKEN,
  whenSynced,
  whenTracker,
} from '../testing/github.ts';
import { listenLive } from '../testing/live-listener.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { makeDue } from '../testing/sync-due.ts';

// The tests mostly wait for the server, so they run concurrently.
vi.setConfig({ maxConcurrency: 8, testTimeout: 60_000 });
const TEXT = 'The thumbnail of a picture that was turned upside down is drawn sideways in the gallery.';
let winnow: RunningWinnow;
const emulators: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(async () => {
  await winnow.close();
  for (const emulator of emulators) await emulator.close();
});

async function github(...given: Parameters<typeof startGitHub>): Promise<GitHubEmulator> {
  const emulator = await startGitHub(...given);
  emulators.push(emulator);
  return emulator;
}

const similarIssues = [1, 2].map((number) => ({ title: `Thumbnail drawn sideways (${number})`, body: TEXT }));

async function idOf(caller: Caller, key: string): Promise<string> {
  return (await caller.get(`/issues/${encodeURIComponent(key)}`, issueDetail)).id;
}

/** Closes the second issue as a duplicate of the first issue. */
async function close(caller: Caller, first: string, second: string) {
  return caller.call('PATCH', '/issue-duplicates/execute-resolution', {
    issue1_id: await idOf(caller, first),
    issue2_id: await idOf(caller, second),
    resolution: 'close_b',
  });
}

describe.concurrent('a sync', () => {
  test('an issue deleted in the tracker disappears from pairs, counts and searches', async () => {
    const caller = await winnow.newCaller();
    const emulator = await github([...similarIssues, ...differentIssues(5)]);
    const { id } = await connect(caller, emulator);
    await whenSynced(caller, id);
    const pairs = async () =>
      (await caller.get('/issue-duplicates?similarity_threshold=0.7', pairList)).total;
    await eventually(async () => (await pairs()) === 1);
    const listener = await listenLive(winnow.origin, caller.tokens.access_token);
    emulator.deleteIssue('acme', 'app', 2);
    await makeDue(winnow, id);
    expect((await syncAgain(caller, id)).sync.issues, 'one check proves nothing').toBe(7);
    await makeDue(winnow, id);
    expect((await syncAgain(caller, id)).sync.issues).toBe(6);
    await listener.heard((event) => event.type === 'issues_changed' && event.tracker_id === id);
    expect(await pairs()).toBe(0);
    expect((await caller.call('GET', '/issues/acme%2Fapp%232')).status).toBe(404);
    expect((await caller.get('/issues-count', issuesCount)).total_issues).toBe(6);
    // The similarity index must have dropped the deleted issue as well.
    emulator.createIssue('acme', 'app', { title: 'Thumbnail drawn sideways (3)', body: TEXT });
    await syncAgain(caller, id);
    await eventually(async () => (await pairs()) === 1);
    await listener.close();
  });

  test('an inaccessible project is named, and the other projects are synced', async () => {
    const caller = await winnow.newCaller();
    const emulator = await github(differentIssues(3), {
      seed: { repos: [{ owner: 'acme', name: 'web', private: true, issues: differentIssues(2) }] },
    });
    const grant = (...names: string[]) =>
      emulator.setToken({
        token: TOKEN,
        login: 'ada',
        repos: names.map((full_name) => ({ full_name, permission: 'admin' })),
      });
    const { id } = await connect(caller, emulator);
    await whenSynced(caller, id);
    grant('acme/app');
    emulator.createIssue('acme', 'app', { title: 'Made since', body: null });
    await caller.send('POST', `/trackers/${id}/sync`, undefined, tracker);
    const { sync } = await whenTracker(caller, id, (one) => one.sync.state === 'failed');
    expect(sync).toMatchObject({ issues: 6, last_error: expect.stringContaining('acme/web') });
    const minutes = await eventually(() => minutesUntilNext(id));
    expect(minutes, 'the other projects are still polled every five minutes').toBeLessThanOrEqual(5);
    grant('acme/app', 'acme/web');
    expect((await syncAgain(caller, id)).sync.last_error).toBeNull();
  });

  test('an unreadable tracker is retried with a growing delay', async () => {
    const caller = await winnow.newCaller();
    const emulator = await github(differentIssues(3));
    const { id } = await connect(caller, emulator);
    await whenSynced(caller, id);
    await eventually(async () => (await minutesUntilNext(id)) === 5, { what: '5 minutes' });
    emulator.revokeToken(TOKEN);
    for (const minutes of [30, 60, 120]) {
      await caller.send('POST', `/trackers/${id}/sync`, undefined, tracker);
      await eventually(async () => (await minutesUntilNext(id)) === minutes, { what: `${minutes} minutes` });
    }
  });

  test.each([-1, 1])(
    'changes are read and written although the tracker’s clock is %i h off',
    async (hours) => {
      const caller = await winnow.newCaller();
      const emulator = await github(similarIssues, { clock: () => new Date(Date.now() + hours * 3_600_000) });
      const { id } = await connect(caller, emulator);
      await whenSynced(caller, id);
      for (const title of ['Made since', 'Made later']) {
        emulator.createIssue('acme', 'app', { title, body: null });
        await syncAgain(caller, id);
      }
      expect((await caller.get(`/trackers/${id}`, tracker)).sync.issues).toBe(4);
      const answer = await close(caller, 'acme/app#1', 'acme/app#2');
      expect([200, 202]).toContain(answer.status);
      await eventually(() => emulator.issue('acme', 'app', 2).state === 'closed');
      emulator.editAs('ada', 'acme', 'app', 2, { state: 'open' });
      await syncAgain(caller, id);
      expect((await caller.get('/issues/acme%2Fapp%232', issueDetail)).state).toBe('opened');
    },
  );

  test('one rate-limited tracker does not hold up another', async () => {
    const caller = await winnow.newCaller();
    const [limited, other] = [await github(differentIssues(3)), await github(differentIssues(2))];
    const { id } = await connect(caller, limited);
    await whenSynced(caller, id);
    limited.faults.add({ action: { kind: 'primary-limit', resetInSeconds: 600 } });
    await caller.send('POST', `/trackers/${id}/sync`, undefined, tracker);
    const held = await whenTracker(caller, id, ({ sync }) => sync.last_error !== null);
    expect(held.sync).toMatchObject({
      state: 'queued',
      last_error: expect.stringMatching(/until \d\d:\d\d:\d\d UTC/),
    });
    await eventually(async () => (await minutesUntilNext(id)) === 10, { what: 'the end of the limit' });
    const { id: otherId } = await connect(caller, other);
    expect((await whenSynced(caller, otherId)).sync.issues).toBe(2);
  });
});

describe.concurrent('a decision', () => {
  test('a decision on a locked issue without comment permission is refused before anything is written', async () => {
    const caller = await winnow.newCaller();
    const emulator = await startGitHubEmulator({
      enterprise: true,
      seed: {
        users: [{ login: 'ada' }],
        orgs: [{ login: 'acme', members: ['ada'] }],
        repos: [
          {
            owner: 'acme',
            name: 'app',
            private: true,
            issues: similarIssues.map((one, index) => ({ ...one, locked: index === 0 })),
          },
        ],
        tokens: [{ token: TOKEN, login: 'ada', repos: [{ full_name: 'acme/app', permission: 'triage' }] }],
      },
    });
    emulators.push(emulator);
    const { id } = await connect(caller, emulator);
    await whenSynced(caller, id);
    const answer = await close(caller, 'acme/app#1', 'acme/app#2');
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('acme/app#1 is locked')]);
    expect(emulator.issue('acme', 'app', 2)).toMatchObject({ state: 'open', comments: [] });
    expect(emulator.issue('acme', 'app', 1).comments).toEqual([]);
  });

  const statuses = [
    { name: 'Open', category: 'new' },
    { name: 'Done', category: 'done' },
  ] as const;
  test.each<[string, JiraSeedWorkflow, string]>([
    [
      'has no transition to a done status',
      { statuses: [...statuses], transitions: [{ name: 'Again', to: 'Open' }] },
      'has no transition from the current status',
    ],
    [
      'requires an unsupported field',
      {
        statuses: [...statuses],
        transitions: [
          {
            name: 'Finish',
            to: 'Done',
            fields: [{ key: 'customfield_1', name: 'Root cause', required: true }],
          },
        ],
      },
      'Root cause',
    ],
  ])(
    'a decision is refused before anything is written if the Jira workflow %s',
    async (_, workflow, sentence) => {
      const caller = await winnow.newCaller();
      const emulator = await jiraWith(workflow);
      const { id } = await connect(caller, emulator, {
        type: 'jira',
        config: { username: 'ada@example.com' },
        scope_rules: [
          { rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: new URL(emulator.url).host },
        ],
      });
      await whenSynced(caller, id);
      const answer = await close(caller, 'WIN-1', 'WIN-2');
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining(sentence)]);
      for (const key of ['WIN-1', 'WIN-2']) {
        expect(emulator.issue(key)).toMatchObject({ comments: [], links: [], category: 'new' });
      }
    },
  );

  test('a decision on a deleted issue reports the deletion', async () => {
    const caller = await winnow.newCaller();
    const emulator = await github(similarIssues);
    const { id } = await connect(caller, emulator);
    await whenSynced(caller, id);
    const ids = [await idOf(caller, 'acme/app#1'), await idOf(caller, 'acme/app#2')];
    emulator.deleteIssue('acme', 'app', 2);
    const payload = { issue1_id: ids[0], issue2_id: ids[1], resolution: 'close_b' };
    const answer = await caller.call('PATCH', '/issue-duplicates/execute-resolution', payload);
    expect([answer.status, answer.text]).toEqual([
      409,
      expect.stringContaining('acme/app#2 is missing from its tracker'),
    ]);
    expect(resolutionResult.safeParse(answer.body).success).toBe(false);
    expect(emulator.issue('acme', 'app', 1).comments).toEqual([]);
    expect((await caller.call('GET', `/issues/${ids[1]}`)).status, 'one check proves nothing').toBe(200);
    await makeDue(winnow, id);
    await syncAgain(caller, id);
    expect((await caller.call('GET', `/issues/${ids[1]}`)).status, 'the issue is removed here, too').toBe(
      404,
    );
  });
});

async function jiraWith(workflow: JiraSeedWorkflow): Promise<JiraEmulator> {
  const emulator = await startJiraEmulator({
    seed: {
      users: [{ name: 'ada', email: 'ada@example.com' }],
      tokens: [{ token: TOKEN, user: 'ada' }],
      projects: [
        {
          key: 'WIN',
          workflow,
          issues: similarIssues.map(({ title, body }) => ({
            summary: title,
            description: body,
            status: 'Open',
          })),
        },
      ],
    },
  });
  emulators.push(emulator);
  return emulator;
}

/** Returns the minutes until the next sync. Returns null while a sync is running. */
async function minutesUntilNext(trackerId: string): Promise<number | null> {
  const { rows } = await winnow.database.pool.query<{ minutes: number }>(
    `select extract(epoch from run_at - now()) / 60 as minutes from graphile_worker._private_jobs
     where key = $1 and locked_at is null`,
    [`sync:${trackerId}`],
  );
  const minutes = rows[0]?.minutes;
  return minutes === undefined ? null : Math.round(Number(minutes));
}

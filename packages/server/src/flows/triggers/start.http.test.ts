import { flow, flowList } from '@winnow/contract/flow';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectAgent, newKey } from '../../mcp/testing/agent.ts';
import type { Caller } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  connect,
  differentIssues,
  startGitHub,
  syncAgain,
  whenSynced,
  whenTracker,
} from '../../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../../testing/running-winnow.ts';

vi.setConfig({ testTimeout: 60_000 });
const emulators: GitHubEmulator[] = [];
const servers: RunningWinnow[] = [];

afterAll(async () => {
  for (const server of servers) await server.close();
  for (const emulator of emulators) await emulator.close();
});

async function start(isReachable: boolean): Promise<RunningWinnow> {
  const winnow = await startWinnow({ isReachable });
  servers.push(winnow);
  return winnow;
}

/**
 * Creates an account with a tracker of three issues, and a flow for each of these events. The flows
 * write nothing.
 */
async function connected(winnow: RunningWinnow, events: readonly string[]) {
  const github = await startGitHub(differentIssues(3));
  emulators.push(github);
  const caller = await winnow.newCaller();
  const { id: trackerId } = await connect(caller, github);
  await whenSynced(caller, trackerId);
  for (const event of events) await makeFlow(caller, event);
  const accountId = await caller.accountId();
  const { db } = winnow.database;
  /** Waits until all events are matched. Returns the triggers of the executions. */
  const started = async () => {
    await eventually(async () => {
      const waiting = db.selectFrom('tracker_event').select('id').where('account_id', '=', accountId);
      return (await waiting.where('matched_at', 'is', null).execute()).length === 0;
    });
    const rows = await db
      .selectFrom('flow_execution')
      .select('trigger_event')
      .where('account_id', '=', accountId)
      .execute();
    return rows.map(({ trigger_event: event }) => `${event.type} ${event.issue_key}`).sort();
  };
  /** Returns the number of received events. */
  const heard = async () => {
    const rows = await db
      .selectFrom('tracker_event')
      .select('type')
      .where('account_id', '=', accountId)
      .execute();
    return rows.length;
  };
  return { github, caller, trackerId, accountId, started, heard };
}

async function makeFlow(caller: Caller, event: string): Promise<void> {
  const body = { name: event, builtin_actions: ['report_backlog'], trigger_event_type: event };
  await caller.send('POST', '/flows', body, flow);
}

describe('with webhooks', () => {
  let winnow: RunningWinnow;

  beforeAll(async () => {
    winnow = await start(true);
  });

  const withWebhooks = async (events: readonly string[]) => {
    const all = await connected(winnow, events);
    await whenTracker(all.caller, all.trackerId, ({ webhooks }) => webhooks.state === 'active');
    return all;
  };

  test('an event starts a flow once, even if it is delivered again and found by a sync', async () => {
    const { github, caller, trackerId, started, heard } = await withWebhooks([
      'issue_opened',
      'issue_closed',
    ]);
    github.createIssue('acme', 'app', { title: 'The lid sticks', body: null });
    github.editAs('ada', 'acme', 'app', 2, { state: 'closed' });
    await github.deliveries.settled();
    const all = ['issue_closed acme/app#2', 'issue_opened acme/app#4'];
    expect(await started()).toEqual(all);
    for (const { url, headers, body } of github.deliveries.all) {
      await fetch(url, { method: 'POST', headers, body });
      await fetch(url, { method: 'POST', headers: { ...headers, 'x-github-delivery': 'another' }, body });
    }
    await syncAgain(caller, trackerId);
    expect(await started()).toEqual(all);
    expect(await heard()).toBe(2);
  });

  test('writes by Winnow start no flow; writes by others do', async () => {
    const events = ['issue_opened', 'issue_updated', 'issue_closed', 'issue_reopened', 'comment_created'];
    const { github, caller, started, heard } = await withWebhooks(events);
    const agent = await connectAgent(winnow.origin, (await newKey(caller)).key);
    const issue = 'acme/app#1';
    await agent.use('update_issue', { issue, title: 'A better title', add_labels: ['kitchen'] });
    await agent.use('assign_issue', { issue, assignees: ['ada'] });
    await agent.use('comment_on_issue', { issue, comment: 'Who knows more?' });
    await agent.use('update_issue', { issue, state: 'closed' });
    await agent.use('update_issue', { issue, state: 'opened' });
    await agent.use('create_issue', {
      project: 'acme/app',
      title: 'Made by us',
      labels: ['kitchen'],
      assignees: ['ada'],
      allow_duplicate: true,
    });
    await agent.close();
    await github.deliveries.settled();
    expect(await started()).toEqual([]);
    expect(await heard()).toBeGreaterThan(5);

    github.editAs('ada', 'acme', 'app', 2, { title: 'By a person' });
    github.commentAs('ada', 'acme', 'app', 3, 'By a person');
    await github.deliveries.settled();
    expect(await started()).toEqual(['comment_created acme/app#3', 'issue_updated acme/app#2']);
  });

  test('flows of other accounts are not started', async () => {
    const { github, started } = await withWebhooks(['issue_opened']);
    const other = await withWebhooks(['issue_opened']);
    github.createIssue('acme', 'app', { title: 'Only here', body: null });
    await github.deliveries.settled();
    expect(await started()).toEqual(['issue_opened acme/app#4']);
    expect(await other.started()).toEqual([]);
  });
});

test('without webhooks, changes found by a sync start flows once', async () => {
  const winnow = await start(false);
  const { github, caller, trackerId, started } = await connected(winnow, ['issue_opened', 'comment_created']);
  github.createIssue('acme', 'app', { title: 'The lid sticks', body: null });
  github.commentAs('ada', 'acme', 'app', 3, 'So it does');
  await syncAgain(caller, trackerId);
  const all = ['comment_created acme/app#3', 'issue_opened acme/app#4'];
  expect(await started()).toEqual(all);
  await syncAgain(caller, trackerId);
  expect(await started()).toEqual(all);
});

test('a flow that listens to pushes reports missing webhooks', async () => {
  const problems = async ({ caller }: { caller: Caller }) =>
    (await caller.get('/flows', flowList)).map(({ name, problem }) => [name, problem]);
  const unheard = expect.stringContaining('Pushes are only reported by webhooks');
  const events = ['commit_to_main', 'issue_opened', 'push'];
  expect(await problems(await connected(await start(false), events))).toEqual([
    ['commit_to_main', unheard],
    ['issue_opened', null],
    ['push', unheard],
  ]);
  const heard = await connected(await start(true), events);
  await whenTracker(heard.caller, heard.trackerId, ({ webhooks }) => webhooks.state === 'active');
  expect(await problems(heard)).toEqual(events.map((event) => [event, null]));
});

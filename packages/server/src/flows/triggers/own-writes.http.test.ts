import { flow } from '@winnow/contract/flow';
import { tracker, trackerWebhook } from '@winnow/contract/tracker';
import { startGitLabEmulator } from '@winnow/emulators/gitlab/emulator';
import { startJiraEmulator } from '@winnow/emulators/jira/emulator';
import { TEST_TRACKERS } from '@winnow/emulators/testing/test-trackers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectAgent, newKey } from '../../mcp/testing/agent.ts';
import type { Caller } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { include, syncAgain, whenSynced, whenTracker } from '../../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../../testing/running-winnow.ts';

vi.setConfig({ testTimeout: 120_000 });
const EVENTS = ['issue_opened', 'issue_updated', 'issue_closed', 'issue_reopened', 'comment_created'];
const GITLAB_TOKEN = 'glpat-0123456789abcdefghij';
const JIRA_TOKEN = 'NjE4OTU0NzU2MTU3Oq4x5mA0Vd2kHn7sYt3rBq9w';

let winnow: RunningWinnow;

beforeAll(async () => {
  winnow = await startWinnow({ isReachable: true });
});
afterAll(() => winnow.close());

/** Creates an account with a connected tracker, and a flow for each type of event. */
async function connect(connection: object) {
  const caller = await winnow.newCaller();
  const { id } = await caller.send('POST', '/trackers', { name: 'Tracker', ...connection }, tracker);
  await whenSynced(caller, id);
  for (const event of EVENTS) {
    const body = { name: event, builtin_actions: ['report_backlog'], trigger_event_type: event };
    await caller.send('POST', '/flows', body, flow);
  }
  return { caller, id };
}

/** Performs each kind of write that an agent can request. */
async function writeAll(caller: Caller, issue: string, project: string, login: string): Promise<void> {
  const agent = await connectAgent(winnow.origin, (await newKey(caller)).key);
  const applied = { status: 'applied' };
  const better = { title: 'A better title', add_labels: ['kitchen'] };
  expect(await agent.use('update_issue', { issue, ...better })).toMatchObject(applied);
  expect(await agent.use('assign_issue', { issue, assignees: [login] })).toMatchObject(applied);
  expect(await agent.use('comment_on_issue', { issue, comment: 'Who knows more?' })).toMatchObject(applied);
  expect(await agent.use('update_issue', { issue, state: 'closed' })).toMatchObject(applied);
  expect(await agent.use('update_issue', { issue, state: 'opened' })).toMatchObject(applied);
  const draft = { project, title: 'Created by us', labels: ['kitchen'], assignees: [login] };
  expect(await agent.use('create_issue', { ...draft, allow_duplicate: true })).toMatchObject(applied);
  await agent.close();
}

/**
 * Waits until all events are matched. Returns the types of events that started executions, and the
 * types of all received events.
 */
async function heardAndStarted(caller: Caller) {
  const accountId = await caller.accountId();
  const { db } = winnow.database;
  const heard = await eventually(async () => {
    const events = await db
      .selectFrom('tracker_event')
      .select(['type', 'matched_at'])
      .where('account_id', '=', accountId)
      .execute();
    return events.every(({ matched_at }) => matched_at !== null) && events;
  });
  const executions = await db
    .selectFrom('flow_execution')
    .select('trigger_event')
    .where('account_id', '=', accountId)
    .execute();
  return {
    heard: heard.map(({ type }) => type),
    started: executions.map(({ trigger_event: event }) => `${event.type} ${event.issue_key}`),
  };
}

describe('writes by Winnow start nothing', () => {
  test.each(Object.entries(TEST_TRACKERS))('if a sync of %s finds them', async (_name, open) => {
    const testTracker = await open(['One', 'Two']);
    try {
      const { caller, id } = await connect(testTracker.connection);
      await writeAll(caller, testTracker.keyOf(1), testTracker.project, testTracker.loginOf('bob'));
      await syncAgain(caller, id);
      expect((await heardAndStarted(caller)).started).toEqual([]);
      testTracker.renameIssue(2, 'By a person');
      await syncAgain(caller, id);
      expect((await heardAndStarted(caller)).started).toEqual([`issue_updated ${testTracker.keyOf(2)}`]);
    } finally {
      await testTracker.close();
    }
  });

  test('if GitLab reports them', async () => {
    const gitlab = await startGitLabEmulator({
      seed: {
        users: [{ username: 'ada' }],
        groups: [{ full_path: 'acme', name: 'Acme', members: { ada: 'maintainer' } }],
        projects: [{ path_with_namespace: 'acme/app', issues: [{ title: 'One' }, { title: 'Two' }] }],
        tokens: [{ token: GITLAB_TOKEN, username: 'ada' }],
      },
    });
    try {
      const scope_rules = [include('ORGANIZATION', 'acme')];
      const connection = { type: 'gitlab', url: gitlab.url, api_key: GITLAB_TOKEN, scope_rules };
      const { caller, id } = await connect(connection);
      await whenTracker(caller, id, ({ webhooks }) => webhooks.state === 'active');
      await writeAll(caller, 'acme/app#1', 'acme/app', 'ada');
      await gitlab.deliveries.settled();
      const { heard, started } = await heardAndStarted(caller);
      expect(started).toEqual([]);
      expect(heard).toEqual(expect.arrayContaining(EVENTS));
      gitlab.editAs('ada', 'acme/app', 2, { title: 'By a person' });
      await gitlab.deliveries.settled();
      expect((await heardAndStarted(caller)).started).toEqual(['issue_updated acme/app#2']);
    } finally {
      await gitlab.close();
    }
  });

  test('if Jira reports them', async () => {
    const jira = await startJiraEmulator({
      deployment: 'data_center',
      seed: {
        users: [{ name: 'ada' }],
        tokens: [{ token: JIRA_TOKEN, user: 'ada' }],
        projects: [{ key: 'WIN', name: 'Winnow', issues: [{ summary: 'One' }, { summary: 'Two' }] }],
      },
    });
    try {
      const scope_rules = [include('ORGANIZATION', `127.0.0.1:${jira.port}`)];
      const connection = { type: 'jira', url: jira.siteUrl, api_key: JIRA_TOKEN, scope_rules };
      const { caller, id } = await connect(connection);
      const { url } = await caller.get(`/trackers/${id}/webhook`, trackerWebhook);
      jira.registerWebhook({ url });
      await writeAll(caller, 'WIN-1', 'WIN', 'ada');
      await jira.deliveries.settled();
      const { heard, started } = await heardAndStarted(caller);
      expect(started).toEqual([]);
      expect(heard).toEqual(expect.arrayContaining(['issue_opened', 'issue_updated', 'comment_created']));
      jira.editAs('ada', 'WIN-2', { summary: 'By a person' });
      await jira.deliveries.settled();
      expect((await heardAndStarted(caller)).started).toEqual(['issue_updated WIN-2']);
    } finally {
      await jira.close();
    }
  });
});

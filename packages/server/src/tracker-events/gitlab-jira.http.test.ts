import { issueDetail } from '@winnow/contract/issue-detail';
import { type Tracker, tracker, trackerWebhook } from '@winnow/contract/tracker';
import { startGitLabEmulator } from '@winnow/emulators/gitlab/emulator';
import { type JiraEmulator, startJiraEmulator } from '@winnow/emulators/jira/emulator';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Caller, call } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { include, syncAgain, whenSynced, whenTracker } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

vi.setConfig({ testTimeout: 60_000 });
let winnow: RunningWinnow;

beforeAll(async () => {
  winnow = await startWinnow({ isReachable: true });
});
afterAll(() => winnow.close());

const titleOf = async (caller: Caller, key: string) =>
  (await caller.get(`/issues/${encodeURIComponent(key)}`, issueDetail)).title;

const JIRA_TOKEN = 'NjE4OTU0NzU2MTU3Oq4x5mA0Vd2kHn7sYt3rBq9w';

function connectJira(caller: Caller, jira: JiraEmulator): Promise<Tracker> {
  const scope_rules = [include('ORGANIZATION', `127.0.0.1:${jira.port}`)];
  const connection = { name: 'Jira', type: 'jira', url: jira.siteUrl, api_key: JIRA_TOKEN, scope_rules };
  return caller.send('POST', '/trackers', connection, tracker);
}

test('a GitLab webhook is created, reports edits and notes, and has merge request events', async () => {
  const gitlab = await startGitLabEmulator({
    seed: {
      users: [{ username: 'ada' }],
      groups: [{ full_path: 'acme', name: 'Acme', members: { ada: 'maintainer' } }],
      projects: [{ path_with_namespace: 'acme/app', issues: [{ title: 'Before' }] }],
      tokens: [{ token: 'glpat-0123456789abcdefghij', username: 'ada' }],
    },
  });
  try {
    const caller = await winnow.newCaller();
    const { id } = await caller.send(
      'POST',
      '/trackers',
      {
        name: 'GitLab',
        type: 'gitlab',
        url: gitlab.url,
        api_key: 'glpat-0123456789abcdefghij',
        scope_rules: [include('ORGANIZATION', 'acme')],
      },
      tracker,
    );
    await whenSynced(caller, id);
    await whenTracker(caller, id, ({ webhooks }) => webhooks.state === 'active');
    gitlab.editAs('ada', 'acme/app', 1, { title: 'After' });
    await eventually(async () => (await titleOf(caller, 'acme/app#1')) === 'After');
    gitlab.commentAs('ada', 'acme/app', 1, 'A note');
    gitlab.createMergeRequest('acme/app', { title: 'Mends it' });
    await eventually(async () => {
      const { comments } = await caller.get('/issues/acme%2Fapp%231', issueDetail);
      return comments.some(({ body }) => body === 'A note');
    });
    expect(gitlab.deliveries.all.every(({ status }) => status === 202)).toBe(true);
  } finally {
    await gitlab.close();
  }
});

test('a Jira webhook is accepted with the secret in its URL or with a signature', async () => {
  const jira = await startJiraEmulator({
    deployment: 'data_center',
    seed: {
      users: [{ name: 'ada' }],
      tokens: [{ token: JIRA_TOKEN, user: 'ada' }],
      projects: [{ key: 'WIN', name: 'Winnow', issues: [{ summary: 'Before' }, { summary: 'Another' }] }],
    },
  });
  try {
    const caller = await winnow.newCaller();
    const { id } = await connectJira(caller, jira);
    const polled = await whenSynced(caller, id);
    expect(polled.webhooks).toEqual({ state: 'polling', last_event_at: null });
    const { url, secret, problem } = await caller.get(`/trackers/${id}/webhook`, trackerWebhook);
    expect(url).toBe(`${winnow.origin}/api/v1/trackers/${id}/webhook?secret=${secret}`);
    expect(problem).toBeNull();

    jira.registerWebhook({ url });
    jira.editAs('ada', 'WIN-1', { summary: 'After' });
    await eventually(async () => (await titleOf(caller, 'WIN-1')) === 'After');
    expect((await caller.get(`/trackers/${id}`, tracker)).webhooks.state).toBe('active');
    await syncAgain(caller, id);
    expect((await caller.get(`/trackers/${id}`, tracker)).webhooks.state).toBe('active');

    const bare = url.split('?')[0] ?? '';
    jira.registerWebhook({ url: bare, secret });
    jira.editAs('ada', 'WIN-2', { summary: 'Signed' });
    await eventually(async () => (await titleOf(caller, 'WIN-2')) === 'Signed');

    const path = new URL(bare).pathname;
    const headers = { 'x-winnow-webhook-secret': secret };
    const injected = await call(winnow.origin, 'POST', path, { raw: '{}', headers });
    expect(injected.status, 'a secret in a custom header is ignored').toBe(404);
    const twice = `${path}?secret=${secret}&secret=${secret}`;
    expect((await call(winnow.origin, 'POST', twice, { raw: '{}' })).status).toBe(404);
    const issue = { id: '1', key: 'WIN-1', fields: { project: { id: '1', key: 'WIN' } } };
    const event = { timestamp: Date.now(), webhookEvent: 'jira:issue_updated', issue };
    for (const odd of [
      { ...event, timestamp: 1e300 },
      { ...event, timestamp: 9e15 },
      { ...event, timestamp: -1e15 },
      { ...event, issue: { ...issue, id: 'a\0b' } },
      { ...event, issue: { ...issue, fields: { project: { id: '1\0', key: 'WIN' } } } },
      { ...event, issue: { ...issue, fields: { project: { id: '1', key: 'W\ud800' } } } },
    ]) {
      const answer = await call(winnow.origin, 'POST', `${path}?secret=${secret}`, {
        raw: JSON.stringify(odd),
      });
      expect(answer.status, JSON.stringify(odd)).toBe(400);
    }
    expect((await call(winnow.origin, 'POST', `${path}?secret=wrong`, { raw: '{}', headers })).status).toBe(
      404,
    );
  } finally {
    await jira.close();
  }
});

test('deliveries about an inaccessible Jira project remove nothing, not even deletions', async () => {
  const jira = await startJiraEmulator({
    deployment: 'data_center',
    seed: {
      users: [{ name: 'ada' }],
      tokens: [{ token: JIRA_TOKEN, user: 'ada' }],
      projects: [
        { key: 'WIN', issues: [{ summary: 'One' }, { summary: 'Two' }] },
        { key: 'OPS', issues: [{ summary: 'Three' }] },
      ],
    },
  });
  try {
    const caller = await winnow.newCaller();
    const { id } = await connectJira(caller, jira);
    await whenSynced(caller, id);
    const { url } = await caller.get(`/trackers/${id}/webhook`, trackerWebhook);
    jira.deny('ada', 'WIN', ['BROWSE_PROJECTS']);
    const issue = jira.issue('WIN-1');
    const { db } = winnow.database;
    const project = await db
      .selectFrom('project')
      .select('external_id')
      .where('tracker_id', '=', id)
      .where('identifier', '=', 'WIN')
      .executeTakeFirstOrThrow();
    for (const webhookEvent of ['jira:issue_updated', 'jira:issue_deleted']) {
      const { pathname, search } = new URL(url);
      const fields = { project: { id: project.external_id, key: 'WIN' } };
      const event = { timestamp: Date.now(), webhookEvent, issue: { id: issue.id, key: issue.key, fields } };
      const answer = await call(winnow.origin, 'POST', pathname + search, { raw: JSON.stringify(event) });
      expect(answer.status).toBe(202);
      await eventually(async () => {
        const waiting = await db
          .selectFrom('tracker_event')
          .innerJoin('project', 'project.id', 'tracker_event.project_id')
          .select('tracker_event.id')
          .where('project.tracker_id', '=', id)
          .where('handled_at', 'is', null)
          .execute();
        return waiting.length === 0;
      });
    }
    const stored = await db
      .selectFrom('issue')
      .select(['key', 'missing_since'])
      .where('tracker_id', '=', id)
      .orderBy('key')
      .execute();
    expect(stored).toEqual(['OPS-1', 'WIN-1', 'WIN-2'].map((key) => ({ key, missing_since: null })));
  } finally {
    await jira.close();
  }
});

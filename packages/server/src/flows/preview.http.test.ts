import { flowPreview, type PastEvent, pastEvents } from '@winnow/contract/flow';
import { issueDetail } from '@winnow/contract/issue-detail';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { connect, differentIssues, startGitHub, whenSynced } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import {
  type DeliveredRepository,
  deliver,
  issueEvent,
  secretOf,
} from '../tracker-events/testing/deliver.ts';
import { HARD_EXPRESSION, hardText } from './testing/hard-search.ts';

vi.setConfig({ testTimeout: 60_000 });
let winnow: RunningWinnow;
let github: GitHubEmulator;
let mine: Connected;
let theirs: Connected;

interface Connected {
  caller: Caller;
  trackerId: string;
  organizationId: string;
  projectId: string;
  /** Delivered events, newest first. */
  events: PastEvent[];
}

beforeAll(async () => {
  // GitHub cannot reach this server, so only events delivered by the test arrive.
  winnow = await startWinnow();
  github = await startGitHub(differentIssues(3));
  mine = await connected();
  theirs = await connected();
});
afterAll(async () => {
  await winnow.close();
  await github.close();
});

async function connected(): Promise<Connected> {
  const caller = await winnow.newCaller();
  const { id: trackerId } = await connect(caller, github);
  await whenSynced(caller, trackerId);
  const secret = await secretOf(caller, trackerId);
  const {
    id: projectId,
    organization_id: organizationId,
    external_id,
  } = await winnow.database.db
    .selectFrom('project')
    .select(['id', 'organization_id', 'external_id'])
    .where('tracker_id', '=', trackerId)
    .executeTakeFirstOrThrow();
  const repository: DeliveredRepository = { id: Number(external_id), full_name: 'acme/app' };
  const send = (event: string, body: string) => deliver(winnow.origin, trackerId, { event, body, secret });
  await send('issues', issueEvent(repository, 1));
  await send('push', pushTo(repository, 'topic', 'Fix the exports'));
  await send('issues', issueEvent(repository, 2));
  const events = await eventually(async () => {
    const found = await caller.get('/flows/events', pastEvents);
    return found.length === 3 && found;
  });
  return { caller, trackerId, organizationId, projectId, events };
}

function pushTo(repository: DeliveredRepository, branch: string, message: string): string {
  return JSON.stringify({
    ref: `refs/heads/${branch}`,
    after: 'c'.repeat(40),
    commits: [{ id: 'c'.repeat(40), message: `${message} ${'x'.repeat(272)}😀${'x'.repeat(130)}` }],
    head_commit: { timestamp: new Date().toISOString() },
    repository: { ...repository, default_branch: 'main' },
    sender: { login: 'ada', id: 1 },
  });
}

const preview = ({ caller }: Connected, body: Record<string, unknown>) =>
  caller.send('POST', '/flows/preview', body, flowPreview);
const eventOf = ({ events }: Connected, type: string) =>
  events.find((event) => event.type === type)?.event ?? 0;

describe('past events', () => {
  test('are listed newest first with their subject, and long texts are truncated between characters', () => {
    expect(mine.events.map(({ type }) => type)).toEqual(['issue_updated', 'push', 'issue_updated']);
    expect(mine.events[0]).toMatchObject({
      actor: 'ada',
      project: 'acme/app',
      project_id: mine.projectId,
      issue_key: 'acme/app#2',
      issue_title: expect.stringMatching(/^Report 2/),
      details: {},
    });
    expect(mine.events[1]).toMatchObject({ issue_id: null, issue_key: null, issue_title: null });
    expect(mine.events[1]?.details).toEqual({
      branch: 'topic',
      commits: `${'c'.repeat(10)} Fix the exports ${'x'.repeat(272)}`,
    });
  });

  const ALL = ['issue_updated', 'push', 'issue_updated'];
  test.each<[string, () => string, string[]]>([
    ['a tracker', () => `trigger_event_source=${mine.trackerId}`, ALL],
    ['a tracker of another account', () => `trigger_event_source=${theirs.trackerId}`, []],
    ['an organization', () => `trigger_organization_id=${mine.organizationId}`, ALL],
    ['an organization of another account', () => `trigger_organization_id=${theirs.organizationId}`, []],
    ['a project', () => `trigger_project_id=${mine.projectId}`, ALL],
    ['a project of another account', () => `trigger_project_id=${theirs.projectId}`, []],
    ['an event type', () => 'trigger_event_type=push', ['push']],
    ['an event type without events', () => 'trigger_event_type=issue_created', []],
    ['a schedule', () => 'trigger_event_type=every_day', []],
    ['a limit', () => 'limit=2', ALL.slice(0, 2)],
  ])('are filtered by %s', async (_what, query, types) => {
    const found = await mine.caller.get(`/flows/events?${query()}`, pastEvents);
    expect(found.map(({ type }) => type)).toEqual(types);
  });

  test.each(['trigger_event_type=boom', 'trigger_project_id=1', 'limit=0', 'limit=51'])(
    'are refused with %s',
    async (query) => {
      await mine.caller.fail('GET', `/flows/events?${query}`, 422);
    },
  );
});

describe('a preview', () => {
  test('returns the prompt for an event and the result of each filter', async () => {
    const shown = await preview(mine, {
      event: eventOf(mine, 'push'),
      prompt_template: '{{event.type}} by\n{{event.actor}}\nto {{event.branch}}, {{issue.title}}',
      trigger_filters: [
        { field: 'branch', op: 'matches', value: '^TOP' },
        { field: 'title', op: 'contains', value: 'report' },
        { field: 'actor', op: 'is_not', value: 'bot' },
      ],
    });
    expect(shown).toMatchObject({ filters: [true, false, true], passes: false });
    expect(shown.prompt).toMatch(/^push by\nevent\.actor:\n<<DATA-\w+\nada\nDATA-\w+>>\nto \nevent\.branch:/);
    expect(shown.prompt).toMatch(/, \(none\)$/);
  });

  test('accepts an issue by key or id', async () => {
    const key = 'acme/app#3';
    const { id, title } = await mine.caller.get(`/issues/${encodeURIComponent(key)}`, issueDetail);
    for (const issue_key of [key, id]) {
      const shown = await preview(mine, {
        issue_key,
        prompt_template: '{{project.name}} {{account.name}} {{issue.title}}',
        trigger_filters: [{ field: 'title', op: 'is', value: title.toUpperCase() }],
      });
      expect(shown.passes).toBe(true);
      expect(shown.prompt).toContain(`\n${title}\n`);
      expect(shown.prompt).toContain(mine.caller.name);
    }
  });

  test('works without an event or issue', async () => {
    const shown = await preview(mine, { prompt_template: 'Report on {{project.identifier}}.' });
    expect(shown).toEqual({ prompt: 'Report on (none).', filters: [], passes: true });
    expect(await preview(mine, {})).toEqual({ prompt: '', filters: [], passes: true });
  });

  test.each<[string, () => Record<string, unknown>, string]>([
    ['an unknown variable', () => ({ prompt_template: '{{issue.colour}}' }), 'prompt_template'],
    [
      'an invalid expression',
      () => ({ trigger_filters: [{ field: 'title', op: 'matches', value: 'a{99999}' }] }),
      'trigger_filters.0.value',
    ],
    [
      'both an event and an issue',
      () => ({ event: eventOf(mine, 'push'), issue_key: 'acme/app#1' }),
      'issue_key',
    ],
    ['an invalid event number', () => ({ event: 0 }), 'event'],
  ])('with %s is refused at its field', async (_what, body, path) => {
    const failure = await mine.caller.fail('POST', '/flows/preview', 422, body());
    expect(failure.fields?.map((field) => field.path)).toEqual([path]);
  });

  test('reports a slow expression at its field', async () => {
    const { id } = await mine.caller.get(`/issues/${encodeURIComponent('acme/app#3')}`, issueDetail);
    const { db } = winnow.database;
    await db.updateTable('issue').set({ description: hardText() }).where('id', '=', id).execute();
    const failure = await mine.caller.fail('POST', '/flows/preview', 422, {
      issue_key: id,
      trigger_filters: [
        { field: 'title', op: 'matches', value: 'Report' },
        { field: 'description', op: 'matches', value: HARD_EXPRESSION },
      ],
    });
    expect(failure.fields).toEqual([
      { path: 'trigger_filters.1.value', message: expect.stringMatching(/takes too long/) },
    ]);
  });

  test('treats events of other accounts as not found', async () => {
    const told = async (body: object) => (await mine.caller.fail('POST', '/flows/preview', 422, body)).fields;
    const gone = [{ path: 'event', message: 'Event not found.' }];
    expect(await told({ event: eventOf(theirs, 'push') })).toEqual(gone);
    expect(await told({ event: Number.MAX_SAFE_INTEGER })).toEqual(gone);
    expect(await told({ issue_key: 'acme/app#99' })).toEqual([
      { path: 'issue_key', message: 'Issue acme/app#99 not found.' },
    ]);
  });
});

test('limits the rate of previews and saves, because both compile expressions', async () => {
  const { caller } = mine;
  const tried = await Promise.all(
    Array.from({ length: 130 }, () => caller.call('POST', '/flows/preview', {})),
  );
  expect(tried.filter(({ status }) => status === 200)).not.toHaveLength(0);
  expect(tried.filter(({ status }) => status === 429)).not.toHaveLength(0);
  const saved = await Promise.all(Array.from({ length: 130 }, () => caller.call('POST', '/flows', {})));
  expect(saved.filter(({ status }) => status === 422)).not.toHaveLength(0);
  expect(saved.filter(({ status }) => status === 429)).not.toHaveLength(0);
});

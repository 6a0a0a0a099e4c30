import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { TrackerError, type WebhookDelivery } from '../provider.ts';
import { gitLabWebhook } from './webhook.ts';

const examples = new URL('../../../../../../shared/specs/gitlab-webhook-examples.json', import.meta.url);
const published: { event: string; payload: object }[] = existsSync(examples)
  ? JSON.parse(readFileSync(examples, 'utf8'))
  : [];
const SECRET = 'between-us';

function deliver(
  event: string,
  payload: unknown,
  headers: Record<string, string | string[]> = {},
): WebhookDelivery | null {
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  const all = { 'x-gitlab-event': event, 'x-gitlab-token': SECRET, ...headers };
  return gitLabWebhook.read({ headers: all, body }, SECRET);
}

const project = { id: 5, path_with_namespace: 'acme/app', default_branch: 'main' };
const at = '2024-05-01 12:00:00 UTC';
const issue = (action: string | null) => ({
  user: { username: 'ada' },
  project,
  object_attributes: { iid: 7, title: 'Cart lost', action, updated_at: at, url: 'http://x/7' },
});
const note = (attributes: object, on: object = { issue: { iid: 7, title: 'Cart lost' } }) => ({
  user: { username: 'bob' },
  project,
  object_attributes: {
    id: 9,
    note: 'Same',
    noteable_type: 'Issue',
    created_at: at,
    updated_at: at,
    ...attributes,
  },
  ...on,
});

describe('the sender of a delivery', () => {
  test.each([
    ['another secret', { 'x-gitlab-token': 'guess' }],
    ['a longer secret', { 'x-gitlab-token': `${SECRET}x` }],
    ['no secret', { 'x-gitlab-token': '' }],
  ])('is rejected with %s', (_, headers) => {
    expect(deliver('Issue Hook', issue('open'), headers)).toBeNull();
  });

  test('is rejected if no secret is configured', () => {
    const headers = { 'x-gitlab-event': 'Issue Hook', 'x-gitlab-token': '' };
    expect(gitLabWebhook.read({ headers, body: Buffer.from('{}') }, '')).toBeNull();
  });

  test('gives a redelivery the same id', () => {
    const uuid = { 'x-gitlab-event-uuid': 'e-1' };
    expect(deliver('Issue Hook', issue('open'), uuid)?.id).toBe('e-1');
    expect(deliver('Issue Hook', issue('open'), { ...uuid, 'idempotency-key': 'k-1' })?.id).toBe('k-1');
    expect(deliver('Issue Hook', issue('open'))?.id).toBeNull();
  });
});

describe('an event', () => {
  test.each([
    ['Issue Hook', issue('open'), ['issue_opened'], '7'],
    ['Issue Hook', issue('update'), ['issue_updated'], '7'],
    ['Issue Hook', issue('levitate'), ['issue_updated'], '7'],
    ['Issue Hook', issue(null), ['issue_updated'], '7'],
    ['Confidential Issue Hook', issue('close'), ['issue_closed'], '7'],
    ['Issue Hook', issue('reopen'), ['issue_reopened'], '7'],
    ['Merge Request Hook', issue('open'), ['change_request_opened'], '!7'],
    ['Merge Request Hook', issue('approved'), ['change_request_updated'], '!7'],
    ['Merge Request Hook', issue('close'), ['change_request_closed'], '!7'],
    ['Merge Request Hook', issue('merge'), ['change_request_merged'], '!7'],
    ['Note Hook', note({ action: 'create' }), ['comment_created'], '7'],
    ['Note Hook', note({}), ['comment_created'], '7'],
    ['Confidential Note Hook', note({ action: 'update' }), ['comment_updated'], '7'],
    [
      'Note Hook',
      note({ noteable_type: 'MergeRequest' }, { merge_request: { iid: 3 } }),
      ['comment_created'],
      '!3',
    ],
  ])('is read from a %s', (event, payload, types, issueExternalId) => {
    const events = deliver(event, payload)?.events ?? [];
    expect(events.map(({ type }) => type)).toEqual(types);
    expect(events[0]).toMatchObject({
      issueExternalId,
      project: { externalId: '5', identifier: 'acme/app' },
      occurredAt: new Date('2024-05-01T12:00:00Z'),
    });
  });

  test.each([
    ['Note Hook', note({ system: true })],
    ['Note Hook', note({ noteable_type: 'Commit' }, {})],
    ['Pipeline Hook', { anything: true }],
    ['Push Hook', { ref: 'refs/heads/gone', after: '0', project, commits: [] }],
    [
      'Push Hook',
      { ref: 'refs/tags/v1', after: 'a', project, commits: [{ id: 'a', message: 't', timestamp: at }] },
    ],
  ])('is irrelevant in a %s', (event, payload) => {
    expect(deliver(event, payload)).toEqual({ id: null, events: [] });
  });

  test.each(['main', 'fix'])(
    'is read from a push to %s, with a second one for the default branch',
    (branch) => {
      const commits = [
        { id: 'a'.repeat(40), message: 'one', timestamp: '2024-05-01T10:00:00Z' },
        { id: 'b'.repeat(40), message: 'two\nmore', timestamp: '2024-05-01T11:00:00Z' },
      ];
      const push = {
        ref: `refs/heads/${branch}`,
        after: 'b'.repeat(40),
        user_username: 'ada',
        project,
        commits,
      };
      const events = deliver('Push Hook', push)?.events ?? [];
      expect(events.map(({ type }) => type)).toEqual(
        branch === 'main' ? ['push', 'commit_to_main'] : ['push'],
      );
      expect(events[0]).toMatchObject({
        actor: 'ada',
        issueExternalId: null,
        head: 'b'.repeat(40),
        occurredAt: new Date('2024-05-01T11:00:00Z'),
        details: { branch, commits: 'aaaaaaaaaa one\nbbbbbbbbbb two' },
      });
    },
  );

  test.each([['{"project":'], ['[]'], [JSON.stringify({ project })]])(
    'is refused as malformed for %s',
    (body) => {
      const error = (() => {
        try {
          return deliver('Issue Hook', body);
        } catch (thrown) {
          return thrown;
        }
      })();
      expect(error).toBeInstanceOf(TrackerError);
      expect(error).toMatchObject({ code: 'malformed' });
    },
  );
});

describe.skipIf(published.length === 0)('the published examples', () => {
  const eventsOf = (name: string) => {
    const example = published.find(({ event }) => event === name);
    return deliver(name, example?.payload)?.events ?? [];
  };

  test('of an issue, a note, a merge request and a push are parsed', () => {
    expect(eventsOf('Issue Hook')).toMatchObject([
      { type: 'issue_opened', issueExternalId: '23', actor: 'root', project: { externalId: '1' } },
    ]);
    expect(eventsOf('Note Hook')).toMatchObject([
      { type: 'comment_created', issueExternalId: '17', details: { comment: 'Hello world', title: 'test' } },
    ]);
    expect(eventsOf('Merge Request Hook')).toMatchObject([
      { type: 'change_request_opened', issueExternalId: '!1', details: { branch: 'ms-viewport' } },
    ]);
    expect(eventsOf('Push Hook')).toMatchObject([
      { type: 'push', actor: 'jsmith', details: { branch: 'master' } },
      { type: 'commit_to_main', project: { identifier: 'mike/diaspora' } },
    ]);
  });
});

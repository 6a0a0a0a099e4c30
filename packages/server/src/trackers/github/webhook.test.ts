import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TrackerError } from '../provider.ts';
import { never, startPerTest } from './testing/per-test.ts';
import { gitHubWebhook } from './webhook.ts';

const SECRET = 'the secret of the hook';
const start = startPerTest();

function signed(event: string, payload: unknown, secret = SECRET) {
  const body = Buffer.from(JSON.stringify(payload));
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const headers = {
    'x-github-event': event,
    'x-github-delivery': 'd-1',
    'x-hub-signature-256': `sha256=${signature}`,
  };
  return { headers, body };
}

const place = {
  repository: { id: 7, full_name: 'acme/app', default_branch: 'trunk' },
  sender: { login: 'bob' },
};

describe('a delivery', () => {
  const opened = {
    action: 'opened',
    issue: { number: 3, title: 'T', html_url: 'https://x', updated_at: '2024-05-01T12:00:00Z' },
    ...place,
  };

  test('reports what happened, where, to which issue and by whom', () => {
    expect(gitHubWebhook.read(signed('issues', opened), SECRET)).toEqual({
      id: 'd-1',
      events: [
        {
          type: 'issue_opened',
          project: { externalId: '7', identifier: 'acme/app' },
          issueExternalId: '3',
          actor: 'bob',
          occurredAt: new Date('2024-05-01T12:00:00Z'),
          details: { title: 'T', url: 'https://x' },
        },
      ],
    });
  });

  test.each([
    ['another secret', signed('issues', opened, 'another secret')],
    ['no signature', { ...signed('issues', opened), headers: { 'x-github-event': 'issues' } }],
    ['a changed body', { ...signed('issues', opened), body: Buffer.from('{"action":"closed"}') }],
    [
      'two signatures',
      { body: signed('issues', opened).body, headers: { 'x-hub-signature-256': ['sha256=00', 'sha256=11'] } },
    ],
    ['half a signature', { ...signed('issues', opened), headers: { 'x-hub-signature-256': 'sha256=00ff' } }],
  ])('with %s is rejected', (_, request) => {
    expect(gitHubWebhook.read(request, SECRET)).toBeNull();
  });

  test.each(['{', '[]', '{"action":"opened"}', ''])('that is signed and contains %j is malformed', (text) => {
    const body = Buffer.from(text);
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const headers = { 'x-github-event': 'issues', 'x-hub-signature-256': `sha256=${signature}` };
    expect(() => gitHubWebhook.read({ headers, body }, SECRET)).toThrow(TrackerError);
  });

  test.each([
    ['ping', { zen: 'x' }],
    ['star', { action: 'created', ...place }],
    ['push', { ref: 'refs/tags/v1', after: 'a1', ...place }],
    ['push', { ref: 'refs/heads/trunk', after: '0', deleted: true, ...place }],
  ])('of an irrelevant %s has no events', (event, payload) => {
    expect(gitHubWebhook.read(signed(event, payload), SECRET)?.events).toEqual([]);
  });

  test('of a push to the default branch is a commit to main, and to another branch it is not', () => {
    const typesOf = (branch: string) => {
      const payload = {
        ref: `refs/heads/${branch}`,
        after: 'abc',
        commits: [{ id: 'abc', message: 'm' }],
        ...place,
      };
      return gitHubWebhook.read(signed('push', payload), SECRET)?.events.map(({ type }) => type);
    };
    expect(typesOf('trunk')).toEqual(['push', 'commit_to_main']);
    expect(typesOf('main')).toEqual(['push']);
  });

  test.each([
    ['issues', 'edited', 'issue_updated'],
    ['issues', 'closed', 'issue_closed'],
    ['issues', 'reopened', 'issue_reopened'],
    ['issues', 'transferred', 'issue_deleted'],
    ['issues', 'unknown_action', 'issue_updated'],
  ])('of %s %s is %s', (event, action, type) => {
    const read = gitHubWebhook.read(signed(event, { ...opened, action }), SECRET);
    expect(read?.events.map((one) => one.type)).toEqual([type]);
  });
});

const examples = (() => {
  try {
    const file = new URL('../../../../../../shared/specs/github-webhook-examples.json', import.meta.url);
    return JSON.parse(readFileSync(file, 'utf8')) as {
      event: string;
      action: string | null;
      payload: unknown;
    }[];
  } catch {
    process.stderr.write('No published webhook examples beside the checkout: they are not read.\n');
    return [];
  }
})();

test.runIf(examples.length > 0)('every published example is parsed', () => {
  for (const { event, action, payload } of examples) {
    const read = gitHubWebhook.read(signed(event, payload), SECRET);
    const isTag = JSON.stringify(payload).includes('"ref":"refs/tags/');
    expect([event, action, (read?.events.length ?? 0) > 0]).toEqual([event, action, !isTag]);
  }
});

describe('deliveries of the emulated GitHub', () => {
  const received: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(Buffer.from(piece));
    received.push({ headers: request.headers, body: Buffer.concat(pieces) });
    response.writeHead(202).end();
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('are parsed, from opening to deleting', async () => {
    const { provider, project, emulator } = await start([]);
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const hook = { url: `http://127.0.0.1:${port}/`, secret: SECRET };
    await provider.webhooks?.register(project, hook, never());
    emulator.createIssue('acme', 'app', { title: 'one', body: null });
    emulator.createIssue('acme', 'app', { title: 'two', body: null, pull_request: true });
    emulator.editAs('bob', 'acme', 'app', 1, { title: 'other', state: 'closed' });
    emulator.commentAs('bob', 'acme', 'app', 1, 'said');
    emulator.editAs('bob', 'acme', 'app', 1, { state: 'open' });
    emulator.pushAs('bob', 'acme', 'app', 'main', [
      { id: 'a'.repeat(40), message: 'm', timestamp: '2024-05-01T12:00:00Z' },
    ]);
    emulator.deleteIssue('acme', 'app', 1);
    await emulator.deliveries.settled();
    expect(
      received.flatMap((request) => gitHubWebhook.read(request, SECRET)?.events.map(({ type }) => type)),
    ).toEqual([
      'issue_opened',
      'change_request_opened',
      'issue_updated',
      'issue_closed',
      'comment_created',
      'issue_reopened',
      'push',
      'commit_to_main',
      'issue_deleted',
    ]);
    expect(received.map((request) => gitHubWebhook.read(request, 'another'))).not.toContainEqual(
      expect.anything(),
    );
  });
});

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTo } from 'node:net';
import { tracker, trackerWebhook } from '@winnow/contract/tracker';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Caller, call, failureOf } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { connect, differentIssues, startGitHub, syncAgain, whenSynced } from '../testing/github.ts';
import { listenLive } from '../testing/live-listener.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { type DeliveredRepository, deliver, issueEvent, requestOf, secretOf } from './testing/deliver.ts';

vi.setConfig({ maxConcurrency: 8, testTimeout: 60_000 });
let winnow: RunningWinnow;
let github: GitHubEmulator;

beforeAll(async () => {
  // The server has no public URL, so trackers cannot deliver to it. The tests send all deliveries
  // themselves.
  winnow = await startWinnow();
  github = await startGitHub(differentIssues(60));
});
afterAll(async () => {
  await winnow.close();
  await github.close();
});

interface Connected {
  caller: Caller;
  id: string;
  secret: string;
  repository: DeliveredRepository;
}

async function connected(): Promise<Connected> {
  const caller = await winnow.newCaller();
  const { id } = await connect(caller, github);
  await whenSynced(caller, id);
  const secret = await secretOf(caller, id);
  const { external_id } = await winnow.database.db
    .selectFrom('project')
    .select('external_id')
    .where('tracker_id', '=', id)
    .executeTakeFirstOrThrow();
  return { caller, id, secret, repository: { id: Number(external_id), full_name: 'acme/app' } };
}

function eventsOf(trackerId: string) {
  return winnow.database.db
    .selectFrom('tracker_event')
    .innerJoin('project', 'project.id', 'tracker_event.project_id')
    .select(['type', 'issue_external_id', 'deliveries', 'handled_at', 'occurred_at', 'step_id'])
    .where('project.tracker_id', '=', trackerId)
    .orderBy('tracker_event.id')
    .execute();
}

/** Waits until the issues of all stored events have been read. */
async function whenHandled(trackerId: string) {
  return eventually(async () => {
    const events = await eventsOf(trackerId);
    return events.every(({ handled_at }) => handled_at !== null) && events;
  });
}

const NOT_FOUND = { code: 'not_found', detail: 'Not found.' };

describe.concurrent('a delivery', () => {
  test('with a wrong secret, or for a missing or deleted tracker, gets 404', async () => {
    const { caller, id, secret, repository } = await connected();
    const other = await connected();
    const body = issueEvent(repository, 1);
    const attempts = [
      deliver(winnow.origin, id, { body, secret: 'guessed' }),
      deliver(winnow.origin, id, { body, secret: '' }),
      deliver(winnow.origin, id, { body, secret: other.secret }),
      deliver(winnow.origin, randomUUID(), { body, secret }),
      deliver(winnow.origin, id, { body, secret, headers: { 'x-hub-signature-256': '' } }),
      deliver(winnow.origin, id, {
        body,
        secret: 'guessed',
        headers: { 'x-winnow-webhook-secret': secret, 'x-gitlab-token': secret },
      }),
      call(winnow.origin, 'POST', `/api/v1/trackers/${id}/webhook?secret=${secret}`, {
        raw: body,
        headers: { 'x-github-event': 'issues' },
      }),
    ];
    for (const attempt of attempts) expect(failureOf(await attempt, 404)).toEqual(NOT_FOUND);
    const missing = failureOf(await caller.call('GET', `/trackers/${randomUUID()}`), 404);
    expect(missing).toEqual(NOT_FOUND);
    expect((await deliver(winnow.origin, id, { body, secret })).status).toBe(202);
    await caller.do('DELETE', `/trackers/${id}`);
    expect(failureOf(await deliver(winnow.origin, id, { body, secret }), 404)).toEqual(NOT_FOUND);
    expect(await eventsOf(other.id)).toEqual([]);
  });

  test('has no effect the second time, identified by its id or else by its body', async () => {
    const { id, secret, repository } = await connected();
    const first = { id: randomUUID(), body: issueEvent(repository, 1), secret };
    for (let times = 0; times < 3; times += 1) {
      expect((await deliver(winnow.origin, id, first)).status).toBe(202);
    }
    const nameless = { id: null, body: issueEvent(repository, 2), secret };
    const answers = await Promise.all([1, 2, 3].map(() => deliver(winnow.origin, id, nameless)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    const events = await whenHandled(id);
    expect(events.map(({ issue_external_id, deliveries }) => [issue_external_id, deliveries])).toEqual([
      ['1', 1],
      ['2', 1],
    ]);
  });

  test('with another id about the same second is read again and stored once', async () => {
    const { caller, id, secret, repository } = await connected();
    const at = new Date('2026-01-02T03:04:05Z');
    const body = issueEvent(repository, 3, { at });
    await deliver(winnow.origin, id, { body, secret });
    await whenHandled(id);
    const { title } = github.editAs('ada', 'acme', 'app', 3, { title: 'Edited in the same second' });
    await deliver(winnow.origin, id, { body, secret });
    const events = await whenHandled(id);
    expect(events).toMatchObject([{ type: 'issue_updated', issue_external_id: '3', deliveries: 2 }]);
    expect((await caller.call('GET', '/issues/acme%2Fapp%233')).text).toContain(title);
  });

  test('is not trusted: the issue is read from the tracker', async () => {
    const { caller, id, secret, repository } = await connected();
    const told = [
      issueEvent(repository, 5, { action: 'deleted', title: 'Gone, they say' }),
      issueEvent(repository, 6, { title: 'Not its title', at: new Date('2020-01-01T00:00:00Z') }),
    ];
    for (const body of told) await deliver(winnow.origin, id, { body, secret });
    await whenHandled(id);
    for (const number of [5, 6]) {
      const { text, status } = await caller.call('GET', `/issues/acme%2Fapp%23${number}`);
      expect(status).toBe(200);
      expect(text).toContain(github.issue('acme', 'app', number).title);
      expect(text).not.toContain('Not its title');
    }
  });

  test('about a project out of scope is accepted and dropped', async () => {
    const { id, secret } = await connected();
    const body = issueEvent({ id: 999_999, full_name: 'acme/other' }, 1);
    expect((await deliver(winnow.origin, id, { body, secret })).status).toBe(202);
    expect(await eventsOf(id)).toEqual([]);
  });

  test('with a wrong secret is limited by source network and not counted for the tracker', async () => {
    const { id, secret, repository } = await connected();
    const other = await connected();
    const forged = () => deliver(winnow.origin, id, { body: '{}', secret: 'guessed' });
    const statuses: number[] = [];
    for (let times = 0; times < 61; times += 1) statuses.push((await forged()).status);
    expect(statuses.filter((status) => status === 404)).toHaveLength(60);
    expect(failureOf(await forged(), 429).code).toBe('rate_limited');
    const body = issueEvent(repository, 1);
    expect((await deliver(winnow.origin, other.id, { body, secret: other.secret })).status).toBe(202);
    expect((await deliver(winnow.origin, id, { body, secret })).status).toBe(202);
  });

  test('with failures is limited by source network over all trackers', async () => {
    const { id, secret, repository } = await connected();
    const from = async (
      remoteAddress: string,
      trackerId: string,
      delivery: { body: string; secret: string },
    ) => {
      const { path: url, body, headers } = requestOf(trackerId, delivery);
      return (await winnow.app.inject({ method: 'POST', url, body, headers, remoteAddress })).statusCode;
    };
    const forge = () => from('192.0.2.7', randomUUID(), { body: '{}', secret });
    const statuses = await Promise.all(Array.from({ length: 600 }, forge));
    expect(new Set(statuses)).toEqual(new Set([404]));
    expect(await forge()).toBe(429);
    expect(await from('192.0.2.7', id, { body: '{}', secret: 'guessed' })).toBe(429);
    expect(await from('192.0.2.8', id, { body: '{}', secret: 'guessed' })).toBe(404);
    // A small valid delivery is accepted even beyond the limit, because hosted trackers share
    // networks.
    expect(await from('192.0.2.7', id, { body: issueEvent(repository, 1), secret })).toBe(202);
    const large = { body: JSON.stringify({ text: 'x'.repeat(70_000) }), secret };
    expect(await from('192.0.2.7', id, large)).toBe(429);
    expect(await from('192.0.2.8', id, large)).not.toBe(429);
  });

  test.each([randomUUID(), 'no-id'])(
    'to an unknown tracker (%s) is refused before its body is read',
    async (id) => {
      const { port, hostname } = new URL(winnow.origin);
      const socket = connectTo(Number(port), hostname).setEncoding('utf8');
      onTestFinished(() => void socket.destroy());
      // Sends only the headers. A server that waits for the body sends no response.
      socket.write(
        `POST /api/v1/trackers/${id}/webhook HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 4000000\r\n\r\n`,
      );
      const [said] = await once(socket, 'data');
      expect(said).toMatch(/^HTTP\/1\.1 404 /);
    },
  );

  test('with a valid signature counts towards the limit of its tracker', async () => {
    const { id, secret } = await connected();
    // Calls the application directly, because real requests would take most of the test's time.
    const star = () => {
      const { path: url, body, headers } = requestOf(id, { body: '{}', secret, event: 'star' });
      return winnow.app.inject({ method: 'POST', url, body, headers });
    };
    const answers: number[] = [];
    for (let round = 0; round < 155; round += 1) {
      const some = await Promise.all(Array.from({ length: 20 }, star));
      answers.push(...some.map(({ statusCode }) => statusCode));
    }
    expect(answers.filter((status) => status === 202)).toHaveLength(3_000);
    expect(answers.filter((status) => status === 429)).toHaveLength(100);
  });

  test('with two comments in one second is stored as two events, without a false step', async () => {
    const { id, secret, repository } = await connected();
    const at = new Date().toISOString();
    for (const [commentId, marker] of [
      [1, `<!-- winnow:${randomUUID()} -->`],
      [2, ''],
    ]) {
      const comment = { id: commentId, body: `Said ${marker}`, updated_at: at };
      const issue = { number: 1, title: 'T', updated_at: at };
      const body = JSON.stringify({
        action: 'created',
        issue,
        comment,
        repository,
        sender: { login: 'ada', id: 1 },
      });
      await deliver(winnow.origin, id, { event: 'issue_comment', body, secret });
    }
    const events = await eventsOf(id);
    expect(events.map(({ type, step_id }) => [type, step_id])).toEqual([
      ['comment_created', null],
      ['comment_created', null],
    ]);
  });

  test('that is unreadable is refused if signed, and a huge one before that', async () => {
    const { id, secret } = await connected();
    for (const body of ['', 'no JSON', '{"action":"edited"}', '[]']) {
      const failure = failureOf(await deliver(winnow.origin, id, { body, secret }), 400);
      expect(failure.code).toBe('malformed');
    }
    const huge = await deliver(winnow.origin, id, { body: 'x'.repeat(5 * 1024 * 1024 + 1), secret });
    expect(failureOf(huge, 413).code).toBe('too_large');
    const large = 'x'.repeat(4 * 1024 * 1024);
    expect((await deliver(winnow.origin, id, { body: large, secret, event: 'star' })).status).toBe(202);
  });

  test('is not lost among fifty concurrent ones', async () => {
    const { id, secret, repository } = await connected();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        deliver(winnow.origin, id, { body: issueEvent(repository, index + 1), secret }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const events = await whenHandled(id);
    expect(new Set(events.map(({ issue_external_id }) => issue_external_id)).size).toBe(50);
  });

  test('updates the time of the last event, and marks the project as covered by webhooks', async () => {
    const { caller, id, secret, repository } = await connected();
    const before = await caller.get(`/trackers/${id}`, tracker);
    expect(before.webhooks).toEqual({ state: 'polling', last_event_at: null });
    const listener = await listenLive(winnow.origin, caller.tokens.access_token);
    await deliver(winnow.origin, id, { body: issueEvent(repository, 1), secret });
    await listener.heard((event) => event.type === 'sync_progress' && event.tracker_id === id);
    await listener.close();
    const { webhooks } = await caller.get(`/trackers/${id}`, tracker);
    expect(webhooks.state).toBe('active');
    expect(Date.parse(webhooks.last_event_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
    await winnow.database.db
      .updateTable('tracker_event')
      .set({ received_at: new Date(Date.now() - 25 * 60 * 60_000) })
      .where('account_id', '=', (await accountOf(id)).account_id)
      .execute();
    await syncAgain(caller, id);
    await eventually(async () => (await caller.get(`/trackers/${id}`, tracker)).webhooks.state === 'polling');
  });
});

test('the manual setup is visible only to the owner and stays the same', async () => {
  const { caller, id } = await connected();
  const needed = await caller.get(`/trackers/${id}/webhook`, trackerWebhook);
  expect(needed).toMatchObject({ url: `${winnow.origin}/api/v1/trackers/${id}/webhook`, state: 'polling' });
  expect(needed.problem).toMatch(/PUBLIC_URL/);
  expect(needed.secret).toMatch(/^[\w-]{43}$/);
  expect((await caller.get(`/trackers/${id}/webhook`, trackerWebhook)).secret).toBe(needed.secret);
  const stranger = await winnow.newCaller();
  expect(await stranger.fail('GET', `/trackers/${id}/webhook`, 404)).toEqual(NOT_FOUND);
  const sample = await stranger.send('POST', '/trackers', { name: 'Sample', type: 'sample' }, tracker);
  expect(await stranger.fail('GET', `/trackers/${sample.id}/webhook`, 404)).toEqual(NOT_FOUND);
});

test('no webhook secret is logged, not even one in a URL', async () => {
  const { id, secret, repository } = await connected();
  for (const address of [`${id}/webhook?secret=${secret}`, `${id}/webhook/else?secret=${secret}`]) {
    await call(winnow.origin, 'POST', `/api/v1/trackers/${address}`, { raw: issueEvent(repository, 1) });
    await call(winnow.origin, 'GET', `/api/v1/trackers/${address}`);
  }
  await deliver(winnow.origin, id, { body: 'no JSON', secret });
  expect(winnow.logLines.length).toBeGreaterThan(10);
  expect(winnow.logLines.filter((line) => JSON.stringify(line).includes(secret))).toEqual([]);
});

async function accountOf(trackerId: string) {
  return winnow.database.db
    .selectFrom('tracker')
    .select('account_id')
    .where('id', '=', trackerId)
    .executeTakeFirstOrThrow();
}

import { change, changeList } from '@winnow/contract/change';
import { issueDetail } from '@winnow/contract/issue-detail';
import type { LiveEvent } from '@winnow/contract/live';
import { tracker } from '@winnow/contract/tracker';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, call, failureOf, type Method, registerCaller } from './testing/caller.ts';
import { eventually } from './testing/eventually.ts';
import { connect, differentIssues, startGitHub, whenCompared, whenSynced } from './testing/github.ts';
import { type LiveListener, listenLive } from './testing/live-listener.ts';
import { type ServerProcess, startServer } from './testing/server-process.ts';
import { type StoppablePostgres, startStoppablePostgres } from './testing/stoppable-postgres.ts';

const METRICS_TOKEN = '0123456789abcdef0123456789abcdef';
let postgres: StoppablePostgres;
let server: ServerProcess;
let github: GitHubEmulator;
let caller: Caller;
let listener: LiveListener;
let trackerId: string;

beforeAll(async () => {
  postgres = await startStoppablePostgres();
  server = await startServer({
    env: { DATABASE_URL: postgres.url, OUTBOUND_ALLOWED_HOSTS: '127.0.0.1', METRICS_TOKEN },
  });
  github = await startGitHub(differentIssues(150));
  caller = await registerCaller(server.url);
  listener = await listenLive(server.url, caller.tokens.access_token);
  ({ id: trackerId } = await connect(caller, github));
  await whenSynced(caller, trackerId);
  await whenCompared(caller);
  await listener.heard(isIdle);
});
afterAll(async () => {
  await server.remove();
  await postgres.remove();
  await github.close();
});

function isIdle(event: LiveEvent): boolean {
  return event.type === 'sync_progress' && event.state === 'idle';
}

async function ready() {
  const answer = await call(server.url, 'GET', '/readyz');
  return { status: answer.status, body: answer.body };
}

/** Sends one request of each kind. All must return 503 while the database is down. */
async function expectUnavailable(): Promise<void> {
  const requests: [Method, string, unknown?][] = [
    ['GET', '/auth/users/me'],
    ['GET', '/trackers'],
    ['GET', '/issue-duplicates'],
    ['GET', '/issues/acme%2Fapp%231/similar'],
    ['POST', `/trackers/${trackerId}/sync`],
    ['DELETE', `/trackers/${trackerId}`],
    ['POST', '/auth/token/json', { username: caller.name, password: caller.password }],
    ['POST', '/auth/refresh', { refresh_token: caller.tokens.refresh_token }],
  ];
  const startedMs = performance.now();
  for (const [method, path, body] of requests) {
    const answer = await caller.call(method, path, body);
    expect([path, failureOf(answer, 503).code]).toEqual([path, 'unavailable']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(performance.now() - startedMs).toBeLessThan(10_000);
}

test('while the database is stopped, every request returns 503, and /readyz reports it', async () => {
  await postgres.stop();
  await expectUnavailable();
  const { status, body } = await ready();
  expect(status).toBe(503);
  expect(body).toMatchObject({
    status: 'not_ready',
    missing: expect.arrayContaining([{ name: 'database', detail: expect.stringMatching(/\w+\.$/) }]),
  });
  expect((await call(server.url, 'GET', '/healthz')).status).toBe(200);
  expect((await call(server.url, 'GET', '/metrics', { token: METRICS_TOKEN })).status).toBe(200);
  expect((await call(server.url, 'GET', '/api/openapi.json')).status).toBe(200);
  expect(failureOf(await call(server.url, 'GET', '/api/v1/trackers'), 401).code).toBe('unauthorized');

  const jobs = { name: 'jobs', detail: expect.stringMatching(/^The job worker has not polled for/) };
  await eventually(async () => {
    const { body } = await ready();
    return expect.objectContaining({ missing: [expect.anything(), jobs] }).asymmetricMatch(body);
  });

  await postgres.start();
  await eventually(async () => (await ready()).status === 200);
  expect((await caller.get(`/trackers/${trackerId}`, tracker)).sync.issues).toBe(150);
});

test('after the database restarts, jobs run and open WebSockets receive events', async () => {
  const mark = listener.events.length;
  github.editAs('ada', 'acme', 'app', 3, { title: 'Changed while the database was away' });
  await caller.send('POST', `/trackers/${trackerId}/sync`, undefined, tracker);
  await eventually(() => listener.events.slice(mark).some(isIdle), { what: 'the live event' });
  const { title } = await caller.get('/issues/acme%2Fapp%233', issueDetail);
  expect(title).toBe('Changed while the database was away');
  await whenCompared(caller);
});

test('a sync and a change that were interrupted by the outage complete exactly once', async () => {
  const [first, second] = await Promise.all(
    [1, 2].map((number) => caller.get(`/issues/acme%2Fapp%23${number}`, issueDetail)),
  );
  for (const number of [101, 102, 103])
    github.createIssue('acme', 'app', { title: `More ${number}`, body: null });
  const delay = { kind: 'delay', delayMs: 1_500 } as const;
  github.faults.add({ match: { method: 'PATCH', path: '/issues/2$' }, times: 1, action: delay });
  github.faults.add({ match: { path: '/repos/acme/app/issues\\?' }, times: 1, action: delay });
  const mark = listener.events.length;
  let isClosed = false;
  void listener.closed.then(() => {
    isClosed = true;
  });
  await caller.send('POST', `/trackers/${trackerId}/sync`, undefined, tracker);
  const answer = caller.call('PATCH', '/issue-duplicates/execute-resolution', {
    issue1_id: first?.id,
    issue2_id: second?.id,
    resolution: 'close_b',
  });
  await eventually(() => github.faults.list().every(({ fired }) => fired === 1));
  await postgres.stop();
  // Waits until the tracker has sent both responses. The database is down, so they cannot be
  // stored.
  await github.requests.waitFor(({ fault, method }) => fault === 'delay' && method === 'PATCH');
  await github.requests.waitFor(({ fault, method }) => fault === 'delay' && method === 'GET');
  await postgres.start();

  const done = await eventually(async () => {
    const [only] = (await caller.get('/changes', changeList)).changes;
    return only?.status === 'applied' && only;
  });
  expect((await answer).status).toBe(200);
  expect((await caller.get('/changes', changeList)).total).toBe(1);
  expect(github.issue('acme', 'app', 2)).toMatchObject({ state: 'closed', duplicate_of: 'acme/app#1' });
  for (const number of [1, 2]) expect(github.issue('acme', 'app', number).comments).toHaveLength(1);
  await eventually(async () => (await caller.get(`/trackers/${trackerId}`, tracker)).sync.issues === 153);
  // The listener either receives the event about the end of the sync, or its connection is closed
  // so that the client reloads.
  await eventually(() => isClosed || listener.events.slice(mark).some(isIdle));
  if (isClosed) expect(await listener.closed).toBe(1013);
  await caller.send('POST', `/changes/${done.id}/undo`, undefined, change);
  expect(github.issue('acme', 'app', 2)).toMatchObject({ state: 'open', comments: [] });
}, 90_000);

test('a server that is stopped during the outage exits', async () => {
  const late = await listenLive(server.url, caller.tokens.access_token);
  await eventually(async () => {
    await caller.send('POST', `/trackers/${trackerId}/sync`, undefined, tracker);
    return late.heard(isIdle, 2_000).catch(() => null);
  });
  await postgres.stop();
  await expectUnavailable();
  const startedMs = performance.now();
  await server.stop();
  expect(performance.now() - startedMs).toBeLessThan(15_000);
  expect(await late.closed).toBe(1001);
  // Log lines are JSON. A stack trace printed by Node for an uncaught error would not be.
  expect(server.log()).not.toMatch(/^\s+at /m);
});

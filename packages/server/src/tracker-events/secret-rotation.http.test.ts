import { issueDetail } from '@winnow/contract/issue-detail';
import { trackerWebhook } from '@winnow/contract/tracker';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { call } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { differentIssues, whenTracker } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { deliver, issueEvent, secretOf } from './testing/deliver.ts';

let winnow: RunningWinnow;
const emulators: GitHubEmulator[] = [];

beforeAll(async () => {
  winnow = await startWinnow({ isReachable: true });
});
afterAll(async () => {
  await winnow.close();
  for (const emulator of emulators) await emulator.close();
});

async function connected() {
  const { github, caller, trackerId: id } = await newBacklog(winnow, differentIssues(2));
  emulators.push(github);
  await whenTracker(caller, id, ({ webhooks }) => webhooks.state === 'active');
  return { github, caller, id };
}

const replace = (caller: Caller, id: string) =>
  caller.send('POST', `/trackers/${id}/webhook/rotate`, undefined, trackerWebhook);
const shown = (caller: Caller, id: string) => caller.get(`/trackers/${id}/webhook`, trackerWebhook);

async function statusOf(id: string, secret: string): Promise<number> {
  const body = issueEvent({ id: 1, full_name: 'acme/elsewhere' }, 1);
  return (await deliver(winnow.origin, id, { body, secret })).status;
}

test('the previous secret is accepted until every webhook has the new one', async () => {
  const { github, caller, id } = await connected();
  const former = await secretOf(caller, id);
  const inTracker = { match: { method: 'PATCH', path: '/hooks/' }, times: 1 };
  github.faults.add({ ...inTracker, action: { kind: 'status', status: 404 } });
  const { secret, former_accepted_until: until } = await replace(caller, id);
  expect(secret).not.toBe(former);
  expect(Date.parse(until ?? '') - Date.now()).toBeGreaterThan(23 * 60 * 60_000);
  await whenTracker(caller, id, ({ webhooks }) => webhooks.state === 'failed');
  expect([await statusOf(id, former), await statusOf(id, secret)]).toEqual([202, 202]);

  await caller.call('POST', `/trackers/${id}/sync`);
  await eventually(async () => (await shown(caller, id)).former_accepted_until === null);
  expect([await statusOf(id, former), await statusOf(id, secret)]).toEqual([404, 202]);
  github.editAs('ada', 'acme', 'app', 1, { title: 'Told with the new one' });
  await eventually(
    async () => (await caller.get('/issues/acme%2Fapp%231', issueDetail)).title === 'Told with the new one',
  );
  expect((await shown(caller, id)).secret).toBe(secret);
});

test('a manually created webhook may use the previous secret for a day', async () => {
  const { caller, id } = await connected();
  const former = await secretOf(caller, id);
  const { db } = winnow.database;
  await db.updateTable('project_webhook').set({ state: 'refused', hook_id: null, problem: 'No.' }).execute();
  const { secret } = await replace(caller, id);
  expect([await statusOf(id, former), await statusOf(id, secret)]).toEqual([202, 202]);
  await db
    .updateTable('tracker')
    .set({ webhook_secret_replaced_at: new Date(Date.now() - 24 * 60 * 60_000) })
    .where('id', '=', id)
    .execute();
  expect([await statusOf(id, former), await statusOf(id, secret)]).toEqual([404, 202]);
  expect((await shown(caller, id)).former_accepted_until).toBeNull();
  const second = (await replace(caller, id)).secret;
  expect([await statusOf(id, secret), await statusOf(id, second)]).toEqual([202, 202]);
});

test('a secret is not replaced again while the previous one is accepted, and both stay valid', async () => {
  const { caller, id } = await connected();
  const former = await secretOf(caller, id);
  const { db } = winnow.database;
  await db.updateTable('project_webhook').set({ state: 'refused', hook_id: null, problem: 'No.' }).execute();
  const path = `/trackers/${id}/webhook/rotate`;
  const both = await Promise.all([caller.call('POST', path), caller.call('POST', path)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const { secret, former_accepted_until: until } = await shown(caller, id);
  expect((await caller.fail('POST', path, 409)).code).toBe('webhook_secret_pending');
  expect(await shown(caller, id)).toMatchObject({ secret, former_accepted_until: until });
  expect([await statusOf(id, former), await statusOf(id, secret)]).toEqual([202, 202]);
});

test('only the owner can replace a secret, and the sample has none', async () => {
  const { caller, id } = await connected();
  const path = `/trackers/${id}/webhook/rotate`;
  expect((await call(winnow.origin, 'POST', `/api/v1${path}`)).status).toBe(401);
  expect((await (await winnow.newCaller()).call('POST', path)).status).toBe(404);
  const { body } = await caller.call('POST', '/trackers', { name: 'Sample', type: 'sample' });
  const sample = body as { id: string };
  expect((await caller.call('POST', `/trackers/${sample.id}/webhook/rotate`)).status).toBe(404);
});

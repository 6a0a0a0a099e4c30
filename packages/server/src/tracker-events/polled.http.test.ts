import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { GitHubSeedIssue } from '@winnow/emulators/github/seed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { differentIssues, minutesAfterStart, syncAgain } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { makeDue } from '../testing/sync-due.ts';
import { deliver, issueEvent, secretOf } from './testing/deliver.ts';

let winnow: RunningWinnow;
const emulators: GitHubEmulator[] = [];

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(async () => {
  await winnow.close();
  for (const emulator of emulators) await emulator.close();
});

async function connected() {
  const created_at = minutesAfterStart(9);
  const issues: GitHubSeedIssue[] = [
    ...differentIssues(3).map((issue) => ({
      ...issue,
      comments: [{ user: 'bob', body: 'From before.', created_at }],
    })),
    { title: 'Closed before', body: null, state: 'closed', created_at },
    { title: 'A pull request', body: null, pull_request: true, created_at },
  ];
  const { github, caller, trackerId: id } = await newBacklog(winnow, issues);
  emulators.push(github);
  return { github, caller, id };
}

async function eventsOf(caller: Caller) {
  const account_id = await caller.accountId();
  return winnow.database.db
    .selectFrom('tracker_event')
    .selectAll()
    .where('account_id', '=', account_id)
    .orderBy('id')
    .execute();
}

test('without webhooks, each later sync reports a change once', async () => {
  const { github, caller, id } = await connected();
  expect(await eventsOf(caller), 'the first sync reports no events').toEqual([]);
  github.editAs('ada', 'acme', 'app', 1, { title: 'Edited' });
  github.editAs('ada', 'acme', 'app', 2, { state: 'closed' });
  github.editAs('ada', 'acme', 'app', 4, { state: 'open' });
  github.editAs('ada', 'acme', 'app', 5, { state: 'closed' });
  github.commentAs('ada', 'acme', 'app', 3, 'Said since');
  github.commentAs('ada', 'acme', 'app', 3, 'And said again');
  github.createIssue('acme', 'app', { title: 'Made since', body: null });
  github.createIssue('acme', 'app', { title: 'Made and closed since', body: null });
  github.editAs('ada', 'acme', 'app', 7, { state: 'closed' });
  await syncAgain(caller, id);
  const events = await eventsOf(caller);
  expect(events.map(({ type, issue_external_id }) => `${type} ${issue_external_id}`).sort()).toEqual([
    'change_request_closed 5',
    'comment_created 3',
    'comment_created 3',
    'issue_closed 2',
    'issue_closed 7',
    'issue_opened 6',
    'issue_opened 7',
    'issue_reopened 4',
    'issue_updated 1',
  ]);
  expect(events.every(({ source, handled_at }) => source === 'polling' && handled_at !== null)).toBe(true);
  expect(events.find(({ type }) => type === 'comment_created')).toMatchObject({
    actor: 'ada',
    details: { comment: 'Said since' },
  });
  await syncAgain(caller, id);
  expect(await eventsOf(caller)).toHaveLength(events.length);
});

test('a deletion found by a sync is reported once, even if its delivery arrives late', async () => {
  const { github, caller, id } = await connected();
  const { external_id } = await winnow.database.db
    .selectFrom('project')
    .select('external_id')
    .where('tracker_id', '=', id)
    .executeTakeFirstOrThrow();
  const deletions = async () => (await eventsOf(caller)).filter(({ type }) => type === 'issue_deleted');
  github.deleteIssue('acme', 'app', 2);
  for (const told of [0, 1, 1]) {
    await makeDue(winnow, id);
    await syncAgain(caller, id);
    expect(await deletions()).toHaveLength(told);
  }
  expect(await deletions()).toMatchObject([
    { issue_external_id: '2', source: 'polling', details: { title: differentIssues(2)[1]?.title } },
  ]);
  const repository = { id: Number(external_id), full_name: 'acme/app' };
  const at = new Date(minutesAfterStart(9));
  const body = issueEvent(repository, 2, { action: 'deleted', at });
  await deliver(winnow.origin, id, { body, secret: await secretOf(caller, id) });
  await eventually(async () => (await eventsOf(caller)).every(({ handled_at }) => handled_at !== null));
  expect((await deletions()).map(({ source }) => source)).toEqual(['webhook']);
});

test('a change that a webhook delivered is not reported by a sync again, nor the reverse', async () => {
  const { github, caller, id } = await connected();
  const { external_id, account_id } = await winnow.database.db
    .selectFrom('project')
    .select(['external_id', 'account_id'])
    .where('tracker_id', '=', id)
    .executeTakeFirstOrThrow();
  const repository = { id: Number(external_id), full_name: 'acme/app' };
  github.editAs('ada', 'acme', 'app', 1, { title: 'Edited' });
  await syncAgain(caller, id);
  const [found] = await eventsOf(caller);
  expect(found).toMatchObject({ type: 'issue_updated', issue_external_id: '1', source: 'polling' });

  const told = issueEvent(repository, 1, { at: found?.occurred_at ?? new Date() });
  await deliver(winnow.origin, id, { body: told, secret: await secretOf(caller, id) });
  await eventually(async () => (await eventsOf(caller)).every(({ handled_at }) => handled_at !== null));
  expect(await eventsOf(caller)).toHaveLength(1);

  // After this delivery, the project counts as covered by a webhook.
  await deliver(winnow.origin, id, {
    body: issueEvent(repository, 2),
    secret: await secretOf(caller, id),
  });
  github.editAs('ada', 'acme', 'app', 3, { state: 'closed' });
  await syncAgain(caller, id);
  const said = async () => (await eventsOf(caller)).map(({ type, issue_external_id: on }) => `${type} ${on}`);
  const expected = ['issue_updated 1', 'issue_updated 2', 'issue_closed 3'];
  expect(await said(), 'its delivery may be lost').toEqual(expected);
  const { occurred_at: at } = (await eventsOf(caller)).at(-1) ?? { occurred_at: new Date() };
  for (const action of ['labeled', 'closed', 'unlabeled']) {
    await deliver(winnow.origin, id, {
      body: issueEvent(repository, 3, { action, at }),
      secret: await secretOf(caller, id),
    });
  }
  await eventually(async () => (await eventsOf(caller)).every(({ handled_at }) => handled_at !== null));
  expect(await said(), 'it was only late').toEqual([...expected, 'issue_updated 3']);
  await winnow.database.db
    .deleteFrom('tracker_event')
    .where('account_id', '=', account_id)
    .where('issue_external_id', '=', '3')
    .execute();

  await winnow.database.db
    .updateTable('tracker_event')
    .set({ received_at: new Date(Date.now() - 31 * 24 * 60 * 60_000) })
    .where('account_id', '=', account_id)
    .where('issue_external_id', '=', '1')
    .execute();
  await winnow.database.pool.query(
    `update graphile_worker._private_jobs set run_at = now() where key = 'remove-old-events'`,
  );
  const left = await eventually(async () => {
    const events = await eventsOf(caller);
    return events.length === 1 && events;
  });
  expect(left[0]?.issue_external_id).toBe('2');
});

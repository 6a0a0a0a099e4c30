import { randomUUID } from 'node:crypto';
import type { LoggedRequest } from '@winnow/emulators/http/request-log';
import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../platform/clock.ts';
import { type SyncBed, useSyncBeds } from './testing/sync-bed.ts';

const beds = useSyncBeds();

/** Returns the requests that list the ids of all issues. */
function listings(requests: readonly LoggedRequest[]): LoggedRequest[] {
  return requests.filter(
    ({ query }) =>
      query.per_page !== '1' &&
      (query.sort === 'created' || query.order_by === 'created_at' || query.fields === 'key'),
  );
}

describe.each(['github', 'gitlab', 'jira'] as const)('in %s', (type) => {
  test('a deleted issue is removed once it was missing twice, an hour apart, and no other issue is', async () => {
    const bed = await beds.synced(type, 12, 3);
    const before = await bed.keys();
    expect(before).toHaveLength(15);
    bed.tracker.remove(0, 5);
    await bed.runAfter(HOUR_MS / 12);
    expect(await bed.keys(), 'not before it is due').toEqual(before);
    expect(listings(await bed.runAfter(HOUR_MS))).not.toEqual([]);
    expect(await bed.keys(), 'one check proves nothing').toEqual(before);
    expect(await bed.syncError()).toBeNull();
    await bed.runAfter(HOUR_MS / 2);
    expect(await bed.keys(), 'not before an hour has passed').toEqual(before);
    expect(listings(await bed.runAfter(HOUR_MS / 2 + 1))).not.toEqual([]);
    expect(listings(await bed.runAfter(HOUR_MS + 1)), 'the counts agree again').toEqual([]);
    expect(await bed.keys()).toEqual(before.filter((key) => key !== bed.tracker.key(0, 5)));
    expect(bed.published).toContainEqual({ type: 'issues_changed', tracker_id: bed.trackerId });
  });

  test('a moved issue is stored once, under its new key', async () => {
    const bed = await beds.synced(type, 4, 2);
    bed.tracker.move(0, 2, 1);
    await bed.runAfter(HOUR_MS + 1);
    await bed.runAfter(HOUR_MS + 1);
    const { key } = bed.tracker;
    const expected = [key(0, 1), key(0, 3), key(0, 4), key(1, 1), key(1, 2), key(1, 3)];
    expect(await bed.keys()).toEqual(expected.sort());
  });

  test('counts are compared hourly, and ids are not listed while the counts agree', async () => {
    const bed = await beds.synced(type, 12);
    const due = await bed.runAfter(HOUR_MS + 1);
    const notDue = await bed.runAfter(HOUR_MS / 12);
    expect(due.length - notDue.length).toBe(type === 'gitlab' ? 2 : 1);
    expect(listings(due)).toEqual([]);
    bed.tracker.add(0, 'Made since');
    await bed.runAfter(HOUR_MS);
    expect(await bed.keys()).toHaveLength(13);
  });

  test('an issue that no listing by update time showed is read', async () => {
    const bed = await beds.synced(type, 6);
    await beds.db
      .deleteFrom('issue')
      .where('account_id', '=', bed.accountId)
      .where('key', '=', bed.tracker.key(0, 4))
      .execute();
    await bed.runAfter(HOUR_MS + 1);
    expect(await bed.keys()).toContain(bed.tracker.key(0, 4));
  });
});

test('a count that differs permanently leads to only one walk', async () => {
  const bed = await beds.synced('gitlab', 4, 2);
  // GitLab and Jira also count moved issues in their old project.
  bed.tracker.move(0, 2, 1);
  expect(listings(await bed.runAfter(HOUR_MS + 1))).not.toEqual([]);
  expect(listings(await bed.runAfter(HOUR_MS + 1))).toEqual([]);
  bed.tracker.remove(0, 3);
  await bed.runAfter(HOUR_MS + 1);
  await bed.runAfter(HOUR_MS + 1);
  expect(await bed.keys()).not.toContain(bed.tracker.key(0, 3));
});

test('merge requests hidden from the token are retained, and issues are still compared', async () => {
  const bed = await beds.synced('gitlab', 4);
  const { db } = beds;
  const stored = await db
    .selectFrom('issue')
    .selectAll()
    .where('account_id', '=', bed.accountId)
    .where('key', '=', bed.tracker.key(0, 1))
    .executeTakeFirstOrThrow();
  const request = { id: randomUUID(), external_id: '!1', key: 'acme/p0!1', issue_type: 'change_request' };
  await db
    .insertInto('issue')
    .values({ ...stored, ...request })
    .execute();
  const { faults } = bed.tracker.emulator;
  faults.add({ match: { path: '/merge_requests(\\?|$)' }, action: { kind: 'status', status: 403 } });
  bed.tracker.remove(0, 3);
  await bed.runAfter(HOUR_MS + 1);
  const requests = await bed.runAfter(HOUR_MS + 1);
  expect(await bed.keys()).toEqual([...[1, 2, 4].map((n) => bed.tracker.key(0, n)), request.key].sort());
  expect(requests.filter(({ path }) => path.endsWith('/merge_requests/1'))).toEqual([]);
  expect(await bed.syncError()).toBeNull();
  expect(listings(await bed.runAfter(HOUR_MS + 1)), 'the counts agree again').toEqual([]);
});

test('a project without a count is walked once a day', async () => {
  const bed = await beds.synced('gitlab', 3);
  bed.tracker.emulator.faults.add({
    match: { path: 'per_page=1&|per_page=1$' },
    action: { kind: 'status', status: 200, body: [] },
  });
  expect(listings(await bed.runAfter(HOUR_MS + 1))).not.toEqual([]);
  expect(listings(await bed.runAfter(HOUR_MS + 1))).toEqual([]);
  bed.tracker.remove(0, 3);
  await bed.runAfter(24 * HOUR_MS);
  expect(await bed.keys()).toHaveLength(3);
  await bed.runAfter(HOUR_MS + 1);
  expect(await bed.keys()).toHaveLength(2);
});

test('an interrupted walk resumes where it stopped', async () => {
  const bed = await beds.synced('github', 350);
  bed.tracker.remove(0, 7);
  const { faults } = bed.tracker.emulator;
  faults.add({
    match: { path: 'sort=created.*&page=3' },
    times: 1,
    action: { kind: 'status', status: 403, headers: { 'retry-after': '60' } },
  });
  const walked = async (ms: number) => listings(await bed.runAfter(ms)).map(({ query }) => query.page ?? '1');
  expect(await walked(HOUR_MS + 1)).toEqual(['1', '4', '3']);
  expect(await bed.keys()).toHaveLength(350);
  expect(await walked(60_000)).toEqual(['3', '2', '1']);
  await bed.runAfter(HOUR_MS + 1);
  expect(await bed.keys()).toHaveLength(349);
  expect(await beds.db.selectFrom('present_item').selectAll().execute()).toEqual([]);
});

test.each([
  ['github', 'sort=created.*per_page=100', [{ number: 1 }]],
  [
    'jira',
    'fields=key',
    { issues: [{ id: '1', key: 'P0-1' }], nextPageToken: 'on', isLast: false, startAt: 0, total: 99 },
  ],
] as const)('a walk that never ends in %s is stopped and reported', async (type, path, body) => {
  const bed = await beds.synced(type, 3);
  bed.tracker.remove(0, 2);
  const { faults, url } = bed.tracker.emulator;
  const self = `<${url}/api/v3/repos/acme/p0/issues?sort=created&per_page=100&page=2>; rel="prev last"`;
  faults.add({ match: { path }, action: { kind: 'status', status: 200, body, headers: { link: self } } });
  expect((await bed.runAfter(HOUR_MS + 1)).length).toBeLessThan(30);
  expect(await bed.syncError()).toContain('endless');
  expect(await bed.keys()).toHaveLength(3);
});

test('no issue is removed while the whole project is inaccessible', async () => {
  const bed = await beds.synced('github', 6);
  bed.tracker.remove(0, 2);
  const notFound = { kind: 'status', status: 404 } as const;
  const { faults } = bed.tracker.emulator;
  faults.add({ match: { path: '/acme/p0$' }, action: notFound });
  faults.add({ match: { path: '/acme/p0/issues/\\d+' }, action: notFound });
  await bed.runAfter(HOUR_MS + 1);
  expect(await bed.keys()).toHaveLength(6);
  expect(await bed.syncError()).toContain('acme/p0');
  faults.clear();
  await bed.runAfter(1);
  await bed.runAfter(HOUR_MS + 1);
  expect(await bed.keys()).toHaveLength(5);
});

/** Makes every issue appear to be missing, while the repository and the token still work. */
function hideAllIssues(bed: SyncBed): void {
  const { faults } = bed.tracker.emulator;
  faults.add({
    match: { path: '/acme/p0/issues(\\?|$)' },
    action: { kind: 'status', status: 200, body: [] },
  });
  faults.add({ match: { path: '/acme/p0/issues/\\d+' }, action: { kind: 'status', status: 404 } });
}

test('no issue is removed when a tracker hides all issues for some hours, and a notice is shown', async () => {
  const bed = await beds.synced('github', 40, 2);
  hideAllIssues(bed);
  await bed.runAfter(HOUR_MS + 1);
  const said =
    'acme/p0: The tracker reports 40 of its 40 issues as gone. They remain in Winnow for a day in case this is a mistake.';
  expect(await bed.syncError()).toBe(said);
  for (const ms of [HOUR_MS / 12, HOUR_MS + 1, 20 * HOUR_MS]) {
    await bed.runAfter(ms);
    expect(await bed.keys()).toHaveLength(42);
    expect(await bed.syncError(), 'while the issues are hidden').toBe(said);
  }
  bed.tracker.emulator.faults.clear();
  await bed.runAfter(HOUR_MS + 1);
  expect(await bed.keys()).toHaveLength(42);
  expect(await bed.syncError()).toBeNull();
  hideAllIssues(bed);
  await bed.runAfter(HOUR_MS + 1);
  await bed.runAfter(2 * HOUR_MS);
  expect(await bed.keys(), 'issues that reappear start a new wait').toHaveLength(42);
});

test('many issues deleted at once are removed after a day', async () => {
  const bed = await beds.synced('github', 40);
  for (let number = 1; number <= 15; number += 1) bed.tracker.remove(0, number);
  await bed.runAfter(HOUR_MS + 1);
  await bed.runAfter(22 * HOUR_MS);
  expect(await bed.keys()).toHaveLength(40);
  await bed.runAfter(2 * HOUR_MS);
  expect(await bed.keys()).toHaveLength(25);
  expect(await bed.syncError()).toBeNull();
});

test('a few issues of a small project are removed without waiting a day', async () => {
  const bed = await beds.synced('github', 12);
  for (let number = 1; number <= 10; number += 1) bed.tracker.remove(0, number);
  await bed.runAfter(HOUR_MS + 1);
  await bed.runAfter(HOUR_MS + 1);
  expect(await bed.keys()).toHaveLength(2);
});

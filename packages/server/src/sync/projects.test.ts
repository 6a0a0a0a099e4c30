import { describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../platform/clock.ts';
import { useSyncBeds } from './testing/sync-bed.ts';

const beds = useSyncBeds();

describe.each(['github', 'gitlab', 'jira'] as const)('a project in %s', (type) => {
  test('a deleted project is retained and reported as gone after a day, and the others are synced', async () => {
    const bed = await beds.synced(type, 3, 2);
    const name = bed.tracker.project(0);
    bed.tracker.deleteProject(0);
    bed.tracker.add(1, 'Made since');
    await bed.runAfter(MINUTE_MS);
    expect(await bed.syncError()).toBe(
      `${name}: The tracker does not list this project at the moment. Its issues remain in Winnow.`,
    );
    expect(await bed.keys()).toHaveLength(6);
    await bed.runAfter(DAY_MS);
    expect(await bed.syncError()).toMatch(
      new RegExp(`^${name} has been gone from the tracker since 2024-05-01, .* Its issues remain in Winnow;`),
    );
    expect(await bed.keys()).toHaveLength(6);
  });

  test('an archived project is retained and is no failure', async () => {
    const bed = await beds.synced(type, 3, 2);
    bed.tracker.setArchived(0, true);
    for (const ms of [MINUTE_MS, 2 * DAY_MS]) {
      bed.pass(ms);
      expect(await bed.run()).toMatchObject({ state: 'done' });
      expect(await bed.syncError()).toContain(`${bed.tracker.project(0)} is archived`);
      expect(await bed.keys()).toHaveLength(5);
    }
    bed.tracker.setArchived(0, false);
    await bed.runAfter(MINUTE_MS);
    expect(await bed.syncError()).toBeNull();
  });

  test('a comment of 250 kB is stored whole', async () => {
    const bed = await beds.synced(type, 2);
    const long = 'It goes on and on. '.repeat(14_000).slice(0, 250_000).trim();
    bed.tracker.comment(0, 1, long);
    await bed.runAfter(MINUTE_MS);
    const bodies = await beds.db
      .selectFrom('comment')
      .select('body')
      .where('account_id', '=', bed.accountId)
      .execute();
    expect(bodies.map(({ body }) => body)).toContain(long);
  });

  test('a renamed project renames all its issues and is not read again', async () => {
    const bed = await beds.synced(type, 12, 1);
    bed.tracker.rename(0, 'newname');
    const before = await bed.runAfter(MINUTE_MS);
    const numbers = Array.from({ length: 12 }, (_, index) => bed.tracker.key(0, index + 1));
    expect(await bed.keys()).toEqual([...numbers, bed.tracker.key(1, 1)].sort());
    const { url } = await beds.db
      .selectFrom('issue')
      .select('url')
      .where('account_id', '=', bed.accountId)
      .where('key', '=', bed.tracker.key(0, 1))
      .executeTakeFirstOrThrow();
    expect(url).toContain(type === 'jira' ? 'NEWNAME-1' : 'acme/newname/');
    expect(await bed.syncError()).toBeNull();
    expect((await bed.runAfter(MINUTE_MS)).length).toBe(before.length);
    bed.tracker.edit(0, 1, 'Under its new name');
    await bed.runAfter(MINUTE_MS);
    expect(await bed.keys()).toHaveLength(13);
  });
});

describe.each([
  ['github', { once: 3, each: 2 }],
  ['gitlab', { once: 4, each: 2 }],
  ['jira', { once: 3, each: 1 }],
] as const)('a sync of %s without changes', (type, { once, each }) => {
  test.each([1, 5, 30])('a sync of %i projects sends no unnecessary requests', async (count) => {
    const bed = await beds.synced(type, ...Array.from({ length: count }, () => 2));
    await bed.runAfter(MINUTE_MS);
    const requests = await bed.runAfter(MINUTE_MS);
    expect(requests.map(({ method, url, status }) => `${method} ${url} ${status}`)).toHaveLength(
      once + each * count,
    );
    if (type === 'github') expect(requests.filter(({ status }) => status === 304)).toHaveLength(each * count);
  });

  test('a sync still finds a new comment', async () => {
    const bed = await beds.synced(type, 3);
    await bed.runAfter(MINUTE_MS);
    bed.tracker.comment(0, 2, 'Said since');
    await bed.runAfter(MINUTE_MS);
    const bodies = await beds.db
      .selectFrom('comment')
      .select('body')
      .where('account_id', '=', bed.accountId)
      .execute();
    expect(bodies.map(({ body }) => body)).toContain('Said since');
  });
});

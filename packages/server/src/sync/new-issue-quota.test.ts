import { describe, expect, test } from 'vitest';
import { givePlan } from '../billing/testing/subscribed.ts';
import { totalUsage } from '../billing/testing/total-usage.ts';
import { addUsage } from '../billing/usage/counter-store.ts';
import { DAY_MS, MINUTE_MS } from '../platform/clock.ts';
import { type SyncBed, useSyncBeds } from './testing/sync-bed.ts';

/** Duration from 1 May 2024, when the clock of a test bed starts, to 1 June. */
const TO_JUNE_MS = 31 * DAY_MS;
const FULL =
  'Your plan Free allows 100 new issues a month, and they are used up. Further issues are skipped until 1 June 2024, or until the plan changes. Existing issues stay up to date.';
const beds = useSyncBeds();

const titles = async ({ db, accountId }: SyncBed) =>
  (await db.selectFrom('issue').select('title').where('account_id', '=', accountId).execute()).map(
    ({ title }) => title,
  );
const comments = async ({ db, accountId }: SyncBed) =>
  (await db.selectFrom('comment').select('body').where('account_id', '=', accountId).execute()).map(
    ({ body }) => body,
  );
/** Returns the number of new issues counted towards the account's quota. */
const counted = ({ db, accountId }: SyncBed) => totalUsage(db, accountId, 'issues_ingested');

describe.each(['github', 'gitlab', 'jira'] as const)('at the limit of the plan, %s', (type) => {
  test('new issues are read up to the quota, and the tracker reports the rest and the reset date', async () => {
    const bed = await beds.syncedOn('free', type, 70, 60);
    expect(await bed.keys()).toHaveLength(100);
    expect(await bed.syncError()).toBe(FULL);
    expect(await counted(bed)).toBe(100);
    expect(await bed.run()).toMatchObject({ state: 'done', fullUntil: new Date('2024-06-01') });
  });

  test('known issues stay up to date, new ones wait, and nothing is requested repeatedly', async () => {
    const [bed, unlimited] = [await beds.syncedOn('free', type, 70, 60), await beds.synced(type, 70, 60)];
    const asked = [];
    for (const { tracker, runAfter } of [bed, unlimited]) {
      const idle = await runAfter(5 * MINUTE_MS);
      tracker.edit(0, 3, 'Edited since');
      tracker.comment(0, 4, 'Said since');
      tracker.edit(1, 55, 'Edited, but left out');
      tracker.comment(1, 56, 'Said, but left out');
      tracker.add(0, 'Made since');
      const busy = await runAfter(5 * MINUTE_MS);
      const again = await runAfter(5 * MINUTE_MS);
      asked.push([idle.length, busy.length, again.length]);
    }
    expect(asked[0], 'as much as without a limit').toEqual(asked[1]);
    expect(await titles(bed)).toContain('Edited since');
    expect(await comments(bed)).toContain('Said since');
    expect(await bed.keys()).toHaveLength(100);
    expect(await bed.syncError()).toBe(FULL);
    bed.tracker.remove(0, 9);
    await bed.runAfter(DAY_MS + MINUTE_MS);
    await bed.runAfter(DAY_MS + MINUTE_MS);
    expect(await bed.keys()).not.toContain(bed.tracker.key(0, 9));
  });

  test('reading resumes in the next month without losing issues', async () => {
    const bed = await beds.syncedOn('free', type, 70, 60);
    bed.tracker.edit(1, 55, 'Edited meanwhile');
    bed.tracker.comment(1, 56, 'Said meanwhile');
    bed.tracker.add(1, 'Made meanwhile');
    await bed.runAfter(5 * MINUTE_MS);
    await bed.runAfter(TO_JUNE_MS);
    expect(await bed.keys()).toHaveLength(131);
    expect(await bed.syncError()).toBeNull();
    expect(await counted(bed)).toBe(131);
    expect(await titles(bed)).toEqual(expect.arrayContaining(['Edited meanwhile', 'Made meanwhile']));
    const said = await comments(bed);
    expect(said).toContain('Said meanwhile');
    expect(said).toHaveLength(24 + 20 + 1);
  });

  test('reading resumes on a larger plan, up to its quota', async () => {
    const bed = await beds.syncedOn('free', type, 70, 60);
    await addUsage(bed.db, bed.accountId, 'issues_ingested', 880, new Date('2024-05-01'));
    await givePlan(bed.db, bed.accountId, 'pro');
    await bed.runAfter(MINUTE_MS);
    expect(await bed.keys()).toHaveLength(120);
    expect(await bed.syncError()).toContain('Your plan Pro allows 1,000 new issues a month');
    await givePlan(bed.db, bed.accountId, 'enterprise');
    await bed.runAfter(MINUTE_MS);
    expect(await bed.keys()).toHaveLength(130);
    expect(await bed.syncError()).toBeNull();
  });
});

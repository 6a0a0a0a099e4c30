import { change } from '@winnow/contract/change';
import {
  type Cluster,
  clusterChanged,
  clusterDetail,
  clusterList,
  clusterResolved,
  cluster as clusterSchema,
} from '@winnow/contract/cluster';
import { tracker } from '@winnow/contract/tracker';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../testing/caller.ts';
import { copyBacklog, whenJobsEnded } from '../testing/copy-backlog.ts';
import { eventually } from '../testing/eventually.ts';
import { whenCompared } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

let winnow: RunningWinnow;
let original: Caller;
let caller: Caller;

beforeAll(async () => {
  winnow = await startWinnow();
  original = await winnow.newCaller();
  await original.send('POST', '/trackers', { name: 'Sample', type: 'sample' }, tracker);
  await whenCompared(original);
  await eventually(async () => (await listAll(original)).length > 10);
  await whenJobsEnded(winnow.database.db);
});
beforeEach(async () => {
  caller = await winnow.newCaller();
  await copyBacklog(winnow.database.db, await original.accountId(), await caller.accountId());
});
afterAll(() => winnow.close());

async function listAll(by: Caller): Promise<Cluster[]> {
  const all = await by.get('/clusters?status=all&probability_threshold=0&limit=100', clusterList);
  return all.clusters;
}

/** Waits for all jobs, and returns the cluster that contains the issue with this key. */
async function clusterWith(key: string) {
  await whenJobsEnded(winnow.database.db);
  for (const { id } of await listAll(caller)) {
    const detail = await caller.get(`/clusters/${id}`, clusterDetail);
    if (detail.members.some(({ issue }) => issue.key === key)) return detail;
  }
  throw new Error(`${key} is in no cluster.`);
}

/** Returns what the API shows of the cluster, except its revision and history. */
async function seen(key: string) {
  const detail = await clusterWith(key);
  const { id, name, named, status, size, open_issues, probability, weakest_probability, canonical } = detail;
  return {
    ...{ id, name, named, status, size, open_issues },
    // Rounded, because a new analysis changes the last digits.
    probabilities: [probability, weakest_probability].map((value) => value?.toFixed(3)),
    canonical: canonical?.issue.key,
    members: detail.members.map(({ issue }) => issue.key).sort(),
  };
}

test.each(['skua/sync#1275', 'skua/web#617', 'skua/sync#1286'])(
  'an undone resolution leaves the cluster of %s as it was, whatever jobs run in between',
  async (key) => {
    const found = await clusterWith(key);
    const other = found.members.at(-1)?.issue.id;
    const patch = { revision: found.revision, name: 'Mine', canonical_id: other };
    await caller.send('PATCH', `/clusters/${found.id}`, patch, clusterSchema);
    const before = await seen(key);
    const { revision } = await clusterWith(key);
    const resolved = await caller.send(
      'POST',
      `/clusters/${found.id}/resolve`,
      { revision },
      clusterResolved,
    );
    expect(await seen(key)).toMatchObject({ id: found.id, status: 'decided' });
    const undone = await caller.send('POST', `/changes/${resolved.change.id}/undo`, {}, change);
    expect(undone.status).toBe('applied');
    expect(await seen(key)).toEqual(before);
  },
);

test('an include, an exclude, a split and a merge are undone exactly, also after a reload', async () => {
  const key = 'skua/sync#1275';
  const before = await seen(key);
  const otherKey = 'skua/sync#1286';
  const otherBefore = await seen(otherKey);
  const send = async (action: string, body: object) => {
    const { id, revision } = await clusterWith(key);
    return caller.send('POST', `/clusters/${id}/${action}`, { revision, ...body }, clusterChanged);
  };
  const undo = async (actionId: string | null) => {
    const result = await caller.send('POST', '/clusters/undo', { action_id: actionId }, clusterChanged);
    expect(result.action_id).toBeNull();
  };
  const { members } = await clusterWith(key);
  const other = await clusterWith(otherKey);
  const [, second, third] = members.map(({ issue }) => issue.id);
  const foreign = other.members.at(-1)?.issue.id;
  for (const [action, body] of [
    ['exclude', { issue_id: third }],
    ['split', { issue_ids: [second, third] }],
    ['include', { issue_id: foreign }],
    ['merge', {}],
  ] as const) {
    const { id: other_id, revision: other_revision } = await clusterWith(otherKey);
    const merged = action === 'merge' ? { other_id, other_revision } : body;
    const { action_id: actionId } = await send(action, merged);
    expect((await seen(key)).members, action).not.toEqual(before.members);
    await undo(actionId);
    expect(await seen(key), action).toEqual(before);
    // The cluster that the merge ended returns with a new id.
    const { id, ...unchanged } = otherBefore;
    const sameId = action === 'merge' ? {} : { id };
    expect(await seen(otherKey), action).toMatchObject({ ...unchanged, ...sameId });
    await caller.fail('POST', '/clusters/undo', 404, { action_id: actionId });
  }
});

test('an undo is refused if someone has changed the same decisions since', async () => {
  const key = 'skua/sync#1275';
  const first = await clusterWith(key);
  const issue_id = first.members.at(-1)?.issue.id;
  const excluded = await caller.send(
    'POST',
    `/clusters/${first.id}/exclude`,
    { revision: first.revision, issue_id },
    clusterChanged,
  );
  const { id, revision } = await clusterWith(key);
  await caller.send('POST', `/clusters/${id}/include`, { revision, issue_id }, clusterChanged);
  const after = await seen(key);
  const refused = await caller.fail('POST', '/clusters/undo', 409, { action_id: excluded.action_id });
  expect(refused.code).toBe('cluster_changed');
  expect(await seen(key)).toEqual(after);
});

import { change, changeList } from '@winnow/contract/change';
import { cluster, clusterChanged, clusterDetail } from '@winnow/contract/cluster';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { differentIssues, minutesAfterStart } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { type Agent, connectAgent, newKey } from './testing/agent.ts';

/** Number of piles, and of issues per pile. All issues of a pile have the same text. */
const PILES = { count: 6, size: 3 } as const;

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
/** Agents: `writer` may write; the other one may read and propose. */
let writer: Agent;
let proposer: Agent;

beforeAll(async () => {
  winnow = await startWinnow();
  const piles = differentIssues(PILES.count).flatMap((issue, pile) =>
    Array.from({ length: PILES.size }, (_, at) => ({
      ...issue,
      created_at: minutesAfterStart(pile * PILES.size + at),
    })),
  );
  ({ github, caller } = await newBacklog(winnow, piles));
  writer = await connectAgent(winnow.origin, (await newKey(caller)).key);
  proposer = await connectAgent(winnow.origin, (await newKey(caller, ['read', 'propose'])).key);
  await eventually(async () => (await writer.use('list_clusters', {})).total === PILES.count, {
    timeoutMs: 60_000,
    what: 'a cluster per pile',
  });
}, 120_000);
afterAll(async () => {
  await Promise.all([writer.close(), proposer.close()]);
  await winnow.close();
  await github.close();
});

const numberOf = (pile: number, at: number) => pile * PILES.size + at + 1;
const key = (pile: number, at: number) => `acme/app#${numberOf(pile, at)}`;
const statesOf = (pile: number) =>
  [0, 1, 2].map((at) => github.issue('acme', 'app', numberOf(pile, at)).state);
const writes = () => github.requests.all().filter(({ method }) => method !== 'GET').length;

/** Returns the cluster of a pile, as an agent reads it. */
async function read(pile: number) {
  const { clusters } = await writer.use('list_clusters', { status: 'all', limit: 50 });
  const found = clusters.find(({ canonical }) => [0, 1, 2].some((at) => canonical?.key === key(pile, at)));
  if (!found) throw new Error(`Pile ${pile} has no cluster.`);
  return { cluster_id: found.cluster_id, revision: found.revision, status: found.status };
}
async function named(pile: number) {
  const { cluster_id, revision } = await read(pile);
  return { cluster_id, revision };
}

test('a key that may only propose writes nothing; a person approves the proposal', async () => {
  const before = writes();
  const proposal = await proposer.use('propose_cluster_resolution', {
    ...(await named(0)),
    reason: 'The texts are equal.',
  });
  expect(proposal).toMatchObject({ status: 'proposed', issue_key: key(0, 0) });
  expect(proposal.summary).toMatch(/^Proposed: Close 2 issues as duplicates of acme\/app#1\. Nothing is/);
  expect(writes()).toBe(before);
  const saved = await caller.get(`/changes/${proposal.change_id}`, change);
  expect(saved).toMatchObject({ kind: 'cluster', status: 'proposed', decided_by: null });
  expect(saved.rationale).toContain('The texts are equal.');
  expect(saved.actor.type).toBe('api_key');
  expect(await proposer.failing('propose_cluster_resolution', await named(0))).toContain('already proposed');
  await caller.send('POST', `/changes/${saved.id}/apply`, {}, change);
  await eventually(() => statesOf(0).join() === 'open,closed,closed');
  await eventually(async () => (await read(0)).status === 'decided');
});

test('a key that may write closes the chosen issues immediately, and names the skipped issues', async () => {
  const stranger = key(5, 0);
  const closed = await writer.use('propose_cluster_resolution', {
    ...(await named(1)),
    canonical: key(1, 1),
    issues: [key(1, 0), stranger],
    facts: 'comment',
  });
  expect(closed).toMatchObject({ status: 'applied', issue_key: key(1, 1) });
  expect(closed.summary).toContain('Issues left out: 1.');
  expect(closed.left_out).toEqual([`${stranger} is not in this cluster.`]);
  expect(statesOf(1)).toEqual(['closed', 'open', 'open']);
  const { changes } = await caller.get('/changes?kind=cluster', changeList);
  expect(changes[0]).toMatchObject({ id: closed.change_id, actor: { type: 'api_key' } });
});

test('a repeated call returns the same change, although the cluster has changed because of it', async () => {
  const call = { ...(await named(2)), idempotency_key: 'pile-2' };
  const first = await writer.use('propose_cluster_resolution', call);
  const before = writes();
  const again = await writer.use('propose_cluster_resolution', call);
  expect([first.status, again]).toEqual(['applied', first]);
  expect(writes()).toBe(before);
  const other = { ...call, facts: 'comment' };
  expect(await writer.failing('propose_cluster_resolution', other)).toContain('used for another request');
});

test('a cluster that changed since it was read is refused, and so is an earlier revision', async () => {
  const seen = await named(3);
  const { members } = await caller.get(`/clusters/${seen.cluster_id}`, clusterDetail);
  const third = members.find(({ issue }) => issue.key === key(3, 2))?.issue.id;
  const excluded = { revision: seen.revision, issue_id: third };
  await caller.send('POST', `/clusters/${seen.cluster_id}/exclude`, excluded, clusterChanged);
  const before = writes();
  for (const revision of [seen.revision, 0]) {
    const said = await writer.failing('propose_cluster_resolution', { ...seen, revision });
    expect(said).toMatch(/^This cluster has changed since you saw it: .+ has edited it/);
  }
  expect(writes()).toBe(before);
  expect(statesOf(3)).toEqual(['open', 'open', 'open']);
});

test('invalid issues are refused with the names of the arguments', async () => {
  const ids = await named(5);
  const failing = (input: object) => writer.failing('propose_cluster_resolution', { ...ids, ...input });
  const before = writes();
  expect(await failing({ canonical: key(4, 0) })).toBe('canonical: The issue is not in this cluster.');
  expect(await failing({ canonical: 'acme/app#99' })).toContain('canonical: Issue acme/app#99 not found');
  expect(await failing({ issues: [key(5, 1), 'acme/app#99'] })).toContain('issues.1: Issue acme/app#99');
  expect(await failing({ issues: [key(5, 0)], canonical: key(5, 0) })).toBe(
    'issues: The canonical issue stays open. Leave it out of the issues to close.',
  );
  expect(await failing({ issues: [key(4, 0)] })).toContain(`${key(4, 0)} is not in this cluster.`);
  expect(writes()).toBe(before);
});

test('only people can change a cluster that a person decided or dismissed', async () => {
  for (const status of ['dismissed', 'decided']) {
    const { cluster_id: id, revision } = await named(4);
    await caller.send('PATCH', `/clusters/${id}`, { revision, status }, cluster);
    const before = writes();
    for (const agent of [writer, proposer]) {
      expect(await agent.failing('propose_cluster_resolution', await named(4))).toBe(
        `This cluster is ${status}, so only people can decide about it again.`,
      );
    }
    expect(writes()).toBe(before);
  }
});

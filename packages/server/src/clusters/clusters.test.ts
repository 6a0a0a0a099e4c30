import { randomUUID } from 'node:crypto';
import { clusterPatch, clustersQuery } from '@winnow/contract/cluster';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { upsertScores } from '../duplicates/store.ts';
import { Issues } from '../issues/service.ts';
import { createTestDatabase } from '../platform/testing/database.ts';
import { presentClusterDetail } from './present.ts';
import { Clusters } from './service.ts';

const database = await createTestDatabase();
const { db } = database;
const now = new Date('2030-05-01T12:00:00Z');
const { signal } = new AbortController();
const ada = { name: 'Ada', type: 'user' } as const;
const grace = { name: 'Grace', type: 'user' } as const;
/** Ids of clusters whose resolution is being written to a tracker. */
const busy = new Set<string>();
let time = now;
let announced = 0;
const clusters = new Clusters({
  db,
  issues: new Issues(db),
  now: () => time,
  publish: async () => {
    announced += 1;
  },
  rejectProposals: async () => [],
  onGrown: async (_transaction, account, grew) => {
    if (isInterrupted) throw new Error('The process ends here.');
    grown.push(
      ...grew.map(({ openBefore, openAfter, issueExternalId, name }) => ({
        ...{ account, openBefore, openAfter, issueExternalId, name },
      })),
    );
  },
  listBusy: async () => busy,
});
let grown: {
  account: string;
  openBefore: number;
  openAfter: number;
  issueExternalId: string;
  name: string;
}[];
let isInterrupted: boolean;
let accountId: string;
let trackerId: string;
let projectId: string;
let created: number;

beforeEach(async () => {
  [accountId, trackerId, projectId, created] = [randomUUID(), randomUUID(), randomUUID(), 0];
  time = now;
  [grown, isInterrupted] = [[], false];
  await newAccount(accountId, { trackerId, projectId });
});
afterAll(() => database.drop());

async function newAccount(account: string, place: { trackerId: string; projectId: string }): Promise<void> {
  await sql`insert into account (id) values (${account})`.execute(db);
  await newProject(account, place);
}

async function newProject(account: string, place: { trackerId: string; projectId: string }): Promise<void> {
  const organizationId = randomUUID();
  await sql`
    insert into tracker (account_id, id, name, tracker_type, url)
    values (${account}, ${place.trackerId}, ${`Tracker ${place.trackerId.slice(0, 4)}`}, 'github', 'http://127.0.0.1')
  `.execute(db);
  await sql`
    insert into organization (account_id, id, tracker_id, identifier, name)
    values (${account}, ${organizationId}, ${place.trackerId}, 'acme', 'Acme')
  `.execute(db);
  await sql`
    insert into project (account_id, id, tracker_id, organization_id, external_id, identifier, name)
    values (${account}, ${place.projectId}, ${place.trackerId}, ${organizationId}, 'p', 'acme/app', 'App')
  `.execute(db);
}

/** Stores issues and returns their ids. Each issue is newer than the previous one. */
async function newIssues(
  titles: readonly string[],
  { account = accountId, place = { trackerId, projectId }, from = created } = {},
): Promise<string[]> {
  const ids = titles.map(() => randomUUID());
  created = from + titles.length;
  for (const [at, id] of ids.entries()) {
    const number = from + at + 1;
    const when = new Date(Date.parse('2029-01-01T00:00:00Z') + number * 60_000);
    await sql`
      insert into issue (account_id, id, tracker_id, project_id, external_id, key, title, description, status, state,
        issue_type, labels, assignees, url, is_duplicate, comments_count, created_at, updated_at, content_hash, revision)
      values (${account}, ${id}, ${place.trackerId}, ${place.projectId}, ${`${number}`}, ${`acme/app#${number}`},
        ${titles[at]}, 'It fails on Firefox.', 'open', 'opened', 'bug', '{}', '{}', '', false, 0, ${when}, ${when},
        ${randomUUID()}, 1)
    `.execute(db);
  }
  return ids;
}

/** Stores pairs of issues with their probabilities. */
async function pair(
  links: readonly (readonly [string, string, number])[],
  account = accountId,
): Promise<void> {
  await db.transaction().execute((transaction) =>
    upsertScores(
      transaction,
      account,
      { startedAt: now, snapshotVersion: 1 },
      links.map(([issueId, otherId, probability]) => ({
        issueId,
        otherId,
        similarity: probability,
        logOdds: Math.log(probability / (1 - probability)),
        isMutualBest: false,
      })),
    ),
  );
}

async function list(query: Record<string, unknown> = {}, account = accountId) {
  const all = { status: 'all', probability_threshold: '0', ...query };
  const found = await clusters.list(account, clustersQuery.parse(all));
  return found.clusters;
}

async function only() {
  const [cluster, ...others] = await list();
  if (cluster === undefined || others.length > 0) throw new Error(`${others.length} other clusters.`);
  return cluster.row;
}

const membersOf = async (clusterId: string) =>
  (await clusters.detail(accountId, clusterId)).members.map(({ issue }) => issue.id);

/** Creates three issues that form one cluster. Returns their ids. */
async function newPile(): Promise<[string, string, string]> {
  const [a = '', b = '', c = ''] = await newIssues([
    'Export fails',
    'Export fails again',
    'Export fails too',
  ]);
  await pair([
    [a, b, 0.9],
    [b, c, 0.8],
    [a, c, 0.7],
  ]);
  await clusters.update(accountId, signal);
  return [a, b, c];
}

test.each([
  ['milestone', "milestone = '2.0'", 'It is planned for “2.0”, and KEY has no milestone.'],
  ['reactions', 'reactions = 9', 'It has 9 reactions, and KEY has no reactions or comments.'],
])('an issue that gets %s becomes canonical', async (_name, change, reason) => {
  const [a, , c] = await newPile();
  await sql`update issue set ${sql.raw(change)} where id = ${c}`.execute(db);
  await clusters.update(accountId, signal);
  const { canonical, members } = presentClusterDetail(
    await clusters.detail(accountId, (await only()).id),
    now,
  );
  const oldest = members.find(({ issue }) => issue.id === a)?.issue.key ?? '';
  expect(canonical).toMatchObject({ issue: { id: c }, chosen: false });
  expect(canonical?.reasons).toContain(reason.replace('KEY', oldest));
});

test('a locked issue is not canonical', async () => {
  const [a, b] = await newPile();
  await sql`update issue set is_locked = true where id = ${a}`.execute(db);
  await clusters.update(accountId, signal);
  const { canonical } = presentClusterDetail(await clusters.detail(accountId, (await only()).id), now);
  expect(canonical?.issue.id).toBe(b);
});

test('of closed issues, only one that was completed can be canonical', async () => {
  const [a, b, c] = await newPile();
  await sql`update issue set state = 'closed', is_completed = id = ${b} where id in (${a}, ${b}, ${c})`.execute(
    db,
  );
  await clusters.update(accountId, signal);
  const { canonical } = presentClusterDetail(await clusters.detail(accountId, (await only()).id), now);
  expect(canonical?.issue.id).toBe(b);
});

test('stored pairs become a cluster with its facts', async () => {
  const [a, b, c] = await newPile();
  const row = await only();
  expect(row).toMatchObject({ name: 'Export fails', size: 3, open_issues: 3, status: 'to_decide' });
  expect(row.probability).toBeCloseTo(0.8);
  const detail = presentClusterDetail(await clusters.detail(accountId, row.id), now);
  expect(detail.members.map(({ issue }) => issue.id)).toEqual([a, b, c]);
  expect(detail.canonical).toMatchObject({ chosen: false, reasons: ['It is the oldest open issue.'] });
  expect(detail.edges.map(({ probability }) => probability)).toEqual(
    [0.9, 0.8, 0.7].map((p) => expect.closeTo(p)),
  );
  expect(detail.weakest?.probability).toBeCloseTo(0.8);
  expect(detail.split?.parts).toEqual([[a, b].sort(), [c]]);
});

test('does nothing and announces nothing without a change', async () => {
  await newPile();
  const before = announced;
  await clusters.update(accountId, signal);
  expect(announced).toBe(before);
  const { rows } = await sql`select from cluster_stale where account_id = ${accountId}`.execute(db);
  expect(rows).toEqual([]);
});

test('after many incremental changes, the clusters equal those of clustering all issues again', async () => {
  let seed = 3;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const ids = await newIssues(Array.from({ length: 60 }, () => 'Export fails'));
  const change = () => [ids[random(60)] ?? '', ids[random(60)] ?? '', (1 + random(18)) / 20] as const;
  const changes = (count: number) => {
    const byPair = new Map(
      Array.from({ length: count }, change).map((link) => [link.slice(0, 2).toSorted().join(' '), link]),
    );
    return [...byPair.values()].filter(([a, b]) => a !== b);
  };
  const stored = async () => {
    const { rows } = await sql<{ members: string[] }>`
      select array_agg(issue_id order by issue_id) as members from cluster_member
      where account_id = ${accountId} group by cluster_id order by 1
    `.execute(db);
    return rows.map(({ members }) => members);
  };
  // Adds enough weak links to connect most issues.
  await pair(changes(70));
  await clusters.update(accountId, signal);
  for (let round = 0; round < 20; round += 1) {
    await pair(changes(2));
    await clusters.update(accountId, signal);
  }
  const updated = await stored();
  await sql`delete from cluster where account_id = ${accountId}`.execute(db);
  await sql`
    insert into cluster_stale (account_id, issue_id) select account_id, id from issue where account_id = ${accountId}
  `.execute(db);
  await clusters.update(accountId, signal);
  expect(await stored()).toEqual(updated);
  expect(updated.length).toBeGreaterThan(5);
});

test('deletes clusters whose issues were all deleted, when other clusters are updated', async () => {
  const [a, b, c] = await newPile();
  await sql`delete from issue where id in (${a}, ${b}, ${c})`.execute(db);
  await clusters.update(accountId, signal);
  const { rows } = await sql`select from cluster where account_id = ${accountId}`.execute(db);
  expect(rows).toEqual([]);
});

test('keeps id, name and decision when issues are added', async () => {
  const [a] = await newPile();
  const { id, revision } = await only();
  const named = await clusters.change(accountId, id, ada, {
    revision,
    name: 'The export',
    status: 'decided',
  });
  const [d = ''] = await newIssues(['Export fails once more']);
  await pair([[a, d, 0.9]]);
  await clusters.update(accountId, signal);
  const row = await only();
  expect(row).toMatchObject({ id, given_name: 'The export', size: 4, status: 'to_decide' });
  expect(row.revision).toBeGreaterThan(named.row.revision);
  const { history } = await clusters.detail(accountId, id);
  expect(history.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['changed', 'reopened', 'decided', 'named']),
  );
  expect(history.find(({ type }) => type === 'changed')?.text).toBe('Added acme/app#4.');
});

test('if two members decide one cluster, the second is refused and told who was first', async () => {
  await newPile();
  const { id, revision } = await only();
  const patch = clusterPatch.parse({ revision, status: 'dismissed' });
  const results = await Promise.allSettled([
    clusters.change(accountId, id, ada, patch),
    clusters.change(accountId, id, grace, { revision, status: 'decided' }),
  ]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const first = results[0]?.status === 'fulfilled' ? 'Ada' : 'Grace';
  await expect(clusters.change(accountId, id, grace, patch)).rejects.toMatchObject({
    category: 'conflict',
    code: 'cluster_changed',
    detail: expect.stringContaining(`${first} has edited it`),
  });
});

test('an excluded issue stays out of the cluster, even if its pair becomes more probable', async () => {
  const [a, b, c] = await newPile();
  const { id, revision } = await only();
  const { cluster } = await clusters.separate(accountId, { id, revision }, ada, [c], 'issue_id');
  expect(cluster?.row).toMatchObject({ id, size: 2 });
  await pair([
    [a, c, 0.95],
    [b, c, 0.95],
  ]);
  await clusters.update(accountId, signal);
  expect(await membersOf(id)).toEqual([a, b]);
  const again = await clusters.include(accountId, await only(), ada, c);
  expect(again.cluster?.row).toMatchObject({ id, size: 3 });
});

test('an included issue and a merge are preserved when clusters are computed again', async () => {
  const [a, b, c] = await newPile();
  const [x = '', y = '', lone = ''] = await newIssues(['Login is slow', 'Login takes long', 'Blank page']);
  await pair([[x, y, 0.9]]);
  await clusters.update(accountId, signal);
  const [one, other] = await list({ order_by: 'oldest' });
  if (one === undefined || other === undefined) throw new Error('No two clusters.');
  const included = await clusters.include(accountId, one.row, ada, lone);
  expect(included.cluster?.row.size).toBe(4);
  const merged = await clusters.merge(accountId, included.cluster?.row ?? one.row, other.row, ada);
  expect(merged.cluster?.row).toMatchObject({ id: one.row.id, size: 6 });
  await pair([[a, b, 0.2]]);
  await clusters.update(accountId, signal);
  expect(new Set(await membersOf(one.row.id))).toEqual(new Set([a, b, c, x, y, lone]));
});

test('a merged cluster keeps its id and name, even if the other one is larger', async () => {
  await newPile();
  const [x = '', y = ''] = await newIssues(['Login is slow', 'Login takes long']);
  await pair([[x, y, 0.9]]);
  await clusters.update(accountId, signal);
  const [larger, smaller] = await list({ order_by: 'size' });
  if (larger === undefined || smaller === undefined) throw new Error('No two clusters.');
  const { id, revision } = smaller.row;
  const merged = await clusters.merge(accountId, { id, revision }, larger.row, ada);
  expect(merged.cluster?.row).toMatchObject({ id, size: 5, revision: revision + 1 });
  expect((await list()).map(({ row }) => row.id)).toEqual([id]);
});

test('a merge is refused if a judgment keeps the issues apart', async () => {
  const [a, b, c] = await newPile();
  const [x = '', y = ''] = await newIssues(['Login is slow', 'Login takes long']);
  await pair([
    [x, y, 0.9],
    [x, a, 0.05],
  ]);
  await sql`
    insert into pair_judgment values (${accountId}, least(${b}::uuid, ${y}::uuid), greatest(${b}::uuid, ${y}::uuid),
      'different', 'Grace', ${now}, 'user')
  `.execute(db);
  await clusters.update(accountId, signal);
  const [one, other] = await list({ order_by: 'oldest' });
  if (one === undefined || other === undefined) throw new Error('No two clusters.');
  await expect(clusters.merge(accountId, one.row, other.row, ada)).rejects.toMatchObject({
    code: 'kept_apart',
  });
  expect(new Set(await membersOf(one.row.id))).toEqual(new Set([a, b, c]));
});

test('fifty of 620 issues can be split off; a larger split is refused with the number that can', async () => {
  const ids = await newIssues(Array.from({ length: 620 }, (_, at) => `Export ${at} fails`));
  const [first = '', ...others] = ids;
  await sql`
    insert into cluster_override (account_id, issue_a, issue_b, type, decided_by, decided_at)
    select ${accountId}::uuid, least(other, ${first}::uuid), greatest(other, ${first}::uuid), 'must', 'Ada', now()
    from unnest(${others}::uuid[]) as other
  `.execute(db);
  await sql`insert into cluster_stale (account_id, issue_id) values (${accountId}, ${first})`.execute(db);
  await clusters.update(accountId, signal);

  const split = async (count: number) =>
    clusters.separate(accountId, await only(), ada, others.slice(0, count), 'issue_ids');
  await expect(split(200)).rejects.toThrow(
    'Separate at most 73 of these 620 issues at once, then the others.',
  );
  expect((await split(50)).cluster?.row.size).toBe(570);
});

test.each([['two\nlines'], ['a\u202eb'], ['\u2800\u200b']])('a cluster cannot be named %j', (name) => {
  expect(clusterPatch.safeParse({ revision: 1, name }).success).toBe(false);
});

test('judgments and dismissed pairs separate issues', async () => {
  const [a, b, c] = await newPile();
  await sql`
    update pair set dismissed = true where account_id = ${accountId} and (issue_a = ${c} or issue_b = ${c})
  `.execute(db);
  await clusters.update(accountId, signal);
  expect((await only()).size).toBe(2);
  await sql`
    insert into pair_judgment
    values (${accountId}, least(${a}::uuid, ${b}::uuid), greatest(${a}::uuid, ${b}::uuid), 'different', 'Ada', ${now}, 'user')
  `.execute(db);
  await clusters.update(accountId, signal);
  expect(await list()).toEqual([]);
});

test('an issue that its tracker calls a duplicate is in one cluster with its original in the same tracker', async () => {
  const other = { trackerId: randomUUID(), projectId: randomUUID() };
  await newProject(accountId, other);
  const [original = '', duplicate = ''] = await newIssues(['Menu stays open', 'Dropdown remains']);
  // Issues with the same keys in another tracker.
  await newIssues(['Another text', 'And another'], { place: other, from: 0 });
  await sql`
    update issue set is_duplicate = true, duplicate_of = 'acme/app#1', state = 'closed' where id = ${duplicate}
  `.execute(db);
  await clusters.update(accountId, signal);
  const row = await only();
  expect(new Set(await membersOf(row.id))).toEqual(new Set([original, duplicate]));
  expect(row.status).toBe('settled');
});

test('clusters end when their project leaves the scope, and their decisions return when it returns', async () => {
  const [a, b, c] = await newPile();
  const { id, revision } = await only();
  await clusters.change(accountId, id, ada, { revision, name: 'The export' });
  await sql`delete from issue where account_id = ${accountId} and id = any (${[a, b]}::uuid[])`.execute(db);
  expect(await list()).toEqual([]);
  await expect(clusters.detail(accountId, id)).rejects.toMatchObject({ category: 'not_found' });
  await clusters.update(accountId, signal);
  expect(await list()).toEqual([]);
  const [d = ''] = await newIssues(['Export fails once more']);
  await pair([[c, d, 0.9]]);
  await clusters.update(accountId, signal);
  expect(await only()).toMatchObject({ id, given_name: 'The export', size: 2 });
});

test('no decision about a cluster is accepted while its resolution is being written', async () => {
  const [, , c = ''] = await newPile();
  const [x = '', y = ''] = await newIssues(['Login is slow', 'Login takes long']);
  await pair([[x, y, 0.9]]);
  await clusters.update(accountId, signal);
  const rows = async () => (await list()).map(({ row }) => row);
  const all = await rows();
  const pile = all.find(({ size }) => size === 3);
  const other = all.find(({ size }) => size === 2);
  if (!pile || !other) throw new Error('There are no two clusters.');
  const { actionId } = await clusters.separate(accountId, pile, ada, [c], 'issue_id');
  const current = (await rows()).find(({ id }) => id === pile.id);
  if (!current || actionId === null) throw new Error('The cluster has ended.');
  const { revision } = current;
  busy.add(pile.id);
  for (const attempt of [
    () => clusters.change(accountId, pile.id, grace, { revision, status: 'dismissed' }),
    () => clusters.include(accountId, current, grace, c),
    () => clusters.separate(accountId, current, grace, [c], 'issue_ids'),
    () => clusters.merge(accountId, other, current, grace),
    () => clusters.undo(accountId, actionId, grace),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ category: 'conflict', code: 'being_changed' });
  }
  busy.clear();
  expect((await rows()).find(({ id }) => id === pile.id)).toMatchObject({ revision, status: 'to_decide' });
  await clusters.undo(accountId, actionId, grace);
  expect((await rows()).find(({ id }) => id === pile.id)).toMatchObject({ size: 3 });
});

test('an agent cannot reopen a decided cluster', async () => {
  await newPile();
  const { id, revision } = await only();
  const decided = await clusters.change(accountId, id, ada, { revision, status: 'dismissed' });
  const program = { name: 'Build', type: 'api_key' } as const;
  const patch = { revision: decided.row.revision, status: 'to_decide' } as const;
  await expect(clusters.change(accountId, id, program, patch)).rejects.toMatchObject({
    code: 'cluster_not_open',
  });
  expect(await clusters.change(accountId, id, grace, patch)).toMatchObject({ row: { status: 'to_decide' } });
});

test('two reviews never claim the same cluster, and a claim ends after ten minutes', async () => {
  await newPile();
  const [x = '', y = ''] = await newIssues(['Login is slow', 'Login takes long']);
  await pair([[x, y, 0.9]]);
  await clusters.update(accountId, signal);
  const [mine, theirs] = [randomUUID(), randomUUID()];
  const next = async (reviewer: string, by: typeof ada | typeof grace, skipped: string[] = []) => {
    const request = { reviewer, project_ids: [], probability_threshold: 0.3, skipped };
    const { details, left } = await clusters.next(accountId, by, request);
    return { id: details?.view.row.id, size: details?.view.row.size, left };
  };
  const first = await next(mine, ada);
  expect(first).toMatchObject({ size: 3, left: 2 });
  expect(await next(theirs, grace)).toMatchObject({ size: 2, left: 2 });
  expect(await next(mine, ada)).toEqual(first);
  expect((await next(randomUUID(), grace)).id).toBeUndefined();
  time = new Date(now.getTime() + 11 * 60_000);
  expect((await next(theirs, grace)).id).toBe(first.id);
  expect((await next(theirs, grace, [first.id ?? ''])).size).toBe(2);
});

test('a review that names its cluster keeps it, even if a more valuable one appears', async () => {
  const [x = '', y = ''] = await newIssues(['Login is slow', 'Login takes long']);
  await pair([[x, y, 0.9]]);
  await clusters.update(accountId, signal);
  const next = async (reviewer: string, current?: string) => {
    const request = { reviewer, project_ids: [], probability_threshold: 0.3, skipped: [], current };
    return (await clusters.next(accountId, ada, request)).details?.view.row.id;
  };
  const [mine, theirs] = [randomUUID(), randomUUID()];
  const first = await next(mine);
  await newPile();
  time = new Date(now.getTime() + 6 * 60_000);
  expect(await next(mine, first)).toBe(first);
  time = new Date(now.getTime() + 12 * 60_000);
  const second = await next(theirs);
  expect(second).not.toBe(first);
  time = new Date(now.getTime() + 17 * 60_000);
  expect(await next(theirs, first)).toBe(first);
  expect(await next(mine, first)).toBe(second);
});

test('sums up what a review has decided', async () => {
  const [a, b, c] = await newPile();
  const { id, revision } = await only();
  await sql`
    update issue set state = 'closed', is_duplicate = true, duplicate_of = 'acme/app#1', closed_at = ${now},
      content_hash = ${randomUUID()}
    where id = any (${[b, c]}::uuid[])
  `.execute(db);
  time = new Date(now.getTime() + 90_000);
  await clusters.change(accountId, id, ada, { revision, status: 'decided', canonical_id: a });
  const state = await clusters.reviewed(accountId, {
    project_ids: [],
    probability_threshold: 0.3,
    since: now.toISOString(),
  });
  expect(state).toMatchObject({
    left: 0,
    decisions: [{ id, issues_removed: 2, canonical_key: 'acme/app#1', decided_by: 'Ada', size: 3 }],
  });
});

test('no call reads or changes clusters of another account', async () => {
  await newPile();
  const row = await only();
  const stranger = randomUUID();
  await newAccount(stranger, { trackerId: randomUUID(), projectId: randomUUID() });
  expect(await list({}, stranger)).toEqual([]);
  const denied = { category: 'not_found' };
  await expect(clusters.detail(stranger, row.id)).rejects.toMatchObject(denied);
  await expect(clusters.change(stranger, row.id, ada, { revision: 1, name: 'X' })).rejects.toMatchObject(
    denied,
  );
  const [foreign = ''] = await newIssues(['Foreign'], { account: accountId });
  await expect(clusters.include(stranger, row, ada, foreign)).rejects.toMatchObject(denied);
  await clusters.update(stranger, signal);
  expect(await only()).toEqual(row);
});

describe('growth', () => {
  beforeEach(() => {
    // On this day, the issues of the tests are reported.
    time = new Date('2029-01-01T20:00:00Z');
  });

  const sizes = () => grown.map(({ openBefore, openAfter }) => [openBefore, openAfter]);
  /** Adds an issue and links it to each of the given issues. */
  async function addTo(others: readonly string[]): Promise<string> {
    const [id = ''] = await newIssues(['Export fails once more']);
    await pair(others.map((other) => [id, other, 0.9]));
    await clusters.update(accountId, signal);
    return id;
  }

  test('is reported with sizes, name and canonical issue, once per update', async () => {
    const pile = await newPile();
    const fourth = await addTo(pile);
    await clusters.update(accountId, signal);
    expect(sizes()).toEqual([
      [0, 3],
      [3, 4],
    ]);
    expect(grown[1]).toMatchObject({ account: accountId, issueExternalId: '1', name: 'Export fails' });
    await clusters.separate(accountId, await only(), ada, [fourth], 'issue_id');
    expect(grown).toHaveLength(2);
  });

  test('counts open issues only', async () => {
    const [a, b, c] = await newPile();
    await sql`update issue set state = 'closed' where id in (${a}, ${b})`.execute(db);
    await addTo([a, b, c]);
    expect(sizes()).toEqual([[0, 3]]);
    await sql`update issue set state = 'opened' where id = ${a}`.execute(db);
    const [d = '', e = ''] = await newIssues(['Export fails now', 'Export fails here']);
    await pair([a, b, c].flatMap((id) => [[d, id, 0.9] as const, [e, id, 0.9] as const]));
    await clusters.update(accountId, signal);
    expect(sizes().at(-1)).toEqual([3, 5]);
  });

  test('ignores issues that existed before the project was connected', async () => {
    await sql`update project set created_at = '2029-06-01' where account_id = ${accountId}`.execute(db);
    const pile = await newPile();
    expect(grown).toEqual([]);
    const [id = ''] = await newIssues(['Export fails today']);
    time = new Date('2029-07-01T12:00:00Z');
    await sql`update issue set updated_at = '2029-07-01' where id = ${id}`.execute(db);
    await pair(pile.map((other) => [id, other, 0.9]));
    await clusters.update(accountId, signal);
    expect(sizes()).toEqual([[3, 4]]);
  });

  test('is not reported when a new score brings old issues together', async () => {
    time = new Date('2029-03-01T12:00:00Z');
    await newPile();
    expect((await list())[0]?.row.size).toBe(3);
    expect(grown).toEqual([]);
  });

  test('is not reported for an issue that Winnow created or was the last to write to', async () => {
    const pile = await newPile();
    const [mine = '', edited = ''] = await newIssues(['Export fails again', 'Export fails still']);
    const changeId = randomUUID();
    await sql`
      insert into change (account_id, id, kind, status, title, actor_type, actor_id, actor_name, payload, base_hashes)
      values (${accountId}, ${changeId}, 'edit', 'applied', '', 'user', ${randomUUID()}, 'Ada', '{}', '{}')
    `.execute(db);
    const stood = JSON.stringify({ stood: { as: '', at: '2029-01-01T00:06:00Z' } });
    const steps = [
      [mine, 'create', '{}'],
      [edited, 'edit', stood],
    ] as const;
    for (const [at, [issue, action, result]] of steps.entries()) {
      await sql`
        insert into change_step (account_id, id, change_id, position, action, status, target_issue_id, target_key, before, after, result)
        values (${accountId}, ${randomUUID()}, ${changeId}, ${at}, ${action}, 'applied', ${issue}, '', '{}', '{}', ${result})
      `.execute(db);
    }
    await pair(pile.flatMap((other) => [[mine, other, 0.9] as const, [edited, other, 0.9] as const]));
    await clusters.update(accountId, signal);
    expect((await list())[0]?.row.size).toBe(5);
    expect(sizes()).toEqual([[0, 3]]);
  });

  test('across projects is named by the canonical issue, not by words of another project', async () => {
    const elsewhere = { trackerId: randomUUID(), projectId: randomUUID() };
    await newProject(accountId, elsewhere);
    const [here = ''] = await newIssues(['Export fails']);
    const there = await newIssues(['Secret merger: export fails', 'Secret merger: export fails again'], {
      place: elsewhere,
    });
    const [one = '', other = ''] = there;
    await pair([[here, one, 0.9] as const, [here, other, 0.9] as const, [one, other, 0.9] as const]);
    await clusters.update(accountId, signal);
    expect(grown).toMatchObject([{ issueExternalId: '1', name: 'Export fails' }]);
  });

  test('of joined clusters is counted from the larger one; a merge by a person is not reported', async () => {
    const one = await newPile();
    const other = await newPile();
    const links = one.flatMap((a) => other.map((b) => [a, b, 0.9] as const));
    const [first, second] = (await list()).map(({ row }) => row);
    if (!first || !second) throw new Error('There are not two clusters.');
    const { cluster } = await clusters.merge(accountId, first, second, ada);
    expect(cluster?.row.size).toBe(6);
    expect(sizes()).toEqual([
      [0, 3],
      [0, 3],
    ]);
    await clusters.separate(accountId, await only(), ada, other, 'issue_ids');
    await sql`delete from cluster_override where account_id = ${accountId}`.execute(db);
    await pair(links);
    await clusters.update(accountId, signal);
    expect(sizes().slice(2)).toEqual([[3, 6]]);
  });

  test('is also reported if a person changes the cluster before the job runs, without the issues that the person moves', async () => {
    const [a, b, c] = await newPile();
    const [news = '', included = ''] = await newIssues(['Export fails once more', 'Import is slow']);
    await pair([a, b, c].map((other) => [news, other, 0.9]));
    await clusters.include(accountId, await only(), ada, included);
    expect((await only()).size).toBe(5);
    expect(sizes()).toEqual([
      [0, 3],
      [4, 5],
    ]);
    await clusters.update(accountId, signal);
    expect(sizes()).toHaveLength(2);
  });

  test('is reported once after an interruption, and never for another account', async () => {
    isInterrupted = true;
    await expect(newPile()).rejects.toThrow('ends here');
    expect(await list()).toEqual([]);
    isInterrupted = false;
    await clusters.update(randomUUID(), signal);
    expect(grown).toEqual([]);
    await clusters.update(accountId, signal);
    expect(sizes()).toEqual([[0, 3]]);
  });
});

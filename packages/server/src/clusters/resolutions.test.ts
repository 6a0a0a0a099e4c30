import { randomUUID } from 'node:crypto';
import { type ClusterResolution, clusterResolution } from '@winnow/contract/cluster';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../changes/ledger.ts';
import { actor, type LedgerSetup, setUpLedger } from '../changes/testing/ledger-setup.ts';
import { reopenVetoed } from '../duplicates/store.ts';
import { findIssues, type IssueView } from '../issues/index.ts';
import { Issues } from '../issues/service.ts';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { TrackerError } from '../trackers/provider.ts';
import { ClusterResolutions } from './resolutions.ts';
import { Clusters } from './service.ts';
import { eventsOf } from './store.ts';

let database: TestDatabase;
let setup: LedgerSetup;
let resolutions: ClusterResolutions;
let logged: unknown[];
let clusterId: string;
/** Open issues of the cluster. The first one is canonical. */
let canonical: IssueView;
let members: IssueView[];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { db } = database;
  setup = await setUpLedger(db);
  const { accountId, ledger, duplicates } = setup;
  logged = [];
  const log = { error: (...entry: unknown[]) => void logged.push(entry) };
  resolutions = new ClusterResolutions({ db, ledger, log, now: () => new Date(), pairs: duplicates });
  ledger.handleKind('cluster', resolutions);
  const rows = await db
    .selectFrom('issue')
    .select('id')
    .where('account_id', '=', accountId)
    .where('state', '=', 'opened')
    .where('issue_type', '<>', 'change_request')
    .orderBy('created_at')
    .limit(5)
    .execute();
  const ids = rows.map(({ id }) => id);
  const found = await findIssues(db, accountId, ids);
  const [first, ...others] = ids.flatMap((id) => found.find((issue) => issue.id === id) ?? []);
  if (!first || others.length !== 4) throw new Error('The sample has no five open issues.');
  [canonical, members] = [first, others];
  clusterId = randomUUID();
  await db
    .insertInto('cluster')
    .values({
      account_id: accountId,
      id: clusterId,
      name: 'Pile',
      proposed_canonical: canonical.id,
      canonical_reasons: [],
      probability: 0.9,
    })
    .execute();
  await db
    .insertInto('cluster_member')
    .values(ids.map((issue_id) => ({ account_id: accountId, issue_id, cluster_id: clusterId })))
    .execute();
});

const asked = { actor, as: 'applying' } as const;
const wanted = (more: Partial<ClusterResolution> = {}) => clusterResolution.parse({ revision: 1, ...more });
const plan = (more: Partial<ClusterResolution> = {}) =>
  resolutions.plan(setup.accountId, clusterId, wanted(more));
const save = async (more: Partial<ClusterResolution> = {}) =>
  setup.ledger.save(setup.accountId, asked, await plan(more), { seen: more.base_hashes });
const stepsOf = async (changeId: string) => (await setup.ledger.get(setup.accountId, changeId)).steps;
const member = (at: number): IssueView => {
  const found = members[at];
  if (!found) throw new Error(`There is no member ${at}.`);
  return found;
};
const states = async () => Promise.all(members.map(async (issue) => (await setup.inTracker(issue)).state));
const cluster = () =>
  database.db
    .selectFrom('cluster')
    .select(['status', 'decided_by', 'revision'])
    .where('id', '=', clusterId)
    .executeTakeFirstOrThrow();
const pairs = () =>
  database.db
    .selectFrom('pair')
    .select(['resolution', 'change_id', 'undone'])
    .where('account_id', '=', setup.accountId)
    .where((where) => where.or([where('issue_a', '=', canonical.id), where('issue_b', '=', canonical.id)]))
    .where((where) =>
      where.or([
        where(
          'issue_a',
          'in',
          members.map(({ id }) => id),
        ),
        where(
          'issue_b',
          'in',
          members.map(({ id }) => id),
        ),
      ]),
    )
    .execute();

/** Stores a cluster without members and returns its id. */
async function newCluster(canonicalIssue: IssueView): Promise<string> {
  const id = randomUUID();
  await database.db
    .insertInto('cluster')
    .values({
      account_id: setup.accountId,
      id,
      name: 'Other pile',
      proposed_canonical: canonicalIssue.id,
      canonical_reasons: [],
      probability: 0.9,
    })
    .execute();
  return id;
}

/** Returns an open issue that is in no cluster. */
async function outside(): Promise<IssueView> {
  const { id } = await database.db
    .selectFrom('issue')
    .select('id')
    .where('account_id', '=', setup.accountId)
    .where('state', '=', 'opened')
    .where(
      'id',
      'not in',
      [canonical, ...members].map((issue) => issue.id),
    )
    .limit(1)
    .executeTakeFirstOrThrow();
  const [issue] = await findIssues(database.db, setup.accountId, [id]);
  if (!issue) throw new Error('The sample has no other open issue.');
  return issue;
}

test('closes all other open issues with a comment each, and lists them on the canonical issue', async () => {
  const changeId = await save();
  expect(await setup.apply(changeId)).toBe('applied');
  expect(await states()).toEqual(['closed', 'closed', 'closed', 'closed']);
  for (const issue of members) {
    const { comments, duplicateOf } = await setup.inTracker(issue);
    expect(comments).toContainEqual(expect.stringContaining(`Closing as a duplicate of ${canonical.key}.`));
    expect(duplicateOf).not.toBeNull();
  }
  const { comments, state } = await setup.inTracker(canonical);
  expect(state).toBe('open');
  const listing = comments.filter((comment) => comment.includes('closed as duplicates of this one'));
  expect(listing).toHaveLength(1);
  for (const { key } of members) expect(listing[0]).toContain(`- ${key}`);
  expect(await cluster()).toMatchObject({ status: 'decided', decided_by: actor.name });
  expect(await pairs()).toEqual(
    members.map(() => ({ resolution: 'closed', change_id: changeId, undone: false })),
  );
});

test('undo restores issues, comments, pairs and the cluster', async () => {
  const before = (await setup.inTracker(canonical)).comments.length;
  const changeId = await save();
  await setup.apply(changeId);
  expect(await setup.undo(changeId)).toBe('undone');
  expect(await states()).toEqual(['open', 'open', 'open', 'open']);
  expect((await setup.inTracker(canonical)).comments).toHaveLength(before);
  expect(await cluster()).toMatchObject({ status: 'to_decide', decided_by: null });
  expect(await pairs()).toEqual(members.map(() => ({ resolution: null, change_id: null, undone: false })));
});

test('undo skips a member that someone has reopened, and reports it', async () => {
  const changeId = await save();
  await setup.apply(changeId);
  await setup.editElsewhere(member(1), { state: 'open' });
  const undoId = await setup.ledger.undo(setup.accountId, actor, changeId);
  expect(await setup.apply(undoId)).toBe('applied');
  const skipped = (await stepsOf(undoId)).filter(({ status }) => status === 'skipped');
  expect(skipped.map(({ target_key: key, error }) => ({ key, error }))).toEqual([
    { key: member(1).key, error: `${member(1).key} is already open.` },
  ]);
  expect(await states()).toEqual(['open', 'open', 'open', 'open']);
  expect(await cluster()).toMatchObject({ status: 'to_decide', decided_by: null });
  expect(await pairs()).toEqual(members.map(() => ({ resolution: null, change_id: null, undone: false })));
});

test('a member that fails does not stop the others, and a retry performs only the remaining steps', async () => {
  const changeId = await save();
  let closes = 0;
  setup.trouble.before = (method) => {
    if (method !== 'closeAsDuplicate') return;
    closes += 1;
    if (closes === 2) throw new TrackerError('forbidden', 'Not this one.');
  };
  expect(await setup.apply(changeId)).toBe('partly_applied');
  expect(await states()).toEqual(['closed', 'open', 'closed', 'closed']);
  expect(await cluster()).toMatchObject({ status: 'to_decide' });
  const listing = (await setup.inTracker(canonical)).comments.at(-1);
  expect(listing).not.toContain(`- ${member(1).key}`);
  expect((await stepsOf(changeId)).at(-1)?.error).toContain(`without ${member(1).key}`);

  const writes: string[] = [];
  setup.trouble = { before: (method) => void writes.push(method) };
  expect(await setup.retry(changeId)).toBe('applied');
  expect(writes.filter((method) => ['comment', 'closeAsDuplicate'].includes(method))).toEqual([
    'closeAsDuplicate',
  ]);
  expect(await states()).toEqual(['closed', 'closed', 'closed', 'closed']);
  expect(await cluster()).toMatchObject({ status: 'decided' });
});

test('skips members that changed meanwhile, reports them, and leaves the cluster undecided', async () => {
  const changeId = await save();
  await setup.editElsewhere(member(0), { state: 'closed' });
  await setup.editElsewhere(member(2), { title: 'It is about something else' });
  expect(await setup.apply(changeId)).toBe('applied');
  expect(await states()).toEqual(['closed', 'closed', 'open', 'closed']);
  const skipped = (await stepsOf(changeId)).filter(({ status }) => status === 'skipped');
  expect([...new Set(skipped.map(({ error }) => error))]).toEqual([
    `${member(0).key} was closed by someone else.`,
    `${member(2).key} was edited by someone else.`,
  ]);
  expect((await setup.inTracker(member(2))).comments).not.toContainEqual(
    expect.stringContaining('Closing as a duplicate'),
  );
  expect(await cluster()).toMatchObject({ status: 'to_decide' });
});

test('skips members that were removed from scope, and closes the others', async () => {
  const changeId = await save();
  await database.db.deleteFrom('issue').where('id', '=', member(3).id).execute();
  expect(await setup.apply(changeId)).toBe('applied');
  const skipped = (await stepsOf(changeId)).filter(({ status }) => status === 'skipped');
  expect(skipped.map(({ target_key: key }) => key)).toEqual([member(3).key, member(3).key]);
  expect(skipped[0]?.error).toContain('is unavailable');
  expect(await cluster()).toMatchObject({ status: 'decided' });
});

test('skips members that changed since the preview, and refuses if no member is left', async () => {
  const hashes = { [member(0).id]: 'a'.repeat(64) };
  const planned = await plan({ base_hashes: hashes });
  expect(planned.leftOut).toEqual([
    {
      issue_id: member(0).id,
      key: member(0).key,
      reason: `${member(0).key} has changed since you saw it.`,
    },
  ]);
  expect(planned.title).toBe(`Closed 3 issues as duplicates of ${canonical.key}.`);
  await expect(plan({ base_hashes: hashes, member_ids: [member(0).id] })).rejects.toMatchObject({
    code: 'nothing_to_close',
  });
});

test('refuses a canonical issue that was closed during the preview, before anything is written', async () => {
  await plan();
  await setup.editElsewhere(canonical, { state: 'closed' });
  const writes: string[] = [];
  setup.trouble = { before: (method) => void writes.push(method) };
  await expect(resolutions.resolve(setup.accountId, asked, clusterId, wanted())).rejects.toMatchObject({
    code: 'canonical_closed',
    detail: `${canonical.key} is closed. Choose another canonical issue, or reopen it first.`,
  });
  expect(writes).not.toContain('comment');
});

test('reports for each member that its tracker accepted the change without applying it', async () => {
  const changeId = await save();
  setup.trouble.answer = (method, answer) =>
    method === 'closeAsDuplicate' ? { ...(answer as object), state: 'opened' } : answer;
  expect(await setup.apply(changeId)).toBe('partly_applied');
  const failed = (await stepsOf(changeId)).filter(({ status }) => status === 'failed');
  expect(failed.map(({ error }) => error)).toEqual(
    members.map(({ key }) => `The tracker accepted the change, but ${key} is still open.`),
  );
  expect((await stepsOf(changeId)).at(-1)).toMatchObject({
    status: 'skipped',
    error: 'No issue was closed.',
  });
});

test('a tracker that reports a close but closes nothing leaves the cluster undecided', async () => {
  const changeId = await save({ member_ids: [member(0).id] });
  setup.trouble.answer = async (method, answer) => {
    if (method === 'closeAsDuplicate') await setup.editElsewhere(member(0), { state: 'open' });
    return answer;
  };
  expect(await setup.apply(changeId)).toBe('partly_applied');
  expect(await cluster()).toMatchObject({ status: 'to_decide' });
  setup.trouble = {};
  expect(await setup.retry(changeId)).toBe('applied');
  expect((await setup.inTracker(member(0))).state).toBe('closed');
});

test('refuses a second decision about the cluster', async () => {
  await setup.apply(await save());
  await expect(plan()).rejects.toMatchObject({ code: 'cluster_changed' });
});

test('writes an edited description and edited comments, and undoes them', async () => {
  const description = `${canonical.description}\n\nAlso on Windows.`;
  const changeId = await save({
    member_ids: [member(0).id],
    canonical_description: description,
    comments: { [member(0).id]: 'Known already.', [canonical.id]: 'One more report.' },
  });
  expect(await setup.apply(changeId)).toBe('applied');
  expect((await setup.inTracker(canonical)).body).toBe(description);
  expect((await setup.inTracker(member(0))).comments).toContainEqual(
    expect.stringContaining('Known already.'),
  );
  expect((await setup.inTracker(canonical)).comments).toContainEqual(
    expect.stringContaining('One more report.'),
  );
  await setup.undo(changeId);
  expect((await setup.inTracker(canonical)).body).toBe(canonical.description);
});

test('despite two killed processes and a rate limit, each member is closed with one comment', async () => {
  const changeId = await save();
  const calls = { comment: 0, closeAsDuplicate: 0 };
  const isCounted = (method: string): method is keyof typeof calls => method in calls;
  setup.trouble = {
    before: (method) => {
      if (method === 'closeAsDuplicate' && calls.closeAsDuplicate === 3) {
        calls.closeAsDuplicate += 1;
        throw new TrackerError('rate_limited', 'Too many requests.');
      }
    },
    after: (method) => {
      if (!isCounted(method)) return;
      calls[method] += 1;
      const isKilled =
        (method === 'comment' && calls.comment === 2) ||
        (method === 'closeAsDuplicate' && calls.closeAsDuplicate === 3);
      if (isKilled) throw new Error('the process is gone');
    },
  };
  let status = 'applying';
  for (let run = 0; run < 6 && status === 'applying'; run += 1) status = await setup.apply(changeId);
  expect(status).toBe('applied');
  expect(await states()).toEqual(['closed', 'closed', 'closed', 'closed']);
  for (const issue of members) {
    const { comments } = await setup.inTracker(issue);
    expect(comments.filter((comment) => comment.includes('Closing as a duplicate'))).toHaveLength(1);
  }
});

test('a member is checked again if its first read failed', async () => {
  const changeId = await save();
  let reads = 0;
  setup.trouble = {
    before: (method) => {
      if (method !== 'issue') return;
      reads += 1;
      if (reads === 1) throw new TrackerError('server_error', 'The tracker is down.');
    },
  };
  await expect(setup.apply(changeId)).rejects.toThrow('The tracker is down.');
  await setup.editElsewhere(member(0), { title: 'It is about something else' });
  expect(await setup.apply(changeId)).toBe('applied');
  expect(await states()).toEqual(['open', 'closed', 'closed', 'closed']);
});

test('a member that is edited after its comment is not closed', async () => {
  const changeId = await save();
  const first = member(0);
  setup.trouble = {
    before: async (method) => {
      if (method !== 'closeAsDuplicate') return;
      setup.trouble = {};
      throw new TrackerError('server_error', 'The tracker is down.');
    },
  };
  await setup.apply(changeId).catch(() => undefined);
  await setup.editElsewhere(first, { title: 'It is about something else' });
  expect(await setup.apply(changeId)).toBe('partly_applied');
  expect(await states()).toEqual(['open', 'closed', 'closed', 'closed']);
});

test('reopening a member makes only its own pair undecided', async () => {
  const changeId = await save();
  await setup.apply(changeId);
  const reopened = member(1);
  await database.db.updateTable('issue').set({ state: 'opened' }).where('id', '=', reopened.id).execute();
  await reopenVetoed(database.db, setup.accountId, [reopened.id, canonical.id, member(2).id]);
  expect((await pairs()).filter(({ undone }) => undone)).toHaveLength(1);
});

test('an issue that was excluded meanwhile is not closed', async () => {
  const planned = await plan();
  await database.db.deleteFrom('cluster_member').where('issue_id', '=', member(3).id).execute();
  await expect(setup.ledger.save(setup.accountId, asked, planned)).rejects.toMatchObject({
    code: 'cluster_changed',
  });
});

describe('a pair of the cluster', () => {
  const agent: Actor = { type: 'api_key', id: randomUUID(), name: 'helper' };
  const resolvePair = (
    by: Actor,
    as: 'applying' | 'proposed',
    [one, other]: readonly [IssueView, IssueView],
  ) =>
    setup.duplicates
      .plan(setup.accountId, { issue1_id: one.id, issue2_id: other.id, resolution: 'close_b' })
      .then((planned) => setup.ledger.save(setup.accountId, { actor: by, as }, planned));

  test('after an undo of the change, cannot be closed by an agent, but can be closed by a person', async () => {
    const changeId = await save({ member_ids: [member(0).id, member(1).id] });
    await setup.apply(changeId);
    await setup.undo(changeId);
    for (const as of ['applying', 'proposed'] as const) {
      for (const two of [
        [canonical, member(0)],
        [member(0), member(1)],
      ] as const) {
        await expect(resolvePair(agent, as, two)).rejects.toMatchObject({ code: 'decision_undone' });
      }
    }
    await resolvePair(agent, 'proposed', [canonical, member(2)]);
    await resolvePair(actor, 'applying', [canonical, member(0)]);
  });

  test('keeps an agent from the cluster after a person undid its decision', async () => {
    const changeId = await resolvePair(actor, 'applying', [canonical, member(0)]);
    await setup.apply(changeId);
    await setup.undo(changeId);
    for (const as of ['applying', 'proposed'] as const) {
      const given = { actor: agent, as };
      const planned = await plan({ member_ids: [member(0).id] });
      await expect(setup.ledger.save(setup.accountId, given, planned)).rejects.toMatchObject({
        code: 'decision_undone',
      });
    }
    await save({ member_ids: [member(0).id] });
  });

  test.each(['close_b', 'unrelated'] as const)(
    'is not resolved (%s) while the change runs',
    async (resolution) => {
      await save();
      const given = { issue1_id: canonical.id, issue2_id: member(0).id, resolution };
      const planned = await setup.duplicates.plan(setup.accountId, given);
      await expect(setup.ledger.save(setup.accountId, asked, planned)).rejects.toMatchObject({
        code: 'being_resolved',
      });
    },
  );

  test('is not edited while the change closes one of its issues', async () => {
    await save();
    const given = {
      issue1_id: (await outside()).id,
      issue2_id: member(0).id,
      resolution: 'deconflict',
      resulting_issue_2_title: 'Another title',
    } as const;
    const planned = await setup.duplicates.plan(setup.accountId, given);
    await expect(setup.ledger.save(setup.accountId, asked, planned)).rejects.toMatchObject({
      code: 'being_changed',
    });
  });

  test('cannot close the canonical issue while the change runs', async () => {
    await save();
    const outsider = await outside();
    await expect(resolvePair(actor, 'applying', [outsider, canonical])).rejects.toMatchObject({
      code: 'being_closed',
    });
  });
});

test('an agent cannot close reopened issues in another cluster', async () => {
  const agent: Actor = { type: 'api_key', id: randomUUID(), name: 'helper' };
  await setup.apply(await save());
  const { id: changeId } = await database.db
    .selectFrom('change')
    .select('id')
    .where('account_id', '=', setup.accountId)
    .where('kind', '=', 'cluster')
    .executeTakeFirstOrThrow();
  await setup.undo(changeId);
  const otherId = await newCluster(member(0));
  await database.db
    .updateTable('cluster_member')
    .set({ cluster_id: otherId })
    .where('cluster_id', '=', clusterId)
    .execute();
  const planned = await resolutions.plan(setup.accountId, otherId, wanted());
  await expect(
    setup.ledger.save(setup.accountId, { actor: agent, as: 'proposed' }, planned),
  ).rejects.toMatchObject({ code: 'decision_undone' });
});

test.each(['decided', 'dismissed'] as const)(
  'a proposal is rejected if a person marks the cluster as %s',
  async (status) => {
    const { db } = database;
    const published: unknown[] = [];
    const clusters = new Clusters({
      db,
      issues: new Issues(db),
      now: () => new Date(),
      publish: async (_account, event) => void published.push(event),
      onGrown: async () => undefined,
      listBusy: async () => new Set(),
      rejectProposals: (...given) => resolutions.rejectProposals(...given),
    });
    const agent: Actor = { type: 'api_key', id: randomUUID(), name: 'helper' };
    const asProposal = { actor: agent, as: 'proposed' } as const;
    const changeId = await setup.ledger.save(setup.accountId, asProposal, await plan());
    const statusOf = async () => (await setup.ledger.get(setup.accountId, changeId)).change.status;

    const outdated = { revision: 0, status };
    await expect(clusters.change(setup.accountId, clusterId, actor, outdated)).rejects.toThrow();
    expect(await statusOf()).toBe('proposed');

    await clusters.change(setup.accountId, clusterId, actor, { revision: 1, status });
    expect(await statusOf()).toBe('rejected');
    expect(published).toContainEqual({ type: 'change_updated', change_id: changeId, status: 'rejected' });
  },
);

describe('an issue that joins while the change runs', () => {
  const join = async () => {
    const issue = await outside();
    await database.db
      .insertInto('cluster_member')
      .values({ account_id: setup.accountId, issue_id: issue.id, cluster_id: clusterId })
      .execute();
    return issue;
  };
  const lastEvent = async () => (await eventsOf(database.db, setup.accountId, clusterId, 1))[0];

  test('leaves the cluster undecided', async () => {
    const changeId = await save();
    const joined = await join();
    expect(await setup.apply(changeId)).toBe('applied');
    expect(await states()).toEqual(['closed', 'closed', 'closed', 'closed']);
    expect(await cluster()).toMatchObject({ status: 'to_decide', decided_by: null });
    expect((await lastEvent())?.text).toBe(
      'Closed 4 as duplicates. 1 issue has joined the cluster since then and is undecided.',
    );
    expect((await setup.inTracker(joined)).state).toBe('open');
  });

  test('is treated differently from an issue that a person did not choose', async () => {
    const changeId = await save({ member_ids: [member(0).id] });
    expect(await setup.apply(changeId)).toBe('applied');
    expect(await cluster()).toMatchObject({ status: 'decided' });
  });
});

describe('a tracker that is down on the last attempt', () => {
  const lastAttempt = { signal: new AbortController().signal, isLastAttempt: true };

  test('is not asked for each remaining issue, and a retry performs the remaining steps', async () => {
    const changeId = await save();
    const reads: string[] = [];
    let closes = 0;
    setup.trouble = {
      before: (method) => {
        if (closes === 1) {
          reads.push(method);
          throw new TrackerError('unreachable', 'The tracker is down.');
        }
      },
      after: (method) => {
        if (method === 'closeAsDuplicate') closes += 1;
      },
    };
    await setup.applier.apply(setup.accountId, changeId, lastAttempt);
    expect((await setup.ledger.get(setup.accountId, changeId)).change.status).toBe('partly_applied');
    const steps = await stepsOf(changeId);
    expect(steps.filter(({ status }) => status === 'failed')).toHaveLength(2);
    expect(reads).toHaveLength(2);
    expect(new Set(steps.filter(({ status }) => status === 'skipped').map(({ error }) => error))).toEqual(
      new Set([null, 'Not tried, because the tracker did not respond.']),
    );
    setup.trouble = {};
    expect(await setup.retry(changeId)).toBe('applied');
    expect(await states()).toEqual(['closed', 'closed', 'closed', 'closed']);
    const listing = (await setup.inTracker(canonical)).comments.at(-1);
    for (const { key } of members) expect(listing).toContain(`- ${key}`);
  });

  test('is still asked for the other issues after one of them failed', async () => {
    const changeId = await save();
    let closes = 0;
    setup.trouble.before = (method) => {
      if (method !== 'closeAsDuplicate') return;
      closes += 1;
      if (closes === 2) throw new TrackerError('server_error', 'The tracker failed.');
    };
    await setup.applier.apply(setup.accountId, changeId, lastAttempt);
    expect(await states()).toEqual(['closed', 'open', 'closed', 'closed']);
  });
});

describe('several clusters at once', () => {
  /** Moves the last two members into a second cluster and returns its id. */
  const secondCluster = async () => {
    const otherId = await newCluster(member(2));
    await database.db
      .updateTable('cluster_member')
      .set({ cluster_id: otherId })
      .where('issue_id', 'in', [member(2).id, member(3).id])
      .execute();
    return otherId;
  };
  const shown = (cluster_id: string, first: IssueView, ...closed: IssueView[]) => {
    const base_hashes = Object.fromEntries([first, ...closed].map((each) => [each.id, each.content_hash]));
    return {
      cluster_id,
      revision: 1,
      canonical_id: first.id,
      member_ids: closed.map(({ id }) => id),
      base_hashes,
    };
  };

  test('have one change and one undo each', async () => {
    const otherId = await secondCluster();
    const { started, leftOut } = await resolutions.resolveAll(setup.accountId, asked, [
      shown(clusterId, canonical, member(0), member(1)),
      shown(otherId, member(2), member(3)),
    ]);
    expect(leftOut).toEqual([]);
    expect(started.map((each) => each.clusterId)).toEqual([clusterId, otherId]);
    for (const { changeId } of started) expect(await setup.apply(changeId)).toBe('applied');
    expect(await states()).toEqual(['closed', 'closed', 'open', 'closed']);
    await setup.undo(started[0]?.changeId ?? '');
    expect(await states()).toEqual(['open', 'open', 'open', 'closed']);
  });

  test('that differ from what was displayed are skipped, with the reason', async () => {
    const otherId = await secondCluster();
    await database.db.updateTable('cluster').set({ revision: 2 }).where('id', '=', otherId).execute();
    const unknown = randomUUID();
    const { started, leftOut } = await resolutions.resolveAll(setup.accountId, asked, [
      shown(otherId, member(2), member(3)),
      shown(unknown, member(2), member(3)),
      shown(clusterId, canonical, member(0)),
    ]);
    expect(started.map((each) => each.clusterId)).toEqual([clusterId]);
    expect(leftOut.map(({ clusterId: id, code }) => [id, code])).toEqual([
      [otherId, 'cluster_changed'],
      [unknown, 'not_found'],
    ]);
    expect(leftOut[0]?.detail).toContain('has changed since you saw it');
  });

  test('skip a cluster with an issue that changed since it was displayed', async () => {
    const { base_hashes, ...given } = shown(clusterId, canonical, member(0), member(1));
    const stale = { ...given, base_hashes: { ...base_hashes, [member(1).id]: 'older' } };
    const { started, leftOut } = await resolutions.resolveAll(setup.accountId, asked, [stale]);
    expect(started).toEqual([]);
    expect(leftOut).toMatchObject([{ clusterId, code: 'cluster_changed' }]);
    expect(leftOut[0]?.detail).toContain(member(1).key);
  });

  test('skip a cluster whose canonical issue was closed in the tracker meanwhile', async () => {
    const given = [shown(clusterId, canonical, member(0))];
    await setup.editElsewhere(canonical, { state: 'closed' });
    const { started, leftOut } = await resolutions.resolveAll(setup.accountId, asked, given);
    expect(started).toEqual([]);
    expect(leftOut).toMatchObject([{ clusterId, code: 'canonical_closed' }]);
    expect(await states()).toEqual(['open', 'open', 'open', 'open']);
  });

  test('start free clusters before they wait for a busy one', async () => {
    const otherId = await secondCluster();
    const rowsOf = (table: 'write_turn' | 'change') =>
      database.db.selectFrom(table).select('id').where('account_id', '=', setup.accountId).execute();
    const held = Promise.withResolvers<null>();
    const write = setup.ledger.runInTurn(
      setup.accountId,
      asked,
      { issueIds: [canonical.id] },
      () => held.promise,
    );
    await eventually(async () => (await rowsOf('write_turn')).length === 1);
    const given = [shown(clusterId, canonical, member(1)), shown(otherId, member(2), member(3))];
    const resolved = resolutions.resolveAll(setup.accountId, asked, given);
    await eventually(async () => (await rowsOf('change')).length === 1);
    held.resolve(null);
    await write;
    const { started, leftOut } = await resolved;
    expect(leftOut).toEqual([]);
    expect(started.map((each) => each.clusterId)).toEqual([otherId, clusterId]);
  });

  test('report the started resolutions if another one fails unexpectedly', async () => {
    const otherId = await secondCluster();
    const given = [shown(clusterId, canonical, member(0)), shown(otherId, member(2), member(3))];
    await sql`
      create function refuse_second() returns trigger language plpgsql as $$
      begin
        if (select count(*) from change where account_id = new.account_id) > 0 then
          raise exception 'The disk is full.';
        end if;
        return new;
      end $$;
      create trigger refuse_second before insert on change for each row execute function refuse_second();
    `.execute(database.db);
    const { started, leftOut } = await resolutions
      .resolveAll(setup.accountId, asked, given)
      .finally(() => sql`drop function refuse_second cascade`.execute(database.db));
    expect(started.map((each) => each.clusterId)).toEqual([clusterId]);
    expect(leftOut).toMatchObject([{ clusterId: otherId, code: 'internal' }]);
    expect(logged).toHaveLength(1);
    expect(JSON.stringify(leftOut)).not.toContain('disk');
  });
});

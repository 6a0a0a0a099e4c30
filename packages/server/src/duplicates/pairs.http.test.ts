import { randomUUID } from 'node:crypto';
import { change, changeList, resolutionResult } from '@winnow/contract/change';
import {
  duplicateStats,
  PAIRS_COUNTED,
  type Pair,
  pairDetail,
  pairList,
  pair as pairSchema,
  SIMILARITY,
} from '@winnow/contract/duplicate';
import { projectList, similarIssues } from '@winnow/contract/issue';
import { issueDetail, RELATED_SHOWN } from '@winnow/contract/issue-detail';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { GitHubSeedIssue } from '@winnow/emulators/github/seed';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { connect, minutesAfterStart, whenCompared, whenSynced } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
let accountId: string;
let projects: { app: string; web: string };

/** Titles with characters that have a special meaning in SQL, in patterns, or in both. */
const ODD_TITLES = [
  `Discount of 100% is shown as 1%`,
  `File_name with_underscores is cut`,
  `Names like O'Brien end the form`,
  `Title with "double quotes" breaks`,
  `Path C:\\temp\\new is shown as one word`,
  `Search for \\% finds everything`,
];

beforeAll(async () => {
  winnow = await startWinnow();
  const app: GitHubSeedIssue[] = [
    ...family('Login button does not react', 'After entering the password, the login button stays grey.', 9),
    ...ODD_TITLES.flatMap((title) => [
      { title, body: `${title}. It was reported by a customer.` },
      { title: `${title} again`, body: `${title}. It was reported by a customer twice.` },
    ]),
    {
      title: 'A pull request',
      body: 'After entering the password, the login button stays grey.',
      pull_request: true,
    },
  ];
  const web: GitHubSeedIssue[] = [
    ...family('Login button stays grey', 'After entering the password, the login button stays grey.', 6),
    ...family('Chart has no legend', 'The chart of the last month is drawn without its legend.', 5),
  ];
  const dated = (issues: GitHubSeedIssue[], from: number) =>
    issues.map((issue, index) => ({ ...issue, created_at: minutesAfterStart(from + index * 2) }));
  const seed = { repos: [{ owner: 'acme', name: 'web', issues: dated(web, 1) }] };
  ({ github, caller } = await newBacklog(winnow, dated(app, 0), { seed }));
  accountId = await caller.accountId();
  await whenCompared(caller);
  const found = await caller.get('/projects', projectList);
  const named = (identifier: string) => found.find((one) => one.identifier === identifier)?.id ?? '';
  projects = { app: named('acme/app'), web: named('acme/web') };
  await decide();
});
afterAll(async () => {
  await winnow.close();
  await github.close();
});

/** Returns issues with nearly equal texts. Every third issue is closed. */
function family(title: string, body: string, count: number): GitHubSeedIssue[] {
  return Array.from({ length: count }, (_, index) => ({
    title: index < 2 ? title : `${title} in version ${index}`,
    body: index < 2 ? body : `${body} Seen in version ${index}, since the update of week ${index * 3}.`,
    state: index % 3 === 2 ? ('closed' as const) : ('open' as const),
  }));
}

/** Dismisses some pairs and marks others as unrelated, so that every filter matches a pair. */
async function decide(): Promise<void> {
  const { duplicates } = await list('limit=100&status=all&scope=account');
  for (const [index, { issue1, issue2 }] of duplicates.entries()) {
    const ids = { issue1_id: issue1.id, issue2_id: issue2.id };
    if (index % 5 === 1) await caller.do('POST', '/issue-duplicates/dismiss', ids);
    if (index % 7 === 3) {
      const payload = { ...ids, resolution: 'unrelated' };
      const path = '/issue-duplicates/execute-resolution';
      const { change_id } = await caller.send('PATCH', path, payload, resolutionResult);
      if (index % 2 === 0) await caller.send('POST', `/changes/${change_id}/undo`, undefined, change);
    }
  }
}

function list(query: string) {
  return caller.get(`/issue-duplicates?${query}`, pairList.strict());
}

/** Returns the pairs on all pages of a list. */
async function listAll(query: string, limit = 100): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (;;) {
    const page = await list(`${query}&limit=${limit}&skip=${pairs.length}`);
    pairs.push(...page.duplicates);
    if (page.duplicates.length < limit) return pairs;
  }
}

/**
 * Returns the stored pairs with their issues. Tests compute the expected result of a filter from
 * them.
 */
async function stored() {
  return winnow.database.db
    .selectFrom('pair')
    .innerJoin('issue as a', (join) =>
      join.onRef('a.account_id', '=', 'pair.account_id').onRef('a.id', '=', 'issue_a'),
    )
    .innerJoin('issue as b', (join) =>
      join.onRef('b.account_id', '=', 'pair.account_id').onRef('b.id', '=', 'issue_b'),
    )
    .select([
      'pair.id',
      'similarity',
      'pair.resolution',
      'pair.dismissed',
      'pair.undone',
      'issue_a',
      'issue_b',
    ])
    .select([
      'a.state as a_state',
      'b.state as b_state',
      'a.project_id as a_project',
      'b.project_id as b_project',
    ])
    .select(['a.title as a_title', 'b.title as b_title', 'a.key as a_key', 'b.key as b_key'])
    .where('pair.account_id', '=', accountId)
    .execute();
}

describe('the list of pairs', () => {
  test.each([
    'limit=0',
    'limit=101',
    'limit=ten',
    'skip=-1',
    'status=broken',
    'status=opened&status=closed',
    'resolution=maybe',
    'similarity_threshold=1.1',
    'similarity_threshold=NaN',
    'scope=world',
    'dismissed=1',
    'project_ids=1234567',
    'project_ids=1234567g',
    `query=${'x'.repeat(201)}`,
  ])('refuses %s with 422 and the field', async (query) => {
    const failure = await caller.fail('GET', `/issue-duplicates?${query}`, 422);
    expect(failure.fields?.[0]?.path).toMatch(new RegExp(`^${query.split('=')[0]}`));
  });

  test('refuses an ambiguous project prefix and accepts the full id', async () => {
    const stranger = await winnow.newCaller();
    const { id } = await connect(stranger, github);
    await whenSynced(stranger, id);
    const [one] = await stranger.get('/projects', projectList);
    if (!one) throw new Error('no project');
    const segment = one.id.slice(0, 8);
    const twin = `${segment}-0000-4000-8000-000000000000`;
    const account_id = await stranger.accountId();
    await winnow.database.db
      .insertInto('project')
      .values({
        account_id,
        id: twin,
        tracker_id: id,
        organization_id: one.organization_id,
        external_id: 'twin',
        identifier: 'acme/twin',
        name: 'twin',
      })
      .execute();
    for (const path of ['/issue-duplicates', '/project-duplicate-stats']) {
      const failure = await stranger.fail('GET', `${path}?project_ids=${segment}`, 422);
      expect([failure.code, failure.fields?.[0]?.path]).toEqual(['ambiguous_project', 'project_ids']);
    }
    const { projects: stats } = await stranger.get(
      `/project-duplicate-stats?project_ids=${twin}`,
      duplicateStats,
    );
    expect(stats.map(({ project_id }) => project_id)).toEqual([twin]);
  });

  const STATUSES = ['opened', 'open', 'closed', 'all'];
  const RESOLUTIONS = ['all', 'resolved', 'unresolved'];
  const SCOPES = ['project', 'account'];
  test('applies every combination of filters, with the most similar pairs first and the right total', async () => {
    const rows = await stored();
    expect(rows.length).toBeGreaterThan(60);
    let found = 0;
    for (const status of STATUSES) {
      for (const resolution of RESOLUTIONS) {
        for (const scope of SCOPES) {
          for (const [dismissed, undone] of [
            [false, null],
            [true, null],
            [false, false],
            [false, true],
          ] as const) {
            for (const project of [null, 'app', 'web', 'both'] as const) {
              const threshold = project === null ? SIMILARITY.stored : SIMILARITY.similar;
              const ids =
                project === null ? [] : project === 'both' ? Object.values(projects) : [projects[project]];
              const query = new URLSearchParams({
                status,
                resolution,
                scope,
                dismissed: String(dismissed),
                similarity_threshold: String(threshold),
              });
              if (undone !== null) query.set('undone', String(undone));
              for (const id of ids) query.append('project_ids', id);
              const expected = rows
                .filter((row) => {
                  const open = row.a_state === 'opened' && row.b_state === 'opened';
                  return (
                    (status === 'all' || open === (status !== 'closed')) &&
                    (resolution === 'all' || (row.resolution !== null) === (resolution === 'resolved')) &&
                    (scope === 'account' || row.a_project === row.b_project) &&
                    row.dismissed === dismissed &&
                    (undone === null || row.undone === undone) &&
                    row.similarity >= Math.fround(threshold) &&
                    (ids.length === 0 ||
                      (scope === 'project'
                        ? ids.includes(row.a_project) && ids.includes(row.b_project)
                        : ids.includes(row.a_project) || ids.includes(row.b_project)))
                  );
                })
                .sort((one, other) => other.similarity - one.similarity || (one.id < other.id ? -1 : 1));
              const answer = await list(`${query}&limit=100`);
              expect([query.toString(), answer.total]).toEqual([query.toString(), expected.length]);
              expect(answer.duplicates.map(({ id }) => id)).toEqual(
                expected.slice(0, 100).map(({ id }) => id),
              );
              expect(answer.threshold_used).toBe(threshold);
              found += expected.length;
            }
          }
        }
      }
    }
    expect(found).toBeGreaterThan(500);
    expect((await list('status=all&scope=account&undone=true')).total).toBeGreaterThan(0);
  });

  test('lists pairs by the decision that they need', async () => {
    const query = 'status=all&scope=account&resolution=unresolved';
    const all = await listAll(query);
    const idsOf = (pairs: readonly Pair[]) => pairs.map(({ id }) => id);
    const ofStates = (older: string, newer: string) =>
      all.filter(({ issue1, issue2 }) => issue1.state === older && issue2.state === newer);
    const bothOpen = await listAll(`${query}&standing=both_open`);
    expect(idsOf(bothOpen)).toEqual(idsOf(ofStates('opened', 'opened')));
    const repeats = await listAll(`${query}&standing=repeats_closed`);
    expect(idsOf(repeats)).toEqual(idsOf(ofStates('closed', 'opened')));
    expect(Math.min(bothOpen.length, repeats.length)).toBeGreaterThan(0);
    const toDecide = await listAll(`${query}&standing=to_decide`);
    expect(idsOf(toDecide).sort()).toEqual(idsOf([...bothOpen, ...repeats]).sort());
  });

  test('lists the older issue first, each pair once, and no pull request', async () => {
    const pairs = await listAll('status=all&scope=account');
    expect(pairs.every(({ issue1, issue2 }) => issue1.created_at <= issue2.created_at)).toBe(true);
    const keys = pairs.map(({ issue1, issue2 }) => [issue1.id, issue2.id].sort().join());
    expect(new Set(keys).size).toBe(pairs.length);
    expect(JSON.stringify(pairs)).not.toContain('A pull request');
    expect(
      pairs.filter(({ similarity }) => similarity >= SIMILARITY.identical).length,
    ).toBeGreaterThanOrEqual(2);
    for (const one of pairs) expect(() => pairSchema.strict().parse(one)).not.toThrow();
  });

  test('accepts a project id or its first eight digits in any case, and ignores repetition', async () => {
    const full = await list(`status=all&project_ids=${projects.app}&limit=100`);
    expect(full.total).toBeGreaterThan(10);
    const segment = projects.app.slice(0, 8);
    for (const same of [
      `project_ids=${segment}`,
      `project_ids=${segment.toUpperCase()}`,
      `project_ids=${projects.app.toUpperCase()}`,
      `project_ids=${segment}&project_ids=${projects.app}&project_ids=${segment}`,
    ]) {
      expect(await list(`status=all&${same}&limit=100`)).toEqual(full);
    }
  });

  test('finds no pair in a missing project, and ignores it if an existing project is given too', async () => {
    for (const unknown of ['00000000', randomUUID()]) {
      expect(await list(`status=all&project_ids=${unknown}`)).toMatchObject({ duplicates: [], total: 0 });
      const beside = await list(`status=all&project_ids=${unknown}&project_ids=${projects.web}`);
      expect(beside.total).toBe((await list(`status=all&project_ids=${projects.web}`)).total);
    }
  });

  test.each([
    '100%',
    '%',
    '_',
    'e_n',
    "O'Brien",
    '"double',
    'C:\\temp\\new',
    '\\',
    '\\%',
    '%_\\',
    "' or 1=1 --",
    'LOGIN button',
    'app#1',
    'ACME/WEB#3',
    '  grey  ',
    'text that no issue contains',
    '🔥',
  ])('finds %j in keys and titles, and nowhere else', async (query) => {
    const needle = query.trim().toLowerCase();
    const expected = (await stored()).filter(
      (row) =>
        !row.dismissed &&
        [row.a_title, row.b_title, row.a_key, row.b_key].some((text) => text.toLowerCase().includes(needle)),
    );
    const found = await listAll(`status=all&scope=account&query=${encodeURIComponent(query)}`);
    expect(found.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
  });

  test('lists each pair exactly once by skip and by offset, with and without the trailing slash', async () => {
    const query = 'status=all&scope=account';
    const whole = await listAll(query);
    const { total } = await list(`${query}&limit=1`);
    expect(whole.length).toBe(total);
    for (const limit of [7, 100]) expect(await listAll(query, limit)).toEqual(whole);
    const one = `status=all&project_ids=${projects.web}`;
    expect(await listAll(one, 1)).toEqual(await listAll(one));
    const slashed = await caller.get(`/issue-duplicates/?${query}&limit=5&offset=5`, pairList);
    expect(slashed).toEqual(await list(`${query}&limit=5&skip=5`));
    expect(slashed).toMatchObject({ limit: 5, skip: 5, total });
    expect((await list(`${query}&skip=100000`)).duplicates).toEqual([]);
  });

  test(`counts up to ${PAIRS_COUNTED} pairs and lists further ones`, async () => {
    const stranger = await winnow.newCaller();
    const { id } = await connect(stranger, github);
    await whenSynced(stranger, id);
    const account_id = await stranger.accountId();
    await whenCompared(stranger);
    const { db } = winnow.database;
    const original = await db
      .selectFrom('issue')
      .selectAll()
      .where('account_id', '=', account_id)
      .where('issue_type', '=', 'issue')
      .limit(1)
      .executeTakeFirstOrThrow();
    const ids = Array.from({ length: 60 }, () => randomUUID()).sort();
    const copies = ids.map((id, n) => {
      return { ...original, id, external_id: `copy ${n}`, key: `copy#${n}` };
    });
    await db.insertInto('issue').values(copies).execute();
    const made = copies.flatMap((first, n) =>
      copies.slice(n + 1).map((second) => ({
        account_id,
        id: randomUUID(),
        issue_a: first.id,
        issue_b: second.id,
        project_a: first.project_id,
        project_b: second.project_id,
        same_project: true,
        both_open: true,
        similarity: 0.5,
        snapshot_version: 1,
        scored_at: new Date(),
        resolution: null,
        change_id: null,
      })),
    );
    await db.insertInto('pair').values(made).execute();
    const page = (query: string) => stranger.get(`/issue-duplicates?query=copy&${query}`, pairList);
    expect((await page('limit=1')).total).toBe(PAIRS_COUNTED + 1);
    const seen = new Set<string>();
    for (let skip = 0; ; skip += 100) {
      const { duplicates } = await page(`limit=100&skip=${skip}`);
      for (const { id: pairId } of duplicates) seen.add(pairId);
      if (duplicates.length < 100) break;
    }
    expect(seen).toEqual(new Set(made.map((one) => one.id)));
  });
});

describe('statistics', () => {
  test.each(['project', 'account'] as const)(
    'with scope %s count the issues that the list of the project contains',
    async (scope) => {
      const same = `status=opened&scope=${scope}&similarity_threshold=${SIMILARITY.similar}`;
      const answer = await caller.get(`/project-duplicate-stats?${same}`, duplicateStats.strict());
      expect(answer.projects.length).toBe(Object.keys(projects).length);
      for (const { project_id, duplicates } of answer.projects) {
        const pairs = await listAll(`${same}&resolution=unresolved&project_ids=${project_id}`);
        const listed = pairs
          .flatMap(({ issue1, issue2 }) => [issue1, issue2])
          .filter((issue) => issue.project_id === project_id);
        expect(duplicates).toBe(new Set(listed.map(({ id }) => id)).size);
      }
      expect(answer.projects.some(({ duplicates }) => duplicates > 0)).toBe(true);
    },
  );

  test.each([
    ['opened', SIMILARITY.similar],
    ['closed', SIMILARITY.similar],
    ['all', SIMILARITY.similar],
    ['opened', SIMILARITY.stored],
    ['all', 1],
  ])(
    'of %s issues at %d count each issue once, and only issues in undecided pairs',
    async (status, threshold) => {
      const rows = (await stored()).filter((row) => {
        const open = row.a_state === 'opened' && row.b_state === 'opened';
        return (
          row.resolution === null &&
          !row.dismissed &&
          row.similarity >= Math.fround(threshold) &&
          (status === 'all' || open === (status === 'opened'))
        );
      });
      const issues = await winnow.database.db
        .selectFrom('issue')
        .select(['id', 'project_id', 'state'])
        .where('account_id', '=', accountId)
        .where('issue_type', '<>', 'change_request')
        .execute();
      const counted = issues.filter(({ state }) => status === 'all' || state === status);
      const paired = new Set(rows.flatMap((row) => [row.issue_a, row.issue_b]));
      const expected = Object.values(projects).map((project_id) => {
        const own = counted.filter((issue) => issue.project_id === project_id);
        return { project_id, duplicates: own.filter(({ id }) => paired.has(id)).length, total: own.length };
      });
      const query = `status=${status}&similarity_threshold=${threshold}`;
      const answer = await caller.get(`/project-duplicate-stats?${query}`, duplicateStats.strict());
      const by = (one: { project_id: string }, other: { project_id: string }) =>
        one.project_id < other.project_id ? -1 : 1;
      expect(answer.projects.map(({ project_name: _, ...stats }) => stats).sort(by)).toEqual(
        expected.sort(by),
      );
      expect(answer.threshold_used).toBe(threshold);
      if (threshold !== 1) expect(expected.some(({ duplicates }) => duplicates > 0)).toBe(true);
      const web = await caller.get(
        `/project-duplicate-stats?${query}&project_ids=${projects.web.slice(0, 8)}`,
        duplicateStats,
      );
      expect(web.projects).toEqual(answer.projects.filter(({ project_id }) => project_id === projects.web));
    },
  );
});

describe('an issue', () => {
  test('returns the best pairs of the issue except dismissed ones, and the changes that concern it', async () => {
    const pairs = await listAll('status=all&scope=account&order_by=probability');
    const resolved = pairs.find(({ resolution }) => resolution !== null);
    if (!resolved) throw new Error('No pair is resolved.');
    const dismissed = await listAll('status=all&scope=account&dismissed=true');
    for (const { id } of [resolved.issue1, resolved.issue2, dismissed[0]?.issue1 ?? resolved.issue1]) {
      const detail = await caller.get(`/issues/${id}`, issueDetail.strict());
      const own = pairs.filter(({ issue1, issue2 }) => issue1.id === id || issue2.id === id);
      expect(detail.pairs).toEqual(own.slice(0, RELATED_SHOWN));
      const { changes } = await caller.get(`/changes?issue_id=${id}&limit=${RELATED_SHOWN}`, changeList);
      expect(detail.changes).toEqual(changes);
    }
    const { changes } = await caller.get(`/issues/${resolved.issue1.id}`, issueDetail);
    expect(changes.flatMap(({ issue_keys }) => issue_keys)).toContain(resolved.issue2.key);
  });
});

describe('one pair', () => {
  test('returns 404 for an unknown pair and 422 for an invalid id', async () => {
    await caller.fail('GET', `/issue-duplicates/${randomUUID()}`, 404);
    await caller.fail('GET', '/issue-duplicates/none', 422);
  });

  test('returns passages that occur in both texts at the given positions', async () => {
    const pairs = (await listAll('status=all&scope=account')).slice(0, 40);
    let passages = 0;
    for (const { id, similarity } of pairs) {
      const detail = await caller.get(`/issue-duplicates/${id}`, pairDetail.strict());
      expect(detail.similarity).toBe(similarity);
      for (const { text, in1, in2 } of detail.evidence.shared) {
        const first = detail.issue1.description.slice(...in1);
        const second = detail.issue2.description.slice(...in2);
        expect(first.length).toBeGreaterThan(0);
        expect(second.length).toBeGreaterThan(0);
        expect([plain(first), plain(second)]).toEqual([plain(text), plain(text)]);
        passages += 1;
      }
    }
    expect(passages).toBeGreaterThan(pairs.length / 2);
  });
});

describe('dismissing', () => {
  let ids: { issue1_id: string; issue2_id: string };
  let pairId: string;
  beforeEach(async () => {
    const [first] = (await list('status=all')).duplicates;
    if (!first) throw new Error('no pair');
    ids = { issue1_id: first.issue1.id, issue2_id: first.issue2.id };
    pairId = first.id;
  });

  test('returns 404 for an unknown pair and 422 for an invalid id', async () => {
    for (const path of ['/issue-duplicates/dismiss', '/issue-duplicates/restore']) {
      await caller.fail('POST', path, 404, { ...ids, issue2_id: randomUUID() });
      await caller.fail('POST', path, 404, { ...ids, issue2_id: ids.issue1_id });
      await caller.fail('POST', path, 422, { ...ids, issue2_id: 'none' });
    }
  });

  test('hides a pair named in either order until it is restored, and accepts repeated calls', async () => {
    const visible = async (dismissed: boolean) =>
      (await listAll(`status=all&dismissed=${dismissed}`)).some(({ id }) => id === pairId);
    const reversed = { issue1_id: ids.issue2_id, issue2_id: ids.issue1_id };
    for (const _ of [1, 2]) await caller.do('POST', '/issue-duplicates/dismiss', reversed);
    expect([await visible(false), await visible(true)]).toEqual([false, true]);
    for (const _ of [1, 2]) await caller.do('POST', '/issue-duplicates/restore', ids);
    expect([await visible(false), await visible(true)]).toEqual([true, false]);
  });
});

describe('the issues nearest to an issue', () => {
  const key = encodeURIComponent('acme/app#5');
  const similar = (query = '', issue = key) =>
    caller.get(`/issues/${issue}/similar?limit=100&${query}`, similarIssues.strict());

  test.each([
    'created_before=yesterday',
    'created_before=2024-13-01T00:00:00Z',
    'status=broken',
    'limit=101',
  ])('refuse %s', async (query) => {
    await caller.fail('GET', `/issues/${key}/similar?${query}`, 422);
  });

  test('returns 404 for an unknown issue, by id and by key', async () => {
    for (const name of [
      randomUUID(),
      'acme/app#999',
      'nonsense',
      "'; drop table issue; --",
      '%',
      'x'.repeat(300),
    ]) {
      await caller.fail('GET', `/issues/${encodeURIComponent(name)}/similar`, 404);
      await caller.fail('GET', `/issues/${encodeURIComponent(name)}`, 404);
    }
  });

  test('accepts an id or key, and returns issues of all projects, best first, without the issue itself', async () => {
    const { id } = await caller.get(`/issues/${key}`, issueDetail.strict());
    const byKey = await similar();
    expect(await similar('', id)).toEqual(byKey);
    expect(await similar('', id.toUpperCase())).toEqual(byKey);
    // Compares open issues only: a closed issue may come after a less similar open one.
    const open = byKey.results.filter(({ issue }) => issue.state === 'opened');
    const similarities = open.map(({ similarity }) => similarity);
    expect(similarities).toEqual([...similarities].sort((one, other) => other - one));
    expect(byKey.results.some(({ issue }) => issue.id === id)).toBe(false);
    expect(new Set(byKey.results.map(({ issue }) => issue.project_id)).size).toBe(2);
    expect(JSON.stringify(byKey)).not.toContain('A pull request');
    expect(byKey.model_used).not.toBe('lexical');
  });

  test('ranks a closed issue below an open one that is slightly less similar', async () => {
    const { results } = await similar();
    const overtaken = results.filter(({ similarity }, at) => similarity < (results[at + 1]?.similarity ?? 0));
    expect(overtaken.length).toBeGreaterThan(0);
    expect(new Set(overtaken.map(({ issue }) => issue.state))).toEqual(new Set(['opened']));
  });

  test('applies state and age filters before the limit', async () => {
    const all = await similar();
    for (const status of ['opened', 'closed'] as const) {
      const { results } = await similar(`status=${status}`);
      expect(results.map(({ issue }) => issue.id)).toEqual(
        all.results.filter(({ issue }) => issue.state === status).map(({ issue }) => issue.id),
      );
      expect(results.length).toBeGreaterThan(0);
    }
    const before = '2024-05-01T12:09:00.000Z';
    const { results } = await similar(`created_before=${before}`);
    expect(results.map(({ issue }) => issue.id)).toEqual(
      all.results.filter(({ issue }) => issue.created_at < before).map(({ issue }) => issue.id),
    );
    expect(results.length).toBeGreaterThan(3);
    expect((await similar('created_before=1990-01-01T00:00:00Z')).results).toEqual([]);
    const best = await caller.get(`/issues/${key}/similar?limit=2&created_before=${before}`, similarIssues);
    expect(best.results).toEqual(results.slice(0, 2));
  });

  test('returns none for a pull request', async () => {
    const number = github.state().repos[0]?.issues.find(({ pull_request }) => pull_request)?.number;
    expect((await similar('', encodeURIComponent(`acme/app#${number}`))).results).toEqual([]);
  });

  test('returns 422 with the candidates for a key that two trackers share', async () => {
    const stranger = await winnow.newCaller();
    for (const tracker of [await connect(stranger, github), await connect(stranger, github)]) {
      await whenSynced(stranger, tracker.id);
    }
    const failure = await stranger.fail('GET', `/issues/${key}`, 422);
    expect(failure.code).toBe('ambiguous_key');
    expect(failure.fields).toHaveLength(2);
    for (const { path } of failure.fields ?? []) {
      const one = await stranger.get(`/issues/${path}`, z.object({ key: z.string() }));
      expect(one.key).toBe('acme/app#5');
    }
  });
});

/** Returns a passage without its whitespace. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

import { type Cluster, clusterList } from '@winnow/contract/cluster';
import { searchResults, searchType } from '@winnow/contract/search';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectAgent, newKey } from '../../mcp/testing/agent.ts';
import { type Backlog, newBacklog } from '../../testing/backlog.ts';
import type { Caller } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { differentIssues, whenCompared } from '../../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../../testing/running-winnow.ts';

const ALL_TYPES = 'item_types=issue,comment,change_request';
const EVERYWHERE = '-999,-999,999,999';
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const EXPORT = 'The export button does nothing after the second click on a slow connection.';

let winnow: RunningWinnow;
let mine: Backlog;
let theirs: Backlog;
let cluster: Cluster;

beforeAll(async () => {
  winnow = await startWinnow();
  [mine, theirs] = await Promise.all([newAccount(), newAccount()]);
  cluster = await clusterOf(mine.caller);
});
afterAll(async () => {
  await winnow.close();
  await Promise.all([mine.github.close(), theirs.github.close()]);
});

/**
 * Creates an account with a cluster of two issues. One of them has a comment. Further issues are
 * outside the cluster.
 */
async function newAccount(): Promise<Backlog> {
  const comments = (body: string) => ({ comments: [{ user: 'ada', body }] });
  const backlog = await newBacklog(winnow, [
    { title: 'Export button dead', body: EXPORT, ...comments('The export fails for me, too.') },
    { title: 'Export button dead', body: EXPORT, state: 'closed' },
    { title: 'Printed invoices lack a page', body: 'Half.', ...comments('The export lacks it, too.') },
    { title: 'Let the export shine', body: 'As a change.', pull_request: true },
    ...differentIssues(12),
  ]);
  await whenCompared(backlog.caller);
  return backlog;
}

function clusterOf(caller: Caller): Promise<Cluster> {
  return eventually(async () => {
    const { clusters } = await caller.get('/clusters?status=all&probability_threshold=0', clusterList);
    return clusters.find(({ name }) => name.includes('Export')) ?? null;
  });
}

function search(more: string, clusterId = cluster.id) {
  return mine.caller.get(`/search?cluster_id=${clusterId}&${more}`, searchResults.strict());
}

function keysIn({ results }: Awaited<ReturnType<typeof search>>): string[] {
  return results.map(({ item_type: type, item }) => (type === 'comment' ? 'comment' : item.key)).sort();
}

test('a cluster that is unknown, of another account or malformed is refused alike', async () => {
  const { id: foreign } = await clusterOf(theirs.caller);
  const refused = async (clusterId: string, query: string) => {
    const { code, detail } = await mine.caller.fail('GET', `/search?cluster_id=${clusterId}&${query}`, 404);
    return [code, detail];
  };
  const message = 'This cluster does not exist. Its issues may have left it.';
  for (const query of ['query=', 'query=export', `query=export&region=${EVERYWHERE}`]) {
    expect(await refused(foreign, query)).toEqual(['not_found', message]);
    expect(await refused(UNKNOWN_ID, query)).toEqual(['not_found', message]);
  }
  for (const malformed of ['', '12', `${cluster.id}'`, `${cluster.id}&cluster_id=${cluster.id}`]) {
    const { fields } = await mine.caller.fail('GET', `/search?cluster_id=${malformed}`, 422);
    expect(fields?.map(({ path }) => path)).toEqual(['cluster_id']);
  }
});

test.each(searchType.options)('a %s search lists only issues of the cluster', async (type) => {
  const anywhere = await mine.caller.get(
    `/search?query=export+printer&search_type=${type}&limit=100`,
    searchResults,
  );
  expect(anywhere.total).toBeGreaterThan(1);
  const found = await search(`query=export+printer&search_type=${type}&include=ids`);
  expect(keysIn(found)).toEqual(['acme/app#1', 'acme/app#2']);
  expect([found.total, found.ids?.length, found.region_total]).toEqual([2, 2, null]);
});

test('without a query, a cluster lists its newest issues, page by page and by status', async () => {
  const [first, second] = [await search('limit=1'), await search('limit=1&skip=1')];
  expect([first.total, second.total]).toEqual([2, 2]);
  expect([...keysIn(first), ...keysIn(second)].sort()).toEqual(['acme/app#1', 'acme/app#2']);
  expect(keysIn(await search('status=closed'))).toEqual(['acme/app#2']);
});

test('comments are found on issues of the cluster only', async () => {
  for (const query of ['', 'export']) {
    const found = await search(`query=${query}&${ALL_TYPES}`);
    expect(keysIn(found)).toEqual(['acme/app#1', 'acme/app#2', 'comment']);
  }
  const comments = await search('query=export&item_types=comment');
  expect(comments.results.map(({ item }) => ('body' in item ? item.body : ''))).toEqual([
    'The export fails for me, too.',
  ]);
});

test('an issue named by its key is found only in its cluster', async () => {
  expect(keysIn(await search(`query=${encodeURIComponent('acme/app#1')}&search_type=fulltext`))).toContain(
    'acme/app#1',
  );
  const others = await search(`query=${encodeURIComponent('acme/app#3')}&search_type=fulltext`);
  expect(keysIn(others)).not.toContain('acme/app#3');
});

test('cluster, region and project all apply, and the region is counted without the cluster', async () => {
  const [project] = cluster.projects;
  const found = await search(`region=${EVERYWHERE}&project_id=${project?.id}`);
  expect([found.total, found.region_total]).toEqual([2, 15]);
  expect((await search('region=900,900,901,901')).total).toBe(0);
});

test('an agent can search in a cluster, and gets a hint how to find one if the cluster is unknown', async () => {
  const { key } = await newKey(mine.caller);
  const agent = await connectAgent(winnow.origin, key);
  const { results, total } = await agent.use('search_issues', { query: 'export', cluster_id: cluster.id });
  expect(results.map(({ issue }) => issue.key).sort()).toEqual(['acme/app#1', 'acme/app#2']);
  expect(total).toBe(2);
  const { id: foreign } = await clusterOf(theirs.caller);
  for (const clusterId of [foreign, UNKNOWN_ID]) {
    await expect(agent.use('search_issues', { cluster_id: clusterId })).rejects.toThrow(
      'Cluster not found. Find its id with list_clusters.',
    );
  }
  await agent.close();
});

test('a cluster whose other issues were deleted is not found', async () => {
  const accountId = await theirs.caller.accountId();
  const { id } = await clusterOf(theirs.caller);
  await sql`delete from issue where account_id = ${accountId} and key = 'acme/app#2'`.execute(
    winnow.database.db,
  );
  await theirs.caller.fail('GET', `/search?cluster_id=${id}`, 404);
});

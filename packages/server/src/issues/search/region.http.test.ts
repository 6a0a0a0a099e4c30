import { projectList } from '@winnow/contract/issue';
import { issueMap, regionText, searchResults, searchType } from '@winnow/contract/search';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { connect, differentIssues, startGitHub, whenCompared, whenSynced } from '../../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../../testing/running-winnow.ts';

const EVERYWHERE = '-999,-999,999,999';
const ALL_TYPES = 'item_types=issue,comment,change_request';
const ON_THE_MAP = 33;

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
let stranger: Caller;
let half: { region: string; inside: string[] };

beforeAll(async () => {
  winnow = await startWinnow();
  github = await startGitHub(
    [
      { title: 'Printer freezes at night', body: 'It was closed.', state: 'closed' },
      {
        title: 'Printer vanishes',
        body: 'From the list.',
        comments: [{ user: 'ada', body: 'My printer, too' }],
      },
      { title: 'Let the printer shine', body: 'As a change.', pull_request: true },
      ...differentIssues(30),
    ],
    {
      seed: {
        repos: [{ owner: 'acme', name: 'web', issues: [{ title: 'Printer of the web', body: 'Grey.' }] }],
      },
    },
  );
  [caller, stranger] = await Promise.all([connected(), connected()]);
  half = await leftHalf();
});
afterAll(async () => {
  await winnow.close();
  await github.close();
});

async function connected(): Promise<Caller> {
  const user = await winnow.newCaller();
  const { id } = await connect(user, github);
  await whenSynced(user, id);
  await whenCompared(user);
  return user;
}

/** Returns a region with the left half of the map. Its right edge is at the issue in the middle. */
async function leftHalf() {
  const { data } = await caller.get('/embeddings', issueMap);
  const right = data.map(({ x }) => x).sort((one, other) => one - other)[Math.floor(data.length / 2)] ?? 0;
  return {
    region: regionText({ left: -999, lower: -999, right, upper: 999 }),
    inside: data.filter(({ x }) => x <= right).map(({ issue_id: id }) => id),
  };
}

function search(query: string, more: string, user = caller) {
  return user.get(`/search?query=${encodeURIComponent(query)}&${more}`, searchResults.strict());
}

function idsIn({ results }: Awaited<ReturnType<typeof search>>): string[] {
  return results.map(({ item }) => item.id);
}

test('a region lists exactly the issues that the map shows there, page by page', async () => {
  const { region, inside } = half;
  expect([inside.length, ON_THE_MAP]).toEqual([17, 33]);
  const found: string[] = [];
  for (let skip = 0; skip < inside.length; skip += 5) {
    const page = await search('', `region=${region}&limit=5&skip=${skip}`);
    expect([page.total, page.region_total]).toEqual([inside.length, inside.length]);
    found.push(...idsIn(page));
  }
  expect(found.toSorted()).toEqual(inside.toSorted());
  expect((await search('', `region=${region}&skip=${inside.length}`)).results).toEqual([]);
});

test.each(searchType.options)(
  'a %s search in a region finds the global results that are in the region',
  async (type) => {
    const { region, inside } = half;
    const query = 'printer report crashes';
    const anywhere = await search(query, `search_type=${type}&include=ids`);
    const there = await search(query, `search_type=${type}&region=${region}&limit=100&include=ids`);
    const wanted = anywhere.ids?.filter((id) => inside.includes(id)) ?? [];
    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.length).toBeLessThan(anywhere.total);
    expect(there.ids?.toSorted()).toEqual(wanted.toSorted());
    expect(idsIn(there)).toEqual(there.ids);
    expect([there.total, there.region_total]).toEqual([wanted.length, inside.length]);
  },
);

test('an item named by its id is found only in its region', async () => {
  const { region, inside } = half;
  for (const id of idsIn(await search('', 'limit=100'))) {
    expect(idsIn(await search(id, `region=${region}`))).toEqual(inside.includes(id) ? [id] : []);
  }
});

test('comments and change requests are in no region', async () => {
  for (const query of ['', 'printer']) {
    const anywhere = await search(query, `${ALL_TYPES}&limit=100`);
    expect(new Set(anywhere.results.map(({ item_type: type }) => type)).size).toBe(3);
    const all = await search(query, `${ALL_TYPES}&limit=100&region=${EVERYWHERE}`);
    expect(new Set(all.results.map(({ item_type: type }) => type))).toEqual(new Set(['issue']));
    const none = await search(query, `item_types=comment,change_request&region=${EVERYWHERE}`);
    expect([none.results, none.total, none.region_total]).toEqual([[], 0, ON_THE_MAP]);
  }
});

test('a region refers to the map of its projects and its status', async () => {
  const closed = await search('', `region=${EVERYWHERE}&status=closed`);
  expect(closed.results.map(({ item }) => ('title' in item ? item.title : ''))).toEqual([
    'Printer freezes at night',
  ]);
  const projects = await caller.get('/projects', projectList);
  const web = projects.find(({ identifier }) => identifier === 'acme/web')?.id ?? '';
  const { total, region_total: regionTotal } = await search('', `region=${EVERYWHERE}&project_id=${web}`);
  expect([total, regionTotal]).toEqual([1, 1]);
});

test('a region without issues finds nothing', async () => {
  for (const query of ['', 'printer', '#1']) {
    const { results, total, region_total: regionTotal } = await search(query, 'region=900,900,901,901');
    expect([results, total, regionTotal]).toEqual([[], 0, 0]);
  }
});

test('a region does not contain issues of other accounts', async () => {
  for (const query of ['', 'printer']) {
    const more = `region=${EVERYWHERE}&limit=100&include=ids`;
    const [mine, theirs] = [await search(query, more), await search(query, more, stranger)];
    expect(mine.total).toBeGreaterThan(0);
    expect(theirs.total).toBe(mine.total);
    const isMine = new Set([...idsIn(mine), ...(mine.ids ?? [])]);
    expect([...idsIn(theirs), ...(theirs.ids ?? [])].filter((id) => isMine.has(id))).toEqual([]);
  }
});

test.each([
  '',
  '1,2,3',
  '1,2,3,4,5',
  '2,0,1,1',
  '0,2,1,1',
  'a,b,c,d',
  '0,0,1,1e9',
  '0,0,1,NaN',
  '0,0,1,1000',
  '0, 0,1,1',
  '0,0,1,0.00001',
])('refuses an invalid region with an explanation: %j', async (region) => {
  const { fields } = await caller.fail('GET', `/search?region=${encodeURIComponent(region)}`, 422);
  expect(fields).toEqual([
    { path: 'region', message: expect.stringContaining('A region is four numbers between -1000 and 1000') },
  ]);
  await caller.fail('GET', '/search?region=0,0,1,1&region=0,0,2,2', 422);
});

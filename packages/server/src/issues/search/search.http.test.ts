import { randomUUID } from 'node:crypto';
import { projectList } from '@winnow/contract/issue';
import {
  issueMap,
  MAX_COUNTED_RESULTS,
  MAX_QUERY_CHARS,
  type SearchResult,
  searchResults,
  searchType,
} from '@winnow/contract/search';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { GitHubSeedIssue } from '@winnow/emulators/github/seed';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  connect,
  differentIssues,
  minutesAfterStart,
  startGitHub,
  whenCompared,
  whenSynced,
} from '../../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../../testing/running-winnow.ts';

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
let stranger: Caller;
let accountId: string;
let projects: { app: string; web: string };

const TRACE = `java.lang.IllegalStateException: Session expired\n${'\tat com.acme.Session.check(Session.java:42)\n'.repeat(22)}`;
const ISSUES: GitHubSeedIssue[] = [
  {
    title: 'Login button stays grey',
    body: 'After the password was entered, the login button cannot be clicked.',
  },
  {
    title: 'Sign-in impossible on slow connections',
    body: 'The page waits for ever. Nothing happens.',
    comments: [
      { user: 'ada', body: 'Seen with Firefox on a train; the logo flickers.' },
      { user: 'ada', body: 'Same on hotel wifi.' },
    ],
  },
  {
    title: 'Report is exported without its legend',
    body: `Its "legend" is missing.\n\n${TRACE}`,
    state: 'closed',
  },
  { title: '日本語のファイル名が文字化けする', body: 'アップロードすると名前が読めない。' },
  { title: 'Crash in fs.s3a.FileSystem since 4.3.1', body: 'readAheadCount is negative.' },
  { title: 'Make the login button blue', body: 'It shall stand out.', pull_request: true },
];

beforeAll(async () => {
  winnow = await startWinnow();
  const dated = (issues: GitHubSeedIssue[]) =>
    issues.map((issue, index) => ({ ...issue, created_at: minutesAfterStart(1_000 + index) }));
  github = await startGitHub([...dated(ISSUES), ...differentIssues(40)], {
    seed: {
      repos: [
        {
          owner: 'acme',
          name: 'web',
          issues: dated([{ title: 'Login page of the web shop', body: 'Ugly.' }]),
        },
      ],
    },
  });
  [caller, stranger] = await Promise.all([connected(), connected()]);
  accountId = await caller.accountId();
  projects = await projectsOf(caller);
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

async function projectsOf(user: Caller) {
  const found = await user.get('/projects', projectList);
  const named = (identifier: string) => found.find((one) => one.identifier === identifier)?.id ?? '';
  return { app: named('acme/app'), web: named('acme/web') };
}

function search(query: string, more = '', user = caller) {
  return user.get(`/search?query=${encodeURIComponent(query)}&${more}`, searchResults.strict());
}

function titleOf({ item_type: type, item }: SearchResult): string {
  return type === 'comment' ? `> ${item.body}` : item.title;
}

/** Returns all pages of a search. */
async function searchAll(query: string, more: string, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const { results } = await search(query, `${more}&limit=${limit}&skip=${found.length}`);
    found.push(...results.map(({ item }) => item.id));
    if (results.length < limit) return found;
  }
}

describe.each(searchType.options)('a %s search', (type) => {
  test('finds issues by their words, best first, and highlights the words', async () => {
    const { results, total, notice } = await search('login button', `search_type=${type}`);
    expect(results[0] && titleOf(results[0])).toBe('Login button stays grey');
    expect(notice).toBeNull();
    expect(total).toBeGreaterThan(0);
    for (const { item_type: itemType, item, highlights, similarity } of results) {
      if (itemType === 'comment') throw new Error('Comments were not asked for.');
      expect(similarity).toBeGreaterThanOrEqual(0);
      for (const { field, start, end } of highlights) {
        const text = field === 'title' ? item.title : item.description;
        expect(text.slice(start, end)).toMatch(/^(?:log|button)/i);
      }
    }
  });

  test('finds change requests and comments only on request, ranked with the issues', async () => {
    const of = async (types: string) =>
      (await search('login button blue flickers', `search_type=${type}&item_types=${types}`)).results;
    expect((await of('change_request')).map(titleOf)).toEqual(['Make the login button blue']);
    const comments = await of('comment');
    expect(comments.map(titleOf)).toEqual(['> Seen with Firefox on a train; the logo flickers.']);
    expect(comments[0]).toMatchObject({
      item: { issue: { title: 'Sign-in impossible on slow connections' } },
    });
    const all = await of('issue,change_request,comment');
    expect(new Set(all.map(({ item_type: found }) => found))).toEqual(
      new Set(['issue', 'change_request', 'comment']),
    );
    expect(all.filter(({ item_type: found }) => found === 'issue').length).toBeGreaterThan(0);
  });

  test('lists items named by key, number, id or URL first', async () => {
    const { results } = await search('Sign-in impossible');
    const id = results[0]?.item.id ?? '';
    for (const name of [
      'acme/app#2',
      'ACME/app#2',
      'app#2',
      id.toUpperCase(),
      `${github.url}/acme/app/issues/2#top`,
    ]) {
      const [first] = (await search(name, `search_type=${type}`)).results;
      expect(first, name).toMatchObject({ item: { id }, similarity: 1 });
      expect(first?.highlights).toContainEqual({ field: 'key', start: 0, end: 'acme/app#2'.length });
    }
    const numbered = await search('#1', `search_type=${type}`);
    const keys = numbered.results.map((found) => (found.item_type === 'comment' ? '' : found.item.key));
    expect(keys.slice(0, 2)).toEqual(['acme/app#1', 'acme/web#1']);
    const bare = await search('1', `search_type=${type}`);
    expect(bare.results.slice(0, 2).map(({ item }) => item.id)).toEqual(
      numbered.results.slice(0, 2).map(({ item }) => item.id),
    );
    expect(
      (await search('acme/app#2', `search_type=${type}&status=closed`)).results.map(({ item }) => item.id),
    ).not.toContain(id);
  });

  test('is limited to projects and states', async () => {
    const filtered = async (filter: string) =>
      (await search('login', `search_type=${type}&${filter}`)).results.map(titleOf);
    expect(await filtered(`project_id=${projects.web}`)).toEqual(['Login page of the web shop']);
    expect(await filtered(`project_id=${projects.web.slice(0, 8)}&project_id=${projects.app}`)).toContain(
      'Login button stays grey',
    );
    expect(await filtered('status=closed')).not.toContain('Login button stays grey');
    expect(await filtered('status=opened')).toContain('Login button stays grey');
    expect(await filtered(`project_id=${randomUUID()}`)).toEqual([]);
  });

  test('pages without repetition or omission, and ends', async () => {
    const filter = `search_type=${type}&item_types=issue,comment`;
    for (const query of ['the', 'invoice vanishes and the printer freezes', '']) {
      const { total } = await search(query, filter);
      const whole = await searchAll(query, filter, 100);
      expect(whole).toHaveLength(total);
      expect(new Set(whole).size).toBe(total);
      expect(await searchAll(query, filter, 7)).toEqual(whole);
      expect((await search(query, `${filter}&skip=5000`)).results).toEqual([]);
    }
  });

  test.each([
    '...',
    `' " \\ & | ! ( ) : * <->`,
    'a & !b | (c <-> d):*',
    '"unfinished',
    '-',
    '-login',
    '🔥',
    '日本語',
    'the of and',
    '"the of"',
    'لا يمكن حفظ الملف',
    '"שלום עולם" -login',
    '%_\\',
    "' or 1=1 --",
    'login',
    'x'.repeat(MAX_QUERY_CHARS),
    TRACE.slice(0, MAX_QUERY_CHARS),
    'ab '.repeat(333),
    '12345678901234567890',
    '#99999999999999999999',
    'https://',
    'http://[',
  ])('accepts %j', async (query) => {
    const { results, total } = await search(
      query,
      `search_type=${type}&item_types=issue,change_request,comment&limit=100`,
    );
    expect(results).toHaveLength(Math.min(100, total));
  });
});

describe('a query', () => {
  test.each([
    ['exp', 'Report is exported without its legend'],
    ['"password was entered"', 'Login button stays grey'],
    ['文字化け', '日本語のファイル名が文字化けする'],
    ['filesystem crash', 'Crash in fs.s3a.FileSystem since 4.3.1'],
    ['read ahead count', 'Crash in fs.s3a.FileSystem since 4.3.1'],
    [TRACE.slice(0, 900), 'Report is exported without its legend'],
    ['grey button, unclickable after typing my password', 'Login button stays grey'],
  ])('%j finds %j', async (query, title) => {
    expect((await search(query)).results.map(titleOf)[0]).toBe(title);
  });

  test('is matched as a phrase even if very many issues contain its words', async () => {
    const { db } = winnow.database;
    const user = await winnow.newCaller();
    const { id } = await connect(user, github);
    await whenSynced(user, id);
    const account_id = await user.accountId();
    const original = await db
      .selectFrom('issue')
      .selectAll()
      .where('account_id', '=', account_id)
      .limit(1)
      .executeTakeFirstOrThrow();
    const issueOf = (number: number, title: string, description: string, created: string) => ({
      ...original,
      id: randomUUID(),
      external_id: `copy ${number}`,
      key: `acme/app#${9_000 + number}`,
      title,
      description,
      created_at: new Date(created),
    });
    const apart = Array.from({ length: 2_100 }, (_, number) =>
      issueOf(number, `Zoo ${number}`, 'A quoll and a wombat.', '2020-01-01'),
    );
    const together = [
      issueOf(3_000, 'Which quoll wombat is it', '', '2010-01-01'),
      issueOf(3_001, 'Newest of all', 'Here is the quoll wombat.', '2030-01-01'),
    ];
    // Inserts the issues in parts, because a PostgreSQL statement has at most 65,535 parameters.
    for (const some of [apart.slice(0, 1_000), apart.slice(1_000), together]) {
      await db.insertInto('issue').values(some).execute();
    }
    const found = async (query: string) => {
      const { notice, ...answer } = await search(query, 'search_type=fulltext', user);
      return notice === null && answer;
    };
    const phrase = await eventually(() => found('"quoll wombat"'));
    expect([phrase.results.map(titleOf), phrase.total]).toEqual([
      ['Which quoll wombat is it', 'Newest of all'],
      2,
    ]);
    expect(await found('quoll wombat')).toMatchObject({ total: MAX_COUNTED_RESULTS, total_is_capped: true });
    expect(await found('"quoll wombat" -newest')).toMatchObject({ total: 1 });
  });

  test('applies exclusions to results by words and by meaning', async () => {
    for (const type of searchType.options) {
      const { results } = await search('login -grey', `search_type=${type}`);
      expect(results.map(titleOf)).not.toContain('Login button stays grey');
      expect(results.map(titleOf)).toContain('Login page of the web shop');
    }
  });

  test('without results differs from an invalid one', async () => {
    await caller.fail('GET', `/search?query=${'x'.repeat(MAX_QUERY_CHARS + 1)}`, 422);
    await caller.fail('GET', '/search?search_type=guess', 422);
    await caller.fail('GET', '/search?item_types=issue,pull', 422);
    await caller.fail('GET', '/search?project_id=nothing', 422);
    await caller.fail('GET', '/search?limit=101', 422);
    await caller.fail('GET', '/search?query=%00login', 400);
    await caller.fail('GET', '/search?query=%ED%A0%80login', 400);
    const { results } = await search('', 'search_type=similarity&embedding_type=issue&sort=newest&limit=3');
    expect(results.map(titleOf)).toEqual([
      'Crash in fs.s3a.FileSystem since 4.3.1',
      '日本語のファイル名が文字化けする',
      'Report is exported without its legend',
    ]);
    expect(
      results.every(({ similarity, highlights }) => similarity === null && highlights.length === 0),
    ).toBe(true);
  });

  test('finds an item as soon as it is stored, and not after it is removed', async () => {
    const { db } = winnow.database;
    const original = await db
      .selectFrom('issue')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('key', '=', 'acme/app#1')
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 20 }, (_, index) => ({
      ...original,
      id: randomUUID(),
      external_id: `copy ${index}`,
      key: `acme/app#${7_000 + index}`,
      title: `Quokka number ${index}`,
    }));
    await db.insertInto('issue').values(copies).execute();
    const found = async () => (await search('quokka', 'search_type=fulltext')).total;
    expect(await found()).toBe(20);
    await db
      .updateTable('issue')
      .set({ title: 'Wombat' })
      .where('id', '=', copies[0]?.id ?? '')
      .execute();
    expect(await found()).toBe(19);
    expect((await search('wombat', 'search_type=fulltext')).total).toBe(1);
    await db
      .updateTable('issue')
      .set({ state: 'closed' })
      .where('id', '=', copies[1]?.id ?? '')
      .execute();
    expect((await search('quokka', 'search_type=fulltext&status=closed')).total).toBe(1);
    await db.deleteFrom('issue').where('title', 'like', 'Quokka%').execute();
    expect(await found()).toBe(0);
    await db.deleteFrom('issue').where('title', '=', 'Wombat').execute();
  });

  test(`is counted up to ${MAX_COUNTED_RESULTS}`, async () => {
    const { db } = winnow.database;
    const user = await winnow.newCaller();
    const { id } = await connect(user, github);
    await whenSynced(user, id);
    const account_id = await user.accountId();
    const original = await db
      .selectFrom('issue')
      .selectAll()
      .where('account_id', '=', account_id)
      .limit(1)
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: MAX_COUNTED_RESULTS + 1 }, (_, index) => ({
      ...original,
      id: randomUUID(),
      external_id: `copy ${index}`,
      key: `acme/app#${9_000 + index}`,
      title: `Numbat ${index}`,
      description: '',
    }));
    await db.insertInto('issue').values(copies).execute();
    const { total, total_is_capped } = await eventually(async () => {
      const answer = await search('numbat', 'search_type=fulltext', user);
      return answer.notice === null && answer;
    });
    expect([total, total_is_capped]).toEqual([MAX_COUNTED_RESULTS, true]);
    const answer = await user.call('GET', '/search?query=numbat&search_type=fulltext&skip=990&limit=100');
    expect(answer.headers.get('x-total-count')).toBe(String(MAX_COUNTED_RESULTS));
    expect(searchResults.parse(answer.body).results).toHaveLength(10);
    // A listing of all items can be paged to its end. Search results end at a maximum.
    const newest = await search('', 'limit=1', user);
    expect(newest.total).toBeGreaterThan(MAX_COUNTED_RESULTS);
    expect(newest.total_is_capped).toBe(false);
    const { results } = await search('', `limit=100&skip=${newest.total - 1}`, user);
    expect(results).toHaveLength(1);
  });
});

describe('another account', () => {
  test('finds nothing of this account by id or project', async () => {
    const mine = await search('login', 'limit=100');
    const ids = mine.results.map(({ item }) => item.id);
    const theirs = await search('login', 'limit=100', stranger);
    expect(theirs.results.map(titleOf).sort()).toEqual(mine.results.map(titleOf).sort());
    expect(theirs.results.filter(({ item }) => ids.includes(item.id))).toEqual([]);
    for (const type of searchType.options) {
      for (const id of ids.slice(0, 2)) {
        const { results } = await search(
          id,
          `search_type=${type}&item_types=issue,change_request,comment`,
          stranger,
        );
        // Parts of an id of another account are ordinary words, such as `be`. They may occur in the
        // account's own texts.
        expect(results.filter(({ item }) => ids.includes(item.id))).toEqual([]);
      }
      for (const query of ['login', '', '#1', 'acme/app#1']) {
        for (const project of [projects.app, projects.app.slice(0, 8)]) {
          const { results, total } = await search(
            query,
            `search_type=${type}&project_id=${project}`,
            stranger,
          );
          expect([results, total]).toEqual([[], 0]);
        }
      }
    }
    const map = await stranger.get(`/embeddings?project_ids=${projects.app}`, issueMap);
    expect([map.data, map.missing]).toEqual([[], 0]);
  });

  test('needs a token', async () => {
    for (const path of ['/search?query=login', '/embeddings']) {
      expect((await fetch(`${winnow.origin}/api/v1${path}`)).status).toBe(401);
    }
  });
});

describe('the map', () => {
  test('keeps every issue in its place when others are filtered out', async () => {
    const map = await caller.get('/embeddings', issueMap.strict());
    expect(map).toMatchObject({ missing: 0, capped_at: null });
    expect(map.data).toHaveLength(46);
    expect(await caller.get('/embeddings', issueMap)).toEqual(map);
    const web = await caller.get(`/embeddings?project_ids=${projects.web},${randomUUID()}`, issueMap);
    expect(web.data).toEqual(map.data.filter(({ project_id: id }) => id === projects.web));
    const closed = await caller.get('/embeddings?status=closed', issueMap);
    expect(closed.data).toEqual(map.data.filter(({ state }) => state === 'closed'));
  });

  test('reports the size of each theme, the largest first', async () => {
    const { data, clusters } = await caller.get('/embeddings', issueMap);
    const inThemes = data.filter(({ cluster_id: cluster }) => cluster !== null);
    const themes = Map.groupBy(inThemes, ({ cluster_id: cluster }) => cluster);
    const sizes = clusters.map(({ issues }) => issues);
    expect(clusters.map(({ cluster_id: cluster }) => themes.get(cluster)?.length)).toEqual(sizes);
    expect(clusters).toHaveLength(themes.size);
    expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  });

  test('returns vectors on request', async () => {
    const { data } = await caller.get(`/embeddings?include=vectors&project_ids=${projects.web}`, issueMap);
    const bytes = Buffer.from(data[0]?.vector ?? '', 'base64');
    const squares = Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4) ** 2);
    expect(bytes.length).toBe(384 * 4);
    expect(squares.reduce((sum, square) => sum + square, 0)).toBeCloseTo(1, 3);
  });

  test('of an account without issues is empty', async () => {
    const user = await winnow.newCaller();
    expect(await user.get('/embeddings', issueMap)).toEqual({
      data: [],
      clusters: [],
      missing: 0,
      capped_at: null,
    });
    expect((await search('anything', '', user)).total).toBe(0);
    expect((await search('', '', user)).total).toBe(0);
  });
});

test('a hybrid search never finds less than a search by words, also right after the first sync', async () => {
  const user = await winnow.newCaller();
  const { id } = await connect(user, github);
  await whenSynced(user, id);
  const idsOf = async (query: string, type: string, items: string) => {
    const types = items.split(',').map((one) => `item_types=${one}`);
    const more = [`search_type=${type}`, 'limit=100', ...types].join('&');
    return (await search(query, more, user)).results.map(({ item }) => item.id);
  };
  for (const query of [
    'login legend',
    'the login of a train',
    'session zebra',
    'blue button password wifi',
    'negative grey -shop',
    'legend',
  ]) {
    for (const items of ['issue', 'issue,change_request,comment']) {
      const hybrid = await idsOf(query, 'hybrid', items);
      const byWords = await idsOf(query, 'fulltext', items);
      expect(byWords.filter((one) => !hybrid.includes(one))).toEqual([]);
      expect(new Set(hybrid).size).toBe(hybrid.length);
      // Issues that contain only some of the words are ranked only if the requested page contains
      // such issues.
      const types = items.split(',').map((one) => `item_types=${one}`);
      const short = ['search_type=hybrid', 'limit=1', ...types].join('&');
      const { total, results } = await search(query, short, user);
      expect([total, ...results.map(({ item }) => item.id)]).toEqual([hybrid.length, ...hybrid.slice(0, 1)]);
    }
  }
});

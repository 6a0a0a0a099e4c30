import { randomUUID } from 'node:crypto';
import { currentUser } from '@winnow/contract/account';
import { resolutionResult } from '@winnow/contract/change';
import { pairList } from '@winnow/contract/duplicate';
import { issuesCount, organizationList, projectList, similarIssues } from '@winnow/contract/issue';
import { issueDetail } from '@winnow/contract/issue-detail';
import {
  connectionTestResult,
  MAX_TRACKERS,
  projectChoice,
  type Tracker,
  tracker,
} from '@winnow/contract/tracker';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import {
  connect,
  include,
  minutesAfterStart,
  startGitHub,
  syncAgain,
  TOKEN,
  trackerOf,
  whenSynced,
  whenTracker,
} from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const READ_ONLY = 'github_pat_0123456789abcdefghijklmnop';
const UNTOLD = 'github_pat_tells_nothing_of_writing_0123';
const SCOPELESS = 'ghp_this_one_has_no_scopes_whatsoever';
const SECOND_TOKEN = 'ghp_second_token_of_the_same_person_xyz';
const WRONG_TOKEN = 'ghp_nobody_ever_was_given_this_token';
const TEXT = 'The list of invoices is empty after changing the year, although there were invoices in it.';

let winnow: RunningWinnow;
let github: GitHubEmulator;
let elsewhere: GitHubEmulator;
let stopped: GitHubEmulator;
let caller: Caller;
const callers: Caller[] = [];

beforeAll(async () => {
  winnow = await startWinnow();
  const options = {
    seed: {
      tokens: [
        { token: SECOND_TOKEN, login: 'ada' },
        { token: SCOPELESS, login: 'ada', scopes: [] },
        {
          token: UNTOLD,
          login: 'ada',
          repos: [{ full_name: 'acme/app', permission: 'write' as const, issues: 'read' as const }],
        },
        { token: READ_ONLY, login: 'ada', repos: [{ full_name: 'acme/app', permission: 'read' as const }] },
      ],
      repos: [
        {
          owner: 'acme',
          name: 'web',
          issues: [
            { title: 'Invoices missing', body: TEXT, created_at: minutesAfterStart(3) },
            { title: 'Dark mode', body: null },
          ],
        },
        { owner: 'acme', name: 'bare', issues: [] },
        { owner: 'ada', name: 'notes', issues: [{ title: 'Buy paper', body: null }] },
      ],
    },
  };
  const issues = [
    { title: 'Invoices missing', body: TEXT, created_at: minutesAfterStart(1) },
    { title: 'Invoices are missing', body: TEXT, created_at: minutesAfterStart(2) },
  ];
  github = await startGitHub(issues, options);
  elsewhere = await startGitHub(issues, options);
  stopped = await startGitHub([]);
  await stopped.close();
  caller = await newCaller();
});
afterAll(async () => {
  await winnow.close();
  await Promise.all([github.close(), elsewhere.close()]);
});

async function newCaller(): Promise<Caller> {
  const made = await winnow.newCaller();
  callers.push(made);
  return made;
}

function testConnection(body: Record<string, unknown>) {
  return caller.send(
    'POST',
    '/trackers/test-and-list-orgs',
    { tracker_type: 'github', ...body },
    connectionTestResult,
  );
}

async function trackersOf(who: Caller): Promise<Tracker[]> {
  return who.get('/trackers', z.array(tracker.strict()));
}

async function keysOf(who: Caller): Promise<string[]> {
  const { duplicates } = await who.get('/issue-duplicates?scope=account&limit=100', pairList);
  return duplicates.map(({ issue1, issue2 }) => `${issue1.key} ${issue2.key}`).sort();
}

describe('a connection that does not work', () => {
  const faults: [string, () => Record<string, unknown>, RegExp][] = [
    ['a wrong token', () => ({ url: github.url, api_key: WRONG_TOKEN }), /did not accept this token/],
    [
      'a host on which nothing listens',
      () => ({ url: stopped.url }),
      /Nothing responds at 127\.0\.0\.1:\d+\./,
    ],
    ['a host that does not exist', () => ({ url: 'https://tracker.invalid' }), /tracker\.invalid/],
    ['a private address', () => ({ url: 'http://10.1.2.3' }), /OUTBOUND_ALLOWED_HOSTS/],
    ['the address of cloud metadata', () => ({ url: 'http://169.254.169.254' }), /OUTBOUND_ALLOWED_HOSTS/],
    ['a private IPv6 address', () => ({ url: 'http://[fd00::1]:8080' }), /OUTBOUND_ALLOWED_HOSTS/],
    [
      'a private address in an unusual notation',
      () => ({ url: 'http://0xa010203' }),
      /OUTBOUND_ALLOWED_HOSTS/,
    ],
    [
      'a site that is not GitHub',
      () => ({ url: `${winnow.origin}/somewhere` }),
      /No GitHub server was found/,
    ],
  ];

  test.concurrent.each(faults)(
    '(%s) is reported everywhere, and nothing is saved',
    async (_, change, sentence) => {
      const connection = { tracker_type: 'github', url: github.url, api_key: TOKEN, ...change() };
      const [saving, tryingOut, projects] = await Promise.all([
        caller.fail('POST', '/trackers', 400, trackerOf(github, change())),
        testConnection(connection),
        caller.fail('POST', '/trackers/list-projects-for-org', 400, {
          ...connection,
          organization_identifier: 'acme',
        }),
      ]);
      expect(saving).toEqual({ code: 'connection_failed', detail: expect.stringMatching(sentence) });
      expect(tryingOut).toEqual({ success: false, message: expect.stringMatching(sentence), orgs: [] });
      expect(projects).toEqual({ code: 'connection_failed', detail: expect.stringMatching(sentence) });
      expect(await trackersOf(caller)).toEqual([]);
    },
  );

  test('names a missing organization', async () => {
    const failure = await caller.fail('POST', '/trackers/list-projects-for-org', 400, {
      tracker_type: 'github',
      url: github.url,
      api_key: TOKEN,
      organization_identifier: 'nobody-at-all',
    });
    expect(failure).toMatchObject({
      code: 'connection_failed',
      detail: expect.stringContaining('nobody-at-all'),
    });
    expect(winnow.logLines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('that fails temporarily is reported as a fault of the tracker', async () => {
    const match = { path: '/orgs/acme' };
    github.faults.add({ match, action: { kind: 'status', status: 503 } });
    try {
      const failure = await caller.fail('POST', '/trackers/list-projects-for-org', 502, {
        tracker_type: 'github',
        url: github.url,
        api_key: TOKEN,
        organization_identifier: 'acme',
      });
      expect(failure.code).toBe('upstream_failed');
    } finally {
      github.faults.clear();
    }
  });
});

describe('an invalid tracker', () => {
  test.each([
    ['no name', { name: '  ' }, 'name'],
    ['an overlong name', { name: 'x'.repeat(101) }, 'name'],
    ['no key', { api_key: '' }, 'api_key'],
    ['a key of spaces only', { api_key: '   ' }, 'api_key'],
    ['a key with a space', { api_key: 'ghp_a b' }, 'api_key'],
    ['an invalid URL', { url: 'http://' }, 'url'],
    ['a URL with a password', { url: 'https://ada:secret@github.example.com' }, 'url'],
    ['a URL with another scheme', { url: 'file:///etc/passwd' }, 'url'],
    ['an unsupported type', { type: 'bugzilla' }, 'type'],
    ['a rule without a name', { scope_rules: [include('PROJECT', ' ')] }, 'scope_rules.0.identifier'],
    ['a scope that is not a list', { scope_rules: 'all' }, 'scope_rules'],
  ])('(%s) is refused with the field', async (_, change, field) => {
    const failure = await caller.fail('POST', '/trackers', 422, trackerOf(github, change));
    expect(failure.fields?.map(({ path }) => path)).toEqual([field]);
  });

  test.each([
    ['other letters', 'ключ'],
    ['a line break', 'ghp_a\nb'],
    ['a space', 'ghp_a b'],
    ['a control character', 'ghp_a\u0007b'],
  ])('key (%s) is refused everywhere before the tracker is called', async (_, api_key) => {
    const who = await newCaller();
    const { id, name } = await connect(who, elsewhere);
    await whenSynced(who, id);
    elsewhere.requests.clear();
    const connection = { tracker_type: 'github', url: elsewhere.url, api_key };
    const organization = { organization_identifier: 'acme' };
    for (const [method, path, body] of [
      ['POST', '/trackers', trackerOf(elsewhere, { api_key })],
      ['PUT', `/trackers/${id}`, { name, api_key }],
      ['POST', '/trackers/test-and-list-orgs', connection],
      ['POST', '/trackers/test-and-list-orgs', { ...connection, tracker_id: id }],
      ['POST', '/trackers/list-projects-for-org', { ...connection, ...organization }],
      ['POST', '/trackers/list-projects-for-org', { ...connection, ...organization, tracker_id: id }],
    ] as const) {
      const failure = await who.fail(method, path, 422, body);
      expect(failure.fields).toEqual([
        { path: 'api_key', message: 'An API key has no spaces, no line breaks and only plain characters.' },
      ]);
    }
    expect(elsewhere.requests.all()).toEqual([]);
  });

  test('with the name of another one in any letter case is refused with 409', async () => {
    const who = await newCaller();
    const nothing = { scope_rules: [include('ORGANIZATION', 'ada')] };
    const { name } = await connect(who, github, { ...nothing, name: 'Orders' });
    for (const taken of [{ name: 'ORDERS', type: 'sample' }, trackerOf(github, { name: ' orders ' })]) {
      const failure = await who.fail('POST', '/trackers', 409, taken);
      expect([failure.code, failure.fields?.[0]?.path]).toEqual(['tracker_name_taken', 'name']);
    }
    const other = await connect(who, github, nothing);
    const failure = await who.fail('PUT', `/trackers/${other.id}`, 409, { name });
    expect(failure.code).toBe('tracker_name_taken');
    expect((await trackersOf(who)).map((one) => one.name)).toEqual(['Orders', other.name]);
    // Another account may use the same name.
    await connect(await newCaller(), github, { ...nothing, name });
  });
});

describe('a scope without an included organization', () => {
  test.each([
    ['no scope', undefined],
    ['an empty scope', []],
    ['projects only', [include('PROJECT', 'acme/app')]],
    ['an excluded organization', [{ ...include('ORGANIZATION', 'acme'), rule_type: 'EXCLUDE' }]],
  ])(
    '(%s) is refused with the field before the tracker is called, on creation and update',
    async (_, scope_rules) => {
      const who = await newCaller();
      const { id, name } = await connect(who, elsewhere);
      await whenSynced(who, id);
      elsewhere.requests.clear();
      const bodies = [
        ['POST', '/trackers', trackerOf(elsewhere, { scope_rules })],
        ...(scope_rules
          ? [['PUT', `/trackers/${id}`, { name, api_key: SECOND_TOKEN, scope_rules }] as const]
          : []),
      ] as const;
      for (const [method, path, body] of bodies) {
        const failure = await who.fail(method, path, 422, body);
        expect(failure.fields).toEqual([
          { path: 'scope_rules', message: expect.stringMatching(/^Include at least one organization\./) },
        ]);
      }
      expect(elsewhere.requests.all()).toEqual([]);
      const after = await who.get(`/trackers/${id}`, tracker);
      expect(after.scope_rules.map((rule) => rule.identifier)).toEqual(['acme']);
    },
  );

  test('is not required for the sample, which is completely in scope', async () => {
    const who = await newCaller();
    const made = await who.send('POST', '/trackers', { name: 'Sample', type: 'sample' }, tracker);
    const renamed = { name: 'Renamed', scope_rules: [] };
    const after = await who.send('PUT', `/trackers/${made.id}`, renamed, tracker);
    expect(after.name).toBe('Renamed');
    const synced = await whenSynced(who, made.id);
    expect(synced.sync.issues).toBe(161);
  });
});

describe('permissions', () => {
  test('that a token does not reveal are reported as unchecked, in the test and at the tracker', async () => {
    const who = await newCaller();
    const connection = { tracker_type: 'github', url: github.url, api_key: UNTOLD };
    const path = '/trackers/test-and-list-orgs';
    const result = await who.send('POST', path, connection, connectionTestResult);
    expect(result).toMatchObject({ success: true, message: expect.stringContaining('cannot be checked') });
    const { id } = await connect(who, github, { api_key: UNTOLD });
    const { health } = await whenSynced(who, id);
    expect(health).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('cannot be checked'),
      missing_permissions: [],
    });
  });

  test.each([
    ['a classic token without scopes', SCOPELESS, 'repo (read and write issues)'],
    ['a fine-grained token that may only read', READ_ONLY, 'Issues: write'],
  ])('that %s lacks are named, and the tracker works without them', async (_, api_key, missing) => {
    const who = await newCaller();
    const result = await who.send(
      'POST',
      '/trackers/test-and-list-orgs',
      { tracker_type: 'github', url: github.url, api_key },
      connectionTestResult,
    );
    expect([result.success, result.message]).toEqual([true, expect.stringContaining(missing)]);
    const { health } = await connect(who, github, { api_key });
    expect(health).toMatchObject({ status: 'warning', message: expect.stringContaining(missing) });
    expect(health.missing_permissions).toContain(missing);
  });

  test('of a sufficient token are complete, and what it sees is listed', async () => {
    const result = await testConnection({ url: github.url, api_key: TOKEN });
    expect(result).toMatchObject({ success: true, message: 'Connected as ada.' });
    expect(result.orgs.map(({ id }) => id)).toEqual(['ada', 'acme']);
    const projects = await caller.send(
      'POST',
      '/trackers/list-projects-for-org',
      { tracker_type: 'github', url: github.url, api_key: TOKEN, organization_identifier: 'acme' },
      z.array(projectChoice.strict()),
    );
    expect(projects.map(({ identifier }) => identifier)).toEqual(['acme/app', 'acme/bare', 'acme/web']);
  });
});

describe('the stored key', () => {
  let saved: Tracker;
  beforeAll(async () => {
    saved = await connect(caller, github, {
      api_key: SECOND_TOKEN,
      scope_rules: [include('ORGANIZATION', 'ada')],
    });
    await whenSynced(caller, saved.id);
    elsewhere.requests.clear();
  });

  test.each(['unchanged', '', undefined])(
    '(%j) is never sent to another host, and 422 explains why',
    async (api_key) => {
      for (const url of [elsewhere.url, github.url.replace('http:', 'https:'), 'http://localhost:1']) {
        const connection = { tracker_id: saved.id, tracker_type: 'github', url, api_key };
        for (const [method, path, body] of [
          ['PUT', `/trackers/${saved.id}`, { name: 'Moved', url, api_key }],
          ['POST', '/trackers/test-and-list-orgs', connection],
          ['POST', '/trackers/list-projects-for-org', { ...connection, organization_identifier: 'acme' }],
        ] as const) {
          const failure = await caller.fail(method, path, 422, body);
          expect(failure.fields).toEqual([
            { path: 'api_key', message: expect.stringMatching(/stored host/) },
          ]);
        }
      }
      expect(elsewhere.requests.all()).toEqual([]);
      expect((await caller.get(`/trackers/${saved.id}`, tracker)).url).toBe(github.url);
    },
  );

  test.each(['unchanged', '', undefined])(
    '(%j) is retained when the tracker is edited, and works',
    async (api_key) => {
      const name = `Renamed, key ${JSON.stringify(api_key)}`;
      const after = await caller.send('PUT', `/trackers/${saved.id}`, { name, api_key }, tracker);
      expect(after.name).toBe(name);
      expect((await syncAgain(caller, saved.id)).health.status).toBe('ok');
      const result = await testConnection({ tracker_id: saved.id, api_key });
      expect(result).toMatchObject({ success: true, message: 'Connected as ada.' });
    },
  );

  test('is retained if the new key does not work, and is optional only for stored trackers', async () => {
    const changed = { name: 'Another name', api_key: WRONG_TOKEN };
    expect((await caller.fail('PUT', `/trackers/${saved.id}`, 400, changed)).code).toBe('connection_failed');
    const after = await syncAgain(caller, saved.id);
    expect([after.name, after.health.status]).toEqual(['Renamed, key undefined', 'ok']);
    const failure = await caller.fail('POST', '/trackers/test-and-list-orgs', 422, {
      tracker_type: 'github',
    });
    expect(failure.fields?.[0]?.path).toBe('api_key');
  });

  test.each([
    ['that nothing responds at', () => stopped.url],
    ['that does not exist', () => 'http://git.hub.invalid'],
    ['of a site that is not GitHub', () => `${winnow.origin}/somewhere`],
  ])('does not make a newly entered URL (%s) a fault of the tracker', async (_, url) => {
    const failure = await caller.fail('POST', '/trackers/list-projects-for-org', 400, {
      tracker_id: saved.id,
      tracker_type: 'github',
      url: url(),
      api_key: TOKEN,
      organization_identifier: 'acme',
    });
    expect(failure.code).toBe('connection_failed');
  });

  test('makes an unreachable stored URL a fault of the tracker', async () => {
    const [host, who] = [await startGitHub([]), await newCaller()];
    const { id } = await connect(who, host);
    await whenSynced(who, id);
    await host.close();
    for (const url of [undefined, host.url, `${host.url}/`]) {
      const failure = await who.fail('POST', '/trackers/list-projects-for-org', 502, {
        tracker_id: id,
        tracker_type: 'github',
        url,
        organization_identifier: 'acme',
      });
      expect(failure.code).toBe('upstream_failed');
    }
  });

  test('is replaced by a new one, even together with the host', async () => {
    const moved = { name: 'Moved', url: elsewhere.url, api_key: TOKEN };
    expect((await caller.send('PUT', `/trackers/${saved.id}`, moved, tracker)).url).toBe(elsewhere.url);
    await eventually(() => elsewhere.requests.matching('GET', /\/issues$/).length > 0);
    await caller.do('DELETE', `/trackers/${saved.id}`);
  });
});

describe('scope', () => {
  test('with a repository without issues includes an empty project', async () => {
    const who = await newCaller();
    const { id } = await connect(who, github, {
      scope_rules: [include('ORGANIZATION', 'acme'), include('PROJECT', 'acme/bare')],
    });
    const after = await whenSynced(who, id);
    expect(after.sync).toMatchObject({ state: 'idle', last_error: null, issues: 0, progress: null });
    const projects = await who.get('/projects', projectList);
    expect(projects.map(({ identifier, issues }) => [identifier, issues])).toEqual([['acme/bare', 0]]);
    expect(await keysOf(who)).toEqual([]);
  });

  test('with a missing repository names it and does not include the whole organization', async () => {
    const who = await newCaller();
    const { id } = await connect(who, github, {
      scope_rules: [include('ORGANIZATION', 'acme'), include('PROJECT', 'acme/gone')],
    });
    const after = await whenTracker(who, id, ({ sync }) => sync.state === 'failed');
    expect(after.sync.last_error).toContain('acme/gone');
    expect(await who.get('/projects', projectList)).toEqual([]);
  });

  test('with a missing repository still syncs the others', async () => {
    const who = await newCaller();
    const { id } = await connect(who, github, {
      scope_rules: [
        include('ORGANIZATION', 'acme'),
        include('PROJECT', 'acme/gone'),
        include('PROJECT', 'acme/web'),
      ],
    });
    const after = await whenTracker(who, id, ({ sync }) => sync.state === 'failed');
    expect(after.sync).toMatchObject({ last_error: expect.stringContaining('acme/gone'), issues: 2 });
  });

  test('with a repository that returns 404 during reading names it and reads the others', async () => {
    const fault = {
      match: { path: '/repos/acme/app/issues' },
      action: { kind: 'status', status: 404 },
    } as const;
    const own = await startGitHub([{ title: 'Unreadable', body: null }], {
      seed: { repos: [{ owner: 'acme', name: 'web', issues: [{ title: 'Readable', body: null }] }] },
    });
    own.faults.add(fault);
    const who = await newCaller();
    const { id } = await connect(who, own);
    const after = await whenTracker(who, id, ({ sync }) => sync.state === 'failed');
    expect(after.sync).toMatchObject({ last_error: expect.stringMatching(/^acme\/app: /), issues: 1 });
    own.faults.clear();
    await who.send('POST', `/trackers/${id}/sync`, undefined, tracker);
    expect((await whenSynced(who, id)).sync).toMatchObject({ last_error: null, issues: 2 });
    await own.close();
  });

  test('with a missing organization names it', async () => {
    const who = await newCaller();
    const { id } = await connect(who, github, { scope_rules: [include('ORGANIZATION', 'gone')] });
    const after = await whenTracker(who, id, ({ sync }) => sync.state === 'failed');
    expect(after.sync.last_error).toContain('gone');
  });

  test('lists organizations and projects by tracker and organization, page by page', async () => {
    const who = await newCaller();
    const rules = ['ada', 'acme'].map((identifier) => include('ORGANIZATION', identifier));
    const first = await connect(who, github, { scope_rules: rules });
    const second = await connect(who, elsewhere, { scope_rules: [rules[0]] });
    await Promise.all([whenSynced(who, first.id), whenSynced(who, second.id)]);
    const organizations = (query: string) => who.get(`/organizations?${query}`, organizationList.strict());
    const all = await organizations('');
    expect(all.items.map(({ identifier }) => identifier)).toEqual(['acme', 'ada', 'ada']);
    expect([all.total, all.limit, all.offset]).toEqual([3, 100, 0]);
    const pages = await Promise.all([0, 1, 2].map((offset) => organizations(`limit=1&offset=${offset}`)));
    expect(pages.flatMap(({ items }) => items)).toEqual(all.items);
    expect(pages.map(({ total, offset }) => [total, offset])).toEqual([
      [3, 0],
      [3, 1],
      [3, 2],
    ]);
    expect(
      (await organizations(`tracker_id=${second.id}`)).items.map(({ tracker_id }) => tracker_id),
    ).toEqual([second.id]);
    const projects = (query: string) => who.get(`/projects?${query}`, projectList);
    expect((await projects(`tracker_id=${first.id}`)).map(({ identifier }) => identifier)).toEqual([
      'acme/app',
      'acme/bare',
      'ada/notes',
      'acme/web',
    ]);
    const acme = all.items.find(({ identifier }) => identifier === 'acme');
    const own = await who.call('GET', `/projects?organization_id=${acme?.id}`);
    expect([own.headers.get('x-total-count'), projectList.parse(own.body).length]).toEqual(['3', 3]);
    await who.fail('GET', '/organizations?tracker_id=none', 422);
    const one = await organizations(`organization_id=${acme?.id}&tracker_id=${first.id}`);
    expect([one.total, one.items]).toEqual([1, [acme]]);
    const mismatch = await organizations(`organization_id=${acme?.id}&tracker_id=${second.id}`);
    expect([mismatch.total, mismatch.items]).toEqual([0, []]);
    await who.fail('GET', '/organizations?organization_id=none', 422);
  });

  test('a requested sync is immediately visible as queued', async () => {
    const who = await newCaller();
    const created = await connect(who, github);
    expect(created.sync.state).not.toBe('idle');
    await whenSynced(who, created.id);
    const asked = await who.send('POST', `/trackers/${created.id}/sync`, undefined, tracker);
    expect(asked.sync.state).not.toBe('idle');
    await whenSynced(who, created.id);
  });

  test('narrowing removes projects with their issues and pairs, and widening restores them', async () => {
    const who = await newCaller();
    const { id, name } = await connect(who, github);
    await whenSynced(who, id);
    const all = ['acme/app#1 acme/app#2', 'acme/app#1 acme/web#1', 'acme/app#2 acme/web#1'];
    await eventually(async () => (await keysOf(who)).join() === all.join());
    const web = await who.get('/issues/acme%2Fweb%231', issueDetail);

    const narrow = [include('ORGANIZATION', 'acme'), include('PROJECT', 'ACME/App')];
    const after = await who.send('PUT', `/trackers/${id}`, { name, scope_rules: narrow }, tracker);
    expect(after.scope_rules.map(({ id: _, ...rule }) => rule)).toEqual(narrow);
    await eventually(async () => (await who.get('/projects', projectList)).length === 1);
    expect(await keysOf(who)).toEqual(['acme/app#1 acme/app#2']);
    await who.fail('GET', `/issues/${web.id}`, 404);
    await who.fail('GET', '/issues/acme%2Fweb%231', 404);
    expect((await who.get('/issues-count', issuesCount)).total_issues).toBe(2);
    const nearest = await who.get('/issues/acme%2Fapp%231/similar', similarIssues);
    expect(nearest.results.map(({ issue }) => issue.key)).toEqual(['acme/app#2']);

    await who.send(
      'PUT',
      `/trackers/${id}`,
      { name, scope_rules: [include('ORGANIZATION', 'acme')] },
      tracker,
    );
    await eventually(async () => (await keysOf(who)).join() === all.join());
  });
});

describe('deleting', () => {
  test('removes everything from the tracker, nothing of another one, and writes nothing to it', async () => {
    const who = await newCaller();
    const kept = await connect(who, github, { scope_rules: [include('ORGANIZATION', 'ada')] });
    const { id } = await connect(who, github);
    await Promise.all([whenSynced(who, id), whenSynced(who, kept.id)]);
    await eventually(async () => (await keysOf(who)).length === 3);
    const before = github.state();

    await who.do('DELETE', `/trackers/${id}`);
    await who.fail('GET', `/trackers/${id}`, 404);
    await who.fail('DELETE', `/trackers/${id}`, 404);
    await who.fail('POST', `/trackers/${id}/sync`, 404);
    expect((await trackersOf(who)).map((one) => one.id)).toEqual([kept.id]);
    expect((await who.get('/projects', projectList)).map((one) => one.identifier)).toEqual(['ada/notes']);
    expect((await who.get('/organizations', organizationList)).items.map((one) => one.identifier)).toEqual([
      'ada',
    ]);
    expect(await keysOf(who)).toEqual([]);
    expect((await who.get('/issues-count', issuesCount)).total_issues).toBe(1);
    await who.fail('GET', '/issues/acme%2Fapp%231', 404);
    expect(github.state()).toEqual(before);

    await connect(who, github);
    await eventually(async () => (await keysOf(who)).length === 3);
  });

  test('is refused while a decision is being written to the tracker, and works afterwards', async () => {
    const who = await newCaller();
    const own = await startGitHub([
      { title: 'Invoices missing', body: TEXT, created_at: minutesAfterStart(1) },
      { title: 'Invoices are missing', body: TEXT, created_at: minutesAfterStart(2) },
    ]);
    const { id } = await connect(who, own);
    const idle = await connect(who, elsewhere);
    await Promise.all([whenSynced(who, id), whenSynced(who, idle.id)]);
    const { duplicates } = await eventually(async () => {
      const list = await who.get('/issue-duplicates', pairList);
      return list.duplicates.some(({ issue1 }) => issue1.tracker_id === id) ? list : null;
    });
    const pair = duplicates.find(({ issue1 }) => issue1.tracker_id === id);
    own.faults.add({ match: { method: 'PATCH' }, times: 1, action: { kind: 'delay', delayMs: 3_000 } });
    const closing = who.send(
      'PATCH',
      '/issue-duplicates/execute-resolution',
      { issue1_id: pair?.issue1.id, issue2_id: pair?.issue2.id, resolution: 'close_b' },
      resolutionResult,
    );
    await eventually(() => own.faults.list()[0]?.fired === 1);
    const failure = await who.fail('DELETE', `/trackers/${id}`, 409);
    expect(failure).toEqual({ code: 'tracker_busy', detail: expect.stringMatching(/being written/) });
    const narrower = { name: 'Narrower', scope_rules: [include('ORGANIZATION', 'ada')] };
    const refusal = await who.fail('PUT', `/trackers/${id}`, 409, narrower);
    expect(refusal.code).toBe('tracker_busy');
    await who.do('DELETE', `/trackers/${idle.id}`);
    await closing;
    expect(own.issue('acme', 'app', 2).state).toBe('closed');
    await who.do('DELETE', `/trackers/${id}`);
    await own.close();
  });

  test('and all other actions never wrote to a tracker', () => {
    const written = [github, elsewhere].flatMap(({ requests }) =>
      requests.all().filter(({ method }) => method !== 'GET'),
    );
    expect(written).toEqual([]);
  });
});

test('no API key was in any response or log line', () => {
  const said = [
    ...callers.flatMap(({ answers }) => answers),
    ...winnow.logLines.map((line) => JSON.stringify(line)),
  ];
  expect(said.length).toBeGreaterThan(200);
  for (const secret of [TOKEN, SECOND_TOKEN, READ_ONLY, UNTOLD, SCOPELESS, WRONG_TOKEN, 'ada:secret']) {
    expect(said.filter((text) => text.includes(secret))).toEqual([]);
  }
});

test('no fault of a tracker or user was logged as an error', () => {
  const errors = winnow.logLines.filter(({ level, code }) => level === 'error' && code !== 'upstream_failed');
  expect(errors).toEqual([]);
});

test('an account has at most 50 trackers, even with concurrent requests', async () => {
  const who = await winnow.newCaller();
  const { account_id: accountId } = await who.get('/auth/users/me', currentUser);
  const { db } = winnow.database;
  const row = { account_id: accountId, tracker_type: 'sample', url: '' } as const;
  await db
    .insertInto('tracker')
    .values(
      Array.from({ length: MAX_TRACKERS - 1 }, (_, index) => ({
        ...row,
        id: randomUUID(),
        name: `${index}`,
      })),
    )
    .execute();
  const add = (name: string) => who.call('POST', '/trackers', { name, type: 'sample' });
  const answers = await Promise.all(['One', 'Two', 'Three'].map(add));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'too_many_trackers',
    detail: 'An account has at most 50 trackers. Delete one you do not need.',
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { manualClock } from '../http/clock.ts';
import { plainClient } from '../http/plain-client.ts';
import { loadConformance } from '../testing/conformance/conformance.ts';
import { type GitLabEmulator, type GitLabEmulatorOptions, startGitLabEmulator } from './emulator.ts';
import { loadSchemaCheck } from './schema-check.ts';
import { testSeed, tokens } from './test-seed.ts';

const check = await loadSchemaCheck();
const faultsOf = await loadConformance('gitlab');
const project = 'acme/shop';
const shop = `/api/v4/projects/${encodeURIComponent(project)}`;
const faults: string[] = [];
let gitlab: GitLabEmulator;
let clock: ReturnType<typeof manualClock>;
let as: Record<keyof typeof tokens | 'nobody', ReturnType<typeof plainClient>>;

async function open(options: Partial<GitLabEmulatorOptions> = {}): Promise<void> {
  clock = manualClock();
  gitlab = await startGitLabEmulator({
    seed: testSeed,
    clock: clock.now,
    onExchange: (exchange) => faults.push(...faultsOf(exchange)),
    ...options,
  });
  as = {
    nobody: plainClient(gitlab.url),
    maintainer: plainClient(gitlab.url, tokens.maintainer),
    reporter: plainClient(gitlab.url, tokens.reporter),
    guest: plainClient(gitlab.url, tokens.guest),
    stranger: plainClient(gitlab.url, tokens.stranger),
    reader: plainClient(gitlab.url, tokens.reader),
    userOnly: plainClient(gitlab.url, tokens.userOnly),
  };
}

async function reopen(options: Partial<GitLabEmulatorOptions>): Promise<void> {
  await gitlab.close();
  await open(options);
}

beforeEach(() => {
  faults.length = 0;
  return open();
});
afterEach(async () => {
  await gitlab.close();
  expect(faults).toEqual([]);
});

describe('authentication', () => {
  test('both token headers are accepted, a missing token is anonymous, and a wrong one is rejected', async () => {
    const header = { 'private-token': tokens.reporter };
    expect((await as.nobody('GET', '/api/v4/user', undefined, header)).body).toMatchObject({
      username: 'rex',
    });
    expect((await as.reporter('GET', '/api/v4/user')).body).toMatchObject({ username: 'rex' });
    const none = await as.nobody('GET', '/api/v4/user');
    expect([none.status, none.body]).toEqual([401, { message: '401 Unauthorized' }]);
    const wrong = await plainClient(gitlab.url, 'x')('GET', '/api/v4/projects/acme%2Fopen');
    expect([wrong.status, wrong.body]).toEqual([401, { message: '401 Unauthorized' }]);
    gitlab.revokeToken(tokens.reporter);
    expect((await as.reporter('GET', '/api/v4/user')).body).toMatchObject({ error: 'invalid_token' });
  });

  test('a token with any scopes can read its own permissions', async () => {
    const self = '/api/v4/personal_access_tokens/self';
    expect((await as.userOnly('GET', self)).body).toMatchObject({ scopes: ['read_user'], active: true });
    expect((await as.userOnly('GET', '/api/v4/user')).status).toBe(200);
    const refused = await as.userOnly('GET', `${shop}/issues`);
    expect([refused.status, refused.body]).toMatchObject([
      403,
      { error: 'insufficient_scope', scope: 'api read_api' },
    ]);
    expect((await as.reader('GET', `${shop}/issues`)).status).toBe(200);
    expect((await as.reader('PUT', `${shop}/issues/1`, { title: 'x' })).body).toMatchObject({ scope: 'api' });
  });

  test.each([
    ['maintainer', 200, [4, 3, 2, 1]],
    ['reporter', 200, [4, 3, 2, 1]],
    ['guest', 200, [4, 2, 1]],
    ['stranger', 404, null],
    ['nobody', 404, null],
  ] as const)(
    'a request with %s gets status %i for the issues of a private project',
    async (who, status, iids) => {
      const { status: answered, body } = await as[who]('GET', `${shop}/issues`);
      expect(answered).toBe(status);
      const seen = Array.isArray(body) ? body.map((issue: { iid: number }) => issue.iid) : null;
      expect(seen).toEqual(iids);
    },
  );

  test('guests cannot see merge requests and internal notes', async () => {
    expect((await as.guest('GET', `${shop}/merge_requests`)).status).toBe(403);
    expect((await as.guest('GET', `${shop}/merge_requests/1`)).status).toBe(404);
    const notes = await as.guest('GET', `${shop}/issues/1/notes?activity_filter=only_comments`);
    expect(notes.body).toMatchObject([{ body: 'Same here.' }]);
    expect(notes.headers.get('x-total')).toBe('2');
  });

  test('authors can change only their own issue, and changing metadata requires a role', async () => {
    const own = await as.guest('PUT', `${shop}/issues/1`, { title: 'Mine', add_labels: 'x' });
    expect([own.status, own.body]).toMatchObject([200, { title: 'Mine', labels: ['bug', 'cart'] }]);
    expect((await as.guest('PUT', `${shop}/issues/2`, { title: 'Not mine' })).status).toBe(403);
    const labelled = await as.reporter('PUT', `${shop}/issues/1`, { add_labels: 'x', remove_labels: 'bug' });
    expect(labelled.body).toMatchObject({ labels: ['cart', 'x'] });
  });
});

describe('lists', () => {
  test('lists have paging headers, and a page after the last one is empty', async () => {
    const first = await as.reporter('GET', `${shop}/issues?per_page=3&sort=asc`);
    expect(first.body).toMatchObject([{ iid: 1 }, { iid: 2 }, { iid: 3 }]);
    const header = (name: string) => first.headers.get(`x-${name}`);
    expect(['page', 'per-page', 'prev-page', 'next-page', 'total', 'total-pages'].map(header)).toEqual([
      '1',
      '3',
      '',
      '2',
      '4',
      '2',
    ]);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect((await as.reporter('GET', next)).body).toMatchObject([{ iid: 4 }]);
    const past = await as.reporter('GET', `${shop}/issues?page=9`);
    expect([past.body, past.headers.get('x-next-page')]).toEqual([[], '']);
  });

  test('long lists have no totals in their headers', async () => {
    await reopen({ countLimit: 3 });
    const { headers } = await as.reporter('GET', `${shop}/issues?per_page=2`);
    expect([headers.get('x-total'), headers.get('x-next-page')]).toEqual([null, '2']);
    expect(headers.get('link')).not.toContain('rel="last"');
  });

  test('lists are filtered and sorted by time', async () => {
    gitlab.editAs('ada', project, 1, { title: 'Newest' });
    const iids = async (query: string) => {
      const { body } = await as.reporter('GET', `${shop}/issues?${query}`);
      return Array.isArray(body) ? body.map((issue: { iid: number }) => issue.iid) : body;
    };
    expect(await iids('order_by=updated_at&sort=asc')).toEqual([2, 3, 4, 1]);
    expect(await iids('order_by=updated_at&sort=asc&updated_after=2024-01-05T10:00:00Z')).toEqual([4, 1]);
    expect(await iids('created_after=2024-01-03T10:00:00Z&sort=asc&state=opened')).toEqual([2, 3]);
    expect(await iids('iids[]=2&iids[]=4&sort=asc')).toEqual([2, 4]);
  });

  test.each([
    ['order_by=size', 'order_by does not have a valid value'],
    ['state=ajar', 'state does not have a valid value'],
    ['updated_after=yesterday', 'updated_after is invalid'],
  ])('lists reject %s', async (query, error) => {
    const answer = await as.reporter('GET', `${shop}/issues?${query}`);
    expect([answer.status, answer.body]).toEqual([400, { error }]);
  });

  test('lists get status 304 for a known ETag until something changes', async () => {
    const etag = (await as.reporter('GET', `${shop}/issues`)).headers.get('etag') ?? '';
    const again = () => as.reporter('GET', `${shop}/issues`, undefined, { 'if-none-match': etag });
    expect((await again()).status).toBe(304);
    gitlab.editAs('ada', project, 1, { title: 'Changed' });
    expect((await again()).status).toBe(200);
    await reopen({ etags: false });
    expect((await as.reporter('GET', `${shop}/issues`)).headers.get('etag')).toBeNull();
  });

  test('the groups of the caller are listed, and projects of subgroups are included on request', async () => {
    const paths = async (path: string) => {
      const { body } = await as.maintainer('GET', `/api/v4${path}`);
      return Array.isArray(body) ? body.map((entry) => entry.path_with_namespace ?? entry.full_path) : body;
    };
    expect(await paths('/groups')).toEqual(['acme', 'acme/web']);
    expect(await paths('/groups/acme/projects')).toEqual(['acme/open', 'acme/shop']);
    expect(await paths('/groups/acme/projects?include_subgroups=true')).toContain('acme/web/site');
    expect(await paths('/groups/acme%2Fweb/projects?simple=true')).toEqual(['acme/web/site']);
    expect(await paths('/users/ada/projects')).toEqual(['ada/notes']);
    expect((await as.stranger('GET', '/api/v4/groups/acme')).status).toBe(404);
  });

  test('members include those of parent groups, and a short query must match the whole name', async () => {
    const names = async (query: string) => {
      const { body } = await as.reporter('GET', `${shop}/members/all?query=${query}`);
      return Array.isArray(body) ? body.map((member: { username: string }) => member.username) : body;
    };
    expect(await names('')).toEqual(['ada', 'rex', 'gil']);
    expect(await names('lovel')).toEqual(['ada']);
    expect(await names('re')).toEqual([]);
  });
});

describe('an issue', () => {
  test('an issue is created, closed, reopened and deleted by users with permission', async () => {
    const made = await as.reporter('POST', `${shop}/issues`, {
      title: 'New',
      labels: 'a,b',
      description: 'x',
    });
    expect([made.status, made.body]).toMatchObject([201, { iid: 5, labels: ['a', 'b'], state: 'opened' }]);
    const put = (body: object) => as.reporter('PUT', `${shop}/issues/5`, body);
    clock.advance(60);
    expect((await put({ state_event: 'close' })).body).toMatchObject({
      state: 'closed',
      closed_at: '2024-06-01T12:01:00.000Z',
      closed_by: { username: 'rex' },
    });
    expect((await put({ state_event: 'close' })).status).toBe(200);
    expect((await put({ state_event: 'reopen' })).body).toMatchObject({ state: 'opened', closed_at: null });
    expect((await as.reporter('DELETE', `${shop}/issues/5`)).status).toBe(403);
    expect((await as.reporter('POST', `${shop}/issues`, {})).body).toEqual({ error: 'title is missing' });
    expect((await put({ title: ' ' })).body).toEqual({ message: { title: ["can't be blank"] } });
    expect((await put({})).status).toBe(400);
  });

  test('an issue has one assignee on the free tier, and never one without access', async () => {
    const ids = (await as.reporter('GET', `${shop}/members/all`)).body;
    const [ada, rex] = Array.isArray(ids) ? ids.map((member: { id: number }) => member.id) : [];
    const assign = async () =>
      (await as.reporter('PUT', `${shop}/issues/2`, { assignee_ids: [ada, rex, 999] })).body;
    expect(await assign()).toMatchObject({ assignees: [{ username: 'ada' }, { username: 'rex' }] });
    await reopen({ tier: 'free' });
    expect(await assign()).toMatchObject({ assignees: [{ username: 'ada' }] });
  });

  test('moving an issue closes it and names the copy, and an archived project is read-only', async () => {
    const to_project_id = gitlab.projectId('acme/web/site');
    const moved = await as.maintainer('POST', `${shop}/issues/1/move`, { to_project_id });
    expect([moved.status, moved.body]).toMatchObject([201, { project_id: to_project_id, iid: 2 }]);
    const id = (moved.body as { id: number }).id;
    expect((await as.maintainer('GET', `${shop}/issues/1`)).body).toMatchObject({
      state: 'closed',
      moved_to_id: id,
    });
    gitlab.setProject(project, { archived: true });
    expect((await as.maintainer('PUT', `${shop}/issues/2`, { title: 'x' })).status).toBe(403);
    expect((await as.maintainer('POST', `${shop}/issues/2/notes`, { body: 'x' })).status).toBe(403);
  });

  test('a previous project path can be used for reads, but not for writes', async () => {
    gitlab.renameProject(project, 'store');
    const read = await as.reporter('GET', `${shop}/issues/1?a=b`);
    const id = gitlab.projectId('acme/store');
    expect([read.status, read.headers.get('location')]).toEqual([
      301,
      `${gitlab.url}/api/v4/projects/${id}/issues/1?a=b`,
    ]);
    const written = await as.reporter('PUT', `${shop}/issues/1`, { title: 'x' });
    expect([written.status, written.body]).toEqual([
      405,
      { message: 'Non GET methods are not allowed for moved projects' },
    ]);
    expect((await as.stranger('GET', `${shop}/issues/1`)).status).toBe(404);
  });
});

describe('notes', () => {
  const notes = `${shop}/issues/2/notes`;

  test('notes are written, edited and deleted by their author, and change the time of the issue', async () => {
    clock.advance(60);
    const made = await as.guest('POST', notes, { body: 'Hello' });
    expect([made.status, made.body]).toMatchObject([201, { body: 'Hello', noteable_iid: 2, system: false }]);
    expect(gitlab.item(project, 2).updated_at).toBe('2024-06-01T12:01:00.000Z');
    const { id } = made.body as { id: number };
    expect((await as.reporter('PUT', `${notes}/${id}`, { body: 'x' })).status).toBe(403);
    expect((await as.guest('PUT', `${notes}/${id}`, { body: 'Edited' })).body).toMatchObject({
      body: 'Edited',
    });
    expect((await as.guest('DELETE', `${notes}/${id}`)).status).toBe(204);
    expect((await as.guest('DELETE', `${notes}/${id}`)).status).toBe(404);
  });

  test('a note that contains only commands is executed and not stored', async () => {
    const done = await as.reporter('POST', notes, { body: '/duplicate #1' });
    expect([done.status, done.body]).toMatchObject([202, { summary: [expect.stringContaining('Closed')] }]);
    expect(gitlab.item(project, 2)).toMatchObject({
      state: 'closed',
      duplicate_of: 'acme/shop#1',
      links: ['relates_to acme/shop#1'],
      comments: [],
    });
    expect((await as.reporter('GET', `${shop}/issues/2`)).body).toMatchObject({
      _links: { closed_as_duplicate_of: expect.stringMatching(/\/issues\/1$/) },
    });
    await as.reporter('PUT', `${shop}/issues/2`, { state_event: 'reopen' });
    expect(gitlab.item(project, 2)).toMatchObject({ duplicate_of: null, links: ['relates_to acme/shop#1'] });
  });

  test('a note with text and commands stores only the text', async () => {
    const made = await as.reporter('POST', notes, { body: 'Enough.\n/close\n```\n/reopen\n```' });
    expect(made.body).toMatchObject({ body: 'Enough.\n```\n/reopen\n```' });
    expect(gitlab.item(project, 2).state).toBe('closed');
  });

  test.each([
    ['guest', '/duplicate #1', 'Could not apply duplicate command.'],
    ['reporter', '/duplicate #99', 'was not found'],
    ['reporter', '/duplicate acme/web/site#1', 'was not found'],
    ['reporter', '/duplicate #2', 'of itself'],
  ] as const)('a note of %s that says %s changes nothing', async (who, body, words) => {
    const answer = await as[who]('POST', notes, { body });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([202, expect.stringContaining(words)]);
    expect(gitlab.item(project, 2)).toMatchObject({ state: 'opened', links: [], system_notes: [] });
  });
});

describe('links', () => {
  const links = `${shop}/issues/1/links`;
  const other = () => ({ target_project_id: gitlab.projectId(project), target_issue_iid: 2 });

  test('links are visible from both issues, created once, and removable from both issues', async () => {
    const made = await as.reporter('POST', links, { ...other(), link_type: 'blocks' });
    expect([made.status, made.body]).toMatchObject([201, { link_type: 'blocks' }]);
    expect((await as.reporter('POST', links, other())).status).toBe(409);
    const seen = (await as.reporter('GET', `${shop}/issues/2/links`)).body;
    expect(seen).toMatchObject([{ iid: 1, link_type: 'is_blocked_by' }]);
    const [{ issue_link_id }] = seen as [{ issue_link_id: number }];
    expect((await as.reporter('DELETE', `${shop}/issues/2/links/${issue_link_id}`)).status).toBe(200);
    expect((await as.reporter('GET', links)).body).toEqual([]);
  });

  test('blocking links require a license, and all links require a role in both projects', async () => {
    await reopen({ tier: 'free' });
    const blocking = await as.reporter('POST', links, { ...other(), link_type: 'blocks' });
    expect([blocking.status, blocking.body]).toEqual([
      403,
      { message: 'Blocked issues not available for current license' },
    ]);
    expect((await as.guest('POST', links, other())).status).toBe(403);
    await reopen({ tier: 'core' });
    const unknown = await as.reporter('POST', links, { ...other(), link_type: 'blocks' });
    expect([unknown.status, unknown.body]).toEqual([400, { error: 'link_type does not have a valid value' }]);
    expect((await as.reporter('POST', links, { ...other(), target_issue_iid: 99 })).status).toBe(404);
  });
});

describe('rate limits', () => {
  test('further requests in a minute are rejected, with a text and the reset time', async () => {
    await reopen({ rateLimit: 2 });
    clock.advance(15);
    for (const remaining of ['1', '0']) {
      expect((await as.reporter('GET', '/api/v4/user')).headers.get('ratelimit-remaining')).toBe(remaining);
    }
    const refused = await as.reporter('GET', '/api/v4/user');
    expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
      429,
      'Retry later\n',
      '45',
    ]);
    expect((await as.guest('GET', '/api/v4/user')).status).toBe(200);
    clock.advance(45);
    expect((await as.reporter('GET', '/api/v4/user')).status).toBe(200);
  });

  test('rate limits can be simulated, with one of two headers or none', async () => {
    const limit = async (told: object) => {
      await as.reporter('POST', '/_emulator/faults', { times: 1, action: { kind: 'rate-limit', ...told } });
      const { status, headers } = await as.reporter('GET', '/api/v4/user');
      return [status, headers.get('retry-after'), headers.get('ratelimit-reset')];
    };
    expect(await limit({ retryAfterSeconds: 7 })).toEqual([429, '7', null]);
    const reset = String(Date.parse('2024-06-01T12:00:30Z') / 1000);
    expect(await limit({ resetInSeconds: 30 })).toEqual([429, null, reset]);
    expect(await limit({})).toEqual([429, null, null]);
  });
});

describe('hooks', () => {
  const hooks = `${shop}/hooks`;

  test('webhooks require a maintainer, hide their token, and have a valid URL', async () => {
    expect((await as.reporter('GET', hooks)).status).toBe(403);
    const made = await as.maintainer('POST', hooks, { url: 'http://127.0.0.1:1/x', token: 'hush' });
    expect([made.status, made.body]).toMatchObject([201, { push_events: true, issues_events: false }]);
    expect(JSON.stringify(made.body)).not.toContain('hush');
    expect((await as.maintainer('POST', hooks, { url: 'ftp://x' })).status).toBe(422);
  });

  test('webhooks without a response do not delay requests', async () => {
    const hook = { url: 'http://127.0.0.1:1/x', issues_events: true };
    await as.maintainer('POST', hooks, hook);
    gitlab.editAs('ada', project, 1, { title: 'Changed' });
    await gitlab.deliveries.settled();
    expect(gitlab.deliveries.all).toMatchObject([
      { status: null, error: expect.any(String), headers: { 'x-gitlab-event': 'Issue Hook' } },
    ]);
  });
});

test('a path outside the API and an unknown path get status 404', async () => {
  expect((await as.reporter('GET', '/api/v3/user')).status).toBe(404);
  expect((await as.reporter('GET', '/api/v4/nonsense')).body).toEqual({ error: '404 Not Found' });
});

test('without the folder of schemas, responses are not compared with them', async () => {
  expect(await loadSchemaCheck(new URL('file:///nowhere/at/all/'))).toBeNull();
});

test.skipIf(!check)('the official schemas reject an invalid response', () => {
  const exchange = {
    method: 'GET',
    path: '/projects/5/issues',
    query: {},
    requestHeaders: {},
    requestBody: undefined,
    status: 200,
    responseHeaders: {},
    responseBody: [{ iid: 'one' }],
    fault: null,
  };
  expect(check?.(exchange).join()).toContain('/iid must be integer');
  expect(check?.({ ...exchange, responseBody: [] })).toEqual([]);
});

import { afterEach, describe, expect, test } from 'vitest';
import { manualClock } from '../http/clock.ts';
import type { Exchange } from '../http/host.ts';
import { type Answer, plainClient } from '../http/plain-client.ts';
import { loadConformance } from '../testing/conformance/conformance.ts';
import { type JiraEmulator, type JiraEmulatorOptions, startJiraEmulator } from './emulator.ts';
import { instantOf } from './local-time.ts';

const faultsOf = await loadConformance('jira');
const open: JiraEmulator[] = [];
const faults: string[] = [];
afterEach(async () => {
  for (const jira of open.splice(0)) await jira.close();
  expect(faults.splice(0)).toEqual([]);
});

async function start(options: Partial<JiraEmulatorOptions> = {}) {
  const clock = manualClock();
  const isCloud = options.deployment !== 'data_center';
  const onExchange = (exchange: Exchange) => {
    if (exchange.status < 400) faults.push(...faultsOf(exchange));
  };
  const jira = await startJiraEmulator({
    clock: clock.now,
    onExchange,
    seed: {
      users: [{ name: 'ada', timeZone: 'Europe/Berlin' }, { name: 'bob' }],
      tokens: [{ token: 'secret', user: 'ada' }],
      projects: [
        {
          key: 'APP',
          issues: [
            { summary: 'one', created: '2024-05-01T10:00:00Z' },
            { summary: 'two', created: '2024-05-01T11:30:30Z' },
          ],
        },
      ],
    },
    ...options,
  });
  open.push(jira);
  const api = `${jira.siteUrl}/rest/api/${isCloud ? 3 : 2}`;
  const basic = `Basic ${Buffer.from('ada@example.com:secret').toString('base64')}`;
  const authorization = isCloud ? basic : 'Bearer secret';
  const plain = plainClient(api);
  const ask = (method: string, path: string, body?: unknown): Promise<Answer> => {
    return plain(method, path, body, { authorization, 'content-type': 'application/json' });
  };
  const jql = (query: string, more = '') => {
    const path = isCloud ? '/search/jql' : '/search';
    return ask('GET', `${path}?jql=${encodeURIComponent(query)}&fields=summary,key${more}`);
  };
  return { jira, clock, ask, jql, nobody: plain };
}

const keysOf = ({ body }: Answer) => (body as { issues: { key: string }[] }).issues.map(({ key }) => key);

describe('JQL', () => {
  test('times are precise to a minute and in the user’s time zone', async () => {
    const { jql } = await start();
    expect(keysOf(await jql('project = APP AND updated >= "2024-05-01 13:30" ORDER BY updated ASC'))).toEqual(
      ['APP-2'],
    );
    expect(keysOf(await jql('project = APP AND updated < "2024-05-01 13:31" ORDER BY key ASC'))).toEqual([
      'APP-1',
      'APP-2',
    ]);
    expect(await jql('project = APP AND updated >= "2024-05-01 13:30:15"')).toMatchObject({ status: 400 });
  });

  test('the error names an inaccessible project, and Cloud requires a restriction', async () => {
    const { jql, jira } = await start();
    expect((await jql('project = NOPE')).body).toMatchObject({
      errorMessages: ["The value 'NOPE' does not exist for the field 'project'."],
    });
    expect((await jql('ORDER BY updated ASC')).body).toMatchObject({
      errorMessages: [expect.stringMatching(/^Unbounded/)],
    });
    jira.deny('ada', 'APP', ['BROWSE_PROJECTS']);
    expect((await jql('project = APP')).status).toBe(400);
  });

  test('a deleted key finds nothing on Cloud, and is an error on Data Center', async () => {
    const cloud = await start();
    cloud.jira.deleteIssue('APP-1');
    expect(keysOf(await cloud.jql('project = APP AND key >= APP-1'))).toEqual([]);
    const server = await start({ deployment: 'data_center' });
    server.jira.deleteIssue('APP-1');
    expect(await server.jql('project = APP AND key >= APP-1')).toMatchObject({ status: 400 });
  });

  test('an ambiguous local time has the configured meaning', () => {
    const local = Date.parse('2024-10-27T02:30:00Z');
    expect(new Date(instantOf(local, 'Europe/Berlin', 'earlier')).toISOString()).toBe(
      '2024-10-27T00:30:00.000Z',
    );
    expect(new Date(instantOf(local, 'Europe/Berlin', 'later')).toISOString()).toBe(
      '2024-10-27T01:30:00.000Z',
    );
  });

  test('Cloud has pages with expiring tokens, and Data Center has numbered pages with a total', async () => {
    const { jql, clock } = await start();
    const first = await jql('project = APP ORDER BY key ASC', '&maxResults=1');
    const { nextPageToken, isLast } = first.body as { nextPageToken: string; isLast: boolean };
    expect([keysOf(first), isLast]).toEqual([['APP-1'], false]);
    const next = `&maxResults=1&nextPageToken=${nextPageToken}`;
    expect((await jql('project = APP ORDER BY key ASC', next)).body).toMatchObject({ isLast: true });
    clock.advance(8 * 86_400);
    expect((await jql('project = APP ORDER BY key ASC', next)).status).toBe(400);
    const server = await start({ deployment: 'data_center' });
    const page = await server.jql('project = APP ORDER BY key ASC', '&maxResults=1&startAt=1');
    expect(page.body).toMatchObject({ total: 2, startAt: 1, issues: [{ key: 'APP-2' }] });
  });
});

describe('authentication', () => {
  test('a wrong token is anonymous on Cloud, which a header shows, and is rejected on Data Center', async () => {
    const { nobody } = await start();
    const authorization = `Basic ${Buffer.from('ada@example.com:wrong').toString('base64')}`;
    const projects = await nobody('GET', '/project/search', undefined, { authorization });
    expect([projects.status, projects.body]).toMatchObject([200, { values: [] }]);
    expect(projects.headers.get('x-seraph-loginreason')).toBe('AUTHENTICATED_FAILED');
    expect((await nobody('GET', '/myself', undefined, { authorization })).status).toBe(401);
    const server = await start({ deployment: 'data_center' });
    expect(
      (await server.nobody('GET', '/project', undefined, { authorization: 'Bearer wrong' })).status,
    ).toBe(401);
  });
});

describe('an issue', () => {
  test('a link leads from the inward to the outward issue, and its response is empty', async () => {
    const { ask, jira } = await start();
    const body = { type: { name: 'Blocks' }, inwardIssue: { key: 'APP-1' }, outwardIssue: { key: 'APP-2' } };
    expect(await ask('POST', '/issueLink', body)).toMatchObject({ status: 201, body: '' });
    expect(jira.issue('APP-1').links).toEqual(['blocks APP-2']);
    const { body: shown } = await ask('GET', '/issue/APP-2?fields=issuelinks&expand=changelog');
    expect(shown).toMatchObject({ fields: { issuelinks: [{ inwardIssue: { key: 'APP-1' } }] } });
  });

  test('a moved issue keeps its id and can be found by its previous key', async () => {
    const { ask, jira } = await start();
    const { id } = jira.issue('APP-1');
    jira.renameProject('APP', 'NEW');
    expect((await ask('GET', '/issue/APP-1')).body).toMatchObject({ id, key: 'NEW-1' });
  });

  test('texts must be documents on Cloud, and strings on Data Center', async () => {
    const { ask } = await start();
    const document = { type: 'doc', version: 1, content: [] };
    expect((await ask('PUT', '/issue/APP-1', { fields: { description: 'text' } })).status).toBe(400);
    expect((await ask('PUT', '/issue/APP-1', { fields: { description: document } })).status).toBe(204);
    const server = await start({ deployment: 'data_center' });
    expect((await server.ask('PUT', '/issue/APP-1', { fields: { description: document } })).status).toBe(400);
    expect((await server.ask('PUT', '/issue/APP-1', { fields: { description: 'text' } })).status).toBe(204);
  });

  test('an issue follows its workflow, which may require a resolution', async () => {
    const { ask, jira } = await start({ deployment: 'data_center' });
    const { body } = await ask('GET', '/issue/APP-1/transitions?expand=transitions.fields');
    const { transitions } = body as { transitions: { id: string; name: string }[] };
    expect(transitions.map(({ name }) => name)).toEqual(['Start Progress', 'Close Issue', 'Resolve Issue']);
    const transition = { id: transitions[1]?.id };
    expect((await ask('POST', '/issue/APP-1/transitions', { transition })).status).toBe(400);
    const fields = { resolution: { name: 'Duplicate' } };
    expect((await ask('POST', '/issue/APP-1/transitions', { transition, fields })).status).toBe(204);
    expect(jira.issue('APP-1')).toMatchObject({ status: 'Closed', resolution: 'Duplicate' });
  });

  test('all requests for an issue match the published API description', async () => {
    const { ask, jira } = await start();
    const document = {
      type: 'doc',
      version: 1,
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x' }] }],
    };
    const types = await ask('GET', '/issue/createmeta/APP/issuetypes');
    const [type] = (types.body as { issueTypes: { id: string }[] }).issueTypes;
    await ask('GET', `/issue/createmeta/APP/issuetypes/${type?.id}`);
    const fields = {
      project: { key: 'APP' },
      issuetype: { id: type?.id },
      summary: 'three',
      description: document,
    };
    expect((await ask('POST', '/issue', { fields })).status).toBe(201);
    expect((await ask('POST', '/issue/APP-3/comment', { body: document })).status).toBe(201);
    const paths = [
      '/issue/APP-3',
      '/issue/APP-3/comment?expand=properties',
      '/issue/APP-3/transitions?expand=transitions.fields',
      '/serverInfo',
      '/myself',
      '/issueLinkType',
      '/project/search',
      '/project/APP',
      '/user/assignable/search?project=APP&query=b',
      '/mypermissions?permissions=BROWSE_PROJECTS',
    ];
    for (const path of paths) expect((await ask('GET', path)).status).toBe(200);
    expect((await ask('POST', '/search/approximate-count', { jql: 'project = APP' })).body).toEqual({
      count: 3,
    });
    expect((await ask('DELETE', '/issue/APP-3')).status).toBe(204);
    expect(jira.issues('APP')).toHaveLength(2);
    expect(faults).toEqual([]);
  });
});

describe.each(['cloud', 'data_center'] as const)('webhooks of an administrator (%s)', (deployment) => {
  const url = 'http://127.0.0.1:9/hook';
  const hook = { name: 'Winnow', url, events: ['jira:issue_updated'], secret: 'hush' };

  test('webhooks are created, listed and removed over HTTP, and get the events they subscribe to', async () => {
    const seed = {
      users: [{ name: 'ada', administrator: true }],
      tokens: [{ token: 'secret', user: 'ada' }],
    };
    const projects = [{ key: 'APP', issues: [{ summary: 'one' }] }];
    const { jira, ask } = await start({ deployment, seed: { ...seed, projects } });
    const hooks = `${jira.siteUrl}/rest/webhooks/1.0/webhook`;
    const made = await ask('POST', hooks, hook);
    expect(made).toMatchObject({ status: 201, body: { name: 'Winnow', url, self: `${hooks}/1` } });
    expect((await ask('GET', hooks)).body).toEqual([made.body]);
    jira.commentAs('ada', 'APP-1', 'not asked for');
    jira.editAs('ada', 'APP-1', { summary: 'another' });
    await jira.deliveries.settled();
    const [delivery, ...others] = jira.deliveries.all;
    expect([JSON.parse(delivery?.body ?? '').webhookEvent, others]).toEqual(['jira:issue_updated', []]);
    expect(delivery?.headers['x-hub-signature']).toMatch(/^sha256=/);
    expect((await ask('DELETE', `${hooks}/1`)).status).toBe(204);
    expect((await ask('GET', `${hooks}/1`)).status).toBe(404);
    jira.editAs('ada', 'APP-1', { summary: 'yet another' });
    await jira.deliveries.settled();
    expect(jira.deliveries.all).toHaveLength(1);
  });

  test('webhooks require an administrator, a name and a URL', async () => {
    const { jira, ask, nobody } = await start({ deployment });
    const hooks = `${jira.siteUrl}/rest/webhooks/1.0/webhook`;
    expect((await nobody('POST', hooks, hook)).status).toBe(401);
    expect((await ask('POST', hooks, hook)).status).toBe(403);
    const seed = {
      users: [{ name: 'ada', administrator: true }],
      tokens: [{ token: 'secret', user: 'ada' }],
    };
    const other = await start({ deployment, seed: { ...seed, projects: [] } });
    for (const bad of [
      { ...hook, name: '' },
      { ...hook, url: 'ftp://x' },
    ]) {
      const path = `${other.jira.siteUrl}/rest/webhooks/1.0/webhook`;
      expect((await other.ask('POST', path, bad)).status).toBe(400);
    }
  });
});

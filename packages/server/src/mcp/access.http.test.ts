import { randomUUID } from 'node:crypto';
import { type Scope, scope } from '@winnow/contract/api-key';
import { changeList } from '@winnow/contract/change';
import { projectList } from '@winnow/contract/issue';
import { AGENT_TOOLS, type AgentToolName, MCP_TOOLS } from '@winnow/contract/mcp';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { GitHubSeedIssue } from '@winnow/emulators/github/seed';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { newBacklog } from '../testing/backlog.ts';
import { type Caller, call, failureOf } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { connect, differentIssues, startGitHub, whenSynced } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { type Agent, connectAgent, newKey } from './testing/agent.ts';
import { requestOf, sendMessage, statusForHost } from './testing/message.ts';

interface Account {
  caller: Caller;
  agent: Agent;
  key: string;
  issueId: string;
  projectId: string;
  changeId: string;
  clusterId: string;
}

const toolList = z.object({
  result: z.object({ tools: z.array(z.object({ name: z.string(), description: z.string() })) }),
});

let winnow: RunningWinnow;
let github: GitHubEmulator;
let mine: Account;
let theirs: Account;

beforeAll(async () => {
  winnow = await startWinnow();
  github = await startGitHub(withTwin(differentIssues(5)));
  [mine, theirs] = await Promise.all([makeAccount(), makeAccount()]);
});
afterAll(async () => {
  await Promise.all([mine.agent.close(), theirs.agent.close()]);
  await winnow.close();
  await github.close();
});

async function makeAccount(): Promise<Account> {
  const caller = await winnow.newCaller();
  await whenSynced(caller, (await connect(caller, github)).id);
  const { key } = await newKey(caller);
  const agent = await connectAgent(winnow.origin, key);
  const { id: issueId } = await agent.use('get_issue', { issue: 'acme/app#1', fields: [] });
  const [project] = await caller.get('/projects', projectList);
  const proposer = await connectAgent(winnow.origin, (await newKey(caller, ['propose'])).key);
  const proposed = await proposer.use('comment_on_issue', { issue: issueId, comment: 'Proposed.' });
  await proposer.close();
  return {
    caller,
    agent,
    key,
    issueId,
    projectId: project?.id ?? '',
    changeId: proposed.change_id ?? '',
    clusterId: (await whenClustered(agent)).cluster_id,
  };
}

/** Appends a copy of the last issue. The two issues form a cluster. */
function withTwin(issues: GitHubSeedIssue[]): GitHubSeedIssue[] {
  return [...issues, ...issues.slice(-1)];
}

/** Waits until a cluster exists and returns it. */
function whenClustered(agent: Agent) {
  return eventually(
    async () => (await agent.use('list_clusters', { min_probability: 0 })).clusters[0] ?? null,
    { timeoutMs: 30_000, what: 'a cluster' },
  );
}

/** Ids of an account's data that calls contain. */
type Ids = Pick<Account, 'issueId' | 'projectId' | 'changeId' | 'clusterId'>;

/**
 * Returns calls of every tool that contain these ids. Each would have an effect in the account that
 * owns the ids.
 */
function callsWith({ issueId, projectId, changeId, clusterId }: Ids) {
  return {
    search_issues: [{ projects: [projectId] }],
    find_similar: [{ issue: issueId }],
    list_clusters: [{ projects: [projectId] }],
    get_cluster: [{ cluster_id: clusterId }],
    get_issue: [{ issue: issueId }],
    list_projects: [],
    create_issue: [{ project: projectId, title: 'Taken over', allow_duplicate: true }],
    update_issue: [{ issue: issueId, title: 'Taken over' }],
    assign_issue: [{ issue: issueId, assignees: ['me'] }],
    comment_on_issue: [{ issue: issueId, comment: 'Taken over' }],
    close_as_duplicate: [
      { issue: issueId, original: 'acme/app#2' },
      { issue: 'acme/app#2', original: issueId },
    ],
    propose_cluster_resolution: [{ cluster_id: clusterId, revision: 1 }],
    check_compliance: [{ issues: ['acme/app#2', issueId] }],
    suggest_improvement: [{ issue: issueId }],
    detect_dependencies: [{ project: projectId }, { issues: ['acme/app#2', issueId] }],
    list_changes: [{ issue: issueId }],
    decide_change: (['approve', 'reject', 'undo'] as const).map((decision) => ({
      change_id: changeId,
      decision,
    })),
  } satisfies Record<AgentToolName, object[]>;
}

describe('authentication', () => {
  const list = requestOf('tools/list');
  const asked = async (key: string | null, headers: Record<string, string> = {}) =>
    sendMessage(winnow.origin, list, { key, headers });

  test('accepts an API key; 401 without one or with a session token, with instructions', async () => {
    expect((await asked(mine.key)).status).toBe(200);
    for (const key of [null, 'nonsense', mine.caller.tokens.access_token]) {
      const answer = await asked(key);
      const { code, detail } = failureOf(answer, 401);
      expect([code, detail]).toEqual([
        'unauthorized',
        expect.stringMatching(/Create an API key at http\S+\/console\/settings\/api-keys and send it/),
      ]);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('tells clients that try OAuth to send a key, and where to create one', async () => {
    for (const [method, path] of [
      ['GET', '/.well-known/oauth-protected-resource'],
      ['GET', '/.well-known/oauth-protected-resource/mcp'],
      ['GET', '/.well-known/oauth-authorization-server'],
      ['GET', '/.well-known/oauth-authorization-server/mcp'],
      ['GET', '/.well-known/openid-configuration'],
      ['GET', '/.well-known/openid-configuration/mcp'],
      ['GET', '/mcp/.well-known/openid-configuration'],
      ['POST', '/register'],
    ] as const) {
      const sent = method === 'POST' ? { body: { redirect_uris: ['http://localhost/callback'] } } : {};
      const answer = await call(winnow.origin, method, path, sent);
      expect([path, failureOf(answer, 404)]).toEqual([
        path,
        {
          code: 'not_found',
          detail: expect.stringMatching(
            /does not use OAuth.*\/mcp with an API key.*\/console\/settings\/api-keys/,
          ),
        },
      ]);
    }
  });

  test('reports the rate limit of the key in the response headers', async () => {
    const limits = async (key: string | null) => {
      const { headers } = await asked(key);
      return ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
    };
    const fresh = (await newKey(mine.caller, ['read'])).key;
    const [limit = 0, remaining] = await limits(fresh);
    expect([limit, remaining]).toEqual([1_000, 999]);
    expect(await limits(fresh)).toEqual([limit, limit - 2, expect.toSatisfy((s) => s > 0 && s <= 60)]);
    expect((await limits(null))[0]).not.toBe(limit);
  });

  test('counts calls of the API against the same limit, and reports it there too', async () => {
    const { key: fresh } = await newKey(mine.caller, ['read']);
    await asked(fresh);
    const { status, headers } = await call(winnow.origin, 'GET', '/api/v1/search', { token: fresh });
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
      Number(headers.get(`x-ratelimit-${name}`)),
    );
    expect([status, limit, remaining]).toEqual([200, 1_000, 998]);
    expect(reset).toSatisfy((seconds: number) => seconds > 0 && seconds <= 60);
  });

  test('refuses a key that expired or was revoked between two calls', async () => {
    const { caller } = mine;
    const { id, key } = await newKey(caller, ['read']);
    const agent = await connectAgent(winnow.origin, key);
    await agent.use('list_projects', {});
    await caller.do('DELETE', `/auth/api-keys/${id}`);
    await expect(agent.use('list_projects', {})).rejects.toThrow();
    expect((await asked(key)).status).toBe(401);
    await agent.close();
    const passing = await newKey(caller, ['read']);
    await winnow.database.pool.query("update api_key set expires_at = now() - interval '1 s' where id = $1", [
      passing.id,
    ]);
    expect((await asked(passing.key)).status).toBe(401);
  });

  test('a key that is revoked during a write receives the result and is refused afterwards', async () => {
    const { caller } = mine;
    const { id, key } = await newKey(caller);
    const agent = await connectAgent(winnow.origin, key);
    const path = '/issues/5/comments$';
    github.faults.add({ match: { method: 'POST', path }, action: { kind: 'delay', delayMs: 2_000 } });
    const slow = agent.use('comment_on_issue', { issue: 'acme/app#5', comment: 'Slowly.' });
    await eventually(() => github.faults.list().some(({ fired }) => fired > 0));
    await caller.do('DELETE', `/auth/api-keys/${id}`);
    const posted = () => github.issue('acme', 'app', 5).comments.length;
    expect(posted()).toBe(0);
    expect(await slow).toMatchObject({ status: 'applied' });
    github.faults.clear();
    expect(posted()).toBe(1);
    expect((await asked(key)).status).toBe(401);
    await agent.close();
  });

  test('refuses foreign origins and foreign hosts', async () => {
    expect(failureOf(await asked(mine.key, { origin: 'https://evil.example' }), 403).code).toBe(
      'foreign_origin',
    );
    expect(failureOf(await asked(mine.key, { origin: 'null' }), 403).code).toBe('foreign_origin');
    expect((await asked(mine.key, { origin: winnow.origin })).status).toBe(200);
    const { host } = new URL(winnow.origin);
    expect(await statusForHost(winnow.origin, mine.key, host)).toBe(200);
    for (const foreign of [
      'evil.example',
      `evil.example:${new URL(winnow.origin).port}`,
      '127.0.0.1.evil.example',
    ]) {
      expect([foreign, await statusForHost(winnow.origin, mine.key, foreign)]).toEqual([foreign, 403]);
    }
  });
});

describe('a scope', () => {
  const mayUse = (tool: AgentToolName, only: Scope) =>
    (MCP_TOOLS[tool].scopes as readonly Scope[]).includes(only);
  let ample: GitHubEmulator;
  let caller: Caller;
  let proposer: Agent;
  let reader: Agent;

  beforeAll(async () => {
    ({ github: ample, caller } = await newBacklog(winnow, withTwin(differentIssues(20))));
    proposer = await connectAgent(winnow.origin, (await newKey(caller, ['propose'])).key);
    reader = await connectAgent(winnow.origin, (await newKey(caller, ['read'])).key);
  });
  afterAll(async () => {
    await Promise.all([proposer.close(), reader.close()]);
    await ample.close();
  });

  /**
   * Returns a valid call of each tool. The calls write to issues whose numbers begin at `first`.
   */
  async function workingCalls(first: number) {
    const issue = (place: number) => `acme/app#${first + place}`;
    const proposed = await proposer.use('comment_on_issue', { issue: issue(0), comment: 'Proposed.' });
    const { cluster_id, revision } = await whenClustered(reader);
    return {
      search_issues: {},
      find_similar: { issue: issue(0) },
      list_clusters: {},
      get_cluster: { cluster_id },
      get_issue: { issue: issue(0) },
      list_projects: {},
      create_issue: { project: 'acme/app', title: `New issue of ${first}`, allow_duplicate: true },
      update_issue: { issue: issue(1), title: 'Renamed' },
      assign_issue: { issue: issue(2), assignees: ['me'] },
      comment_on_issue: { issue: issue(3), comment: 'Noted.' },
      close_as_duplicate: { issue: issue(4), original: issue(5) },
      propose_cluster_resolution: { cluster_id, revision },
      check_compliance: { issues: [issue(0)] },
      suggest_improvement: { issue: issue(0) },
      detect_dependencies: { project: 'acme/app' },
      list_changes: {},
      decide_change: { change_id: proposed.change_id ?? '', decision: 'reject' as const },
    } satisfies Record<AgentToolName, object>;
  }
  const DONE: Record<Scope, unknown> = {
    read: 'returned',
    propose: 'proposed',
    write: expect.stringMatching(/^(applied|rejected)$/),
  };

  test.each(scope.options)(
    '%s allows its tools, and names the scope that other tools require',
    async (only) => {
      const agent = await connectAgent(winnow.origin, (await newKey(caller, [only])).key);
      const calls = await workingCalls(1 + scope.options.indexOf(only) * 6);
      for (const [tool, input] of Object.entries(calls) as [AgentToolName, object][]) {
        if (mayUse(tool, only)) {
          const answer: object = await agent.use(tool, input as never);
          const status = only !== 'read' && 'status' in answer ? answer.status : 'returned';
          expect([tool, status]).toEqual([tool, DONE[only]]);
        } else {
          expect([tool, await agent.failing(tool, { ...input })]).toEqual([
            tool,
            expect.stringContaining('needs an API key with the scope'),
          ]);
        }
      }
      if (only !== 'read') {
        for (const refused of [
          () => agent.resources(),
          () => agent.readResource(`winnow://issue/${mine.issueId}`),
          () => agent.readResource(`winnow://project/${mine.projectId}/duplicates`),
          () => agent.prompt('triage_issue', { issue: 'acme/app#1' }),
          () => agent.complete('winnow://issue/{key}', 'key', 'acme'),
          () => agent.complete('winnow://project/{id}/duplicates', 'id', mine.projectId.slice(0, 4)),
        ]) {
          await expect(refused()).rejects.toThrow('scope "read"');
        }
      }
      await agent.close();
    },
  );

  test.each([
    [['read'], 0],
    [['propose'], 6],
    [['read', 'propose'], 6],
    [['write'], 0],
    [['read', 'propose', 'write'], 0],
  ] as [Scope[], number][])(
    '%j lists the tools it may call, and marks those that only propose',
    async (scopes, proposing) => {
      const { key } = await newKey(mine.caller, scopes);
      const answer = await sendMessage(winnow.origin, requestOf('tools/list'), { key });
      const listed = toolList.parse(JSON.parse(/^data: (.*)$/m.exec(answer.text)?.[1] ?? answer.text)).result
        .tools;
      const usable = AGENT_TOOLS.filter((tool) => scopes.some((one) => mayUse(tool, one)));
      expect(listed.map(({ name }) => name).sort()).toEqual(usable.sort());
      const proposals = listed.filter(({ description }) => description.includes('may only propose'));
      expect(proposals).toHaveLength(proposing);
    },
  );

  test('declares no list-change notifications', async () => {
    const answer = await sendMessage(
      winnow.origin,
      requestOf('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1.0.0' },
      }),
      { key: mine.key },
    );
    expect(answer.text).toContain('"capabilities"');
    expect(answer.text).not.toMatch(/"(?:listChanged|subscribe)":true/);
  });

  test('a key with the scopes propose and write can decide about proposals of others, but not its own', async () => {
    const both = await newKey(mine.caller, ['propose', 'write']);
    const agent = await connectAgent(winnow.origin, both.key);
    // Proposes over HTTP, because a key with the write scope writes immediately over MCP.
    const proposal = {
      issue1_id: await idOf('acme/app#3'),
      issue2_id: await idOf('acme/app#4'),
      resolution: 'close_b',
    };
    const answer = await fetch(`${winnow.origin}/api/v1/issue-duplicates/propose-resolution`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${both.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(proposal),
    });
    expect(answer.status).toBeLessThan(300);
    const { changes } = await mine.caller.get('/changes?kind=resolution', changeList);
    const own =
      changes.find(({ status, actor }) => status === 'proposed' && actor.name === both.name)?.id ?? '';
    for (const decision of ['approve', 'reject']) {
      expect(await agent.failing('decide_change', { change_id: own, decision })).toContain('another key');
    }
    expect(await mine.agent.use('decide_change', { change_id: own, decision: 'reject' })).toMatchObject({
      status: 'rejected',
    });
    await agent.close();
  });
});

describe('another account', () => {
  test('gets the not-found error of missing data from every tool, and nothing is written', async () => {
    const before = await theirs.caller.get('/changes', changeList);
    const writes = github.requests.all().filter(({ method }) => method !== 'GET').length;
    const missing: Ids = {
      issueId: randomUUID(),
      projectId: randomUUID(),
      changeId: randomUUID(),
      clusterId: randomUUID(),
    };
    const nothing = callsWith(missing);
    for (const [tool, calls] of Object.entries(callsWith(theirs))) {
      for (const [index, input] of calls.entries()) {
        const [stranger, absent] = [
          await mine.agent.failing(tool, input),
          await mine.agent.failing(tool, nothing[tool as AgentToolName][index] ?? {}),
        ];
        expect([tool, nameless(stranger, theirs)]).toEqual([tool, nameless(absent, missing)]);
      }
    }
    for (const address of ['winnow://issue/ISSUE', 'winnow://project/PROJECT/duplicates']) {
      const read = (ids: Ids) =>
        mine.agent.readResource(address.replace('ISSUE', ids.issueId).replace('PROJECT', ids.projectId)).then(
          () => 'read',
          (error: unknown) => nameless(String(error), ids),
        );
      expect(await read(theirs)).toBe(await read(missing));
      expect(await read(theirs)).not.toBe('read');
    }
    const prompted = (issue: string) =>
      mine.agent.prompt('triage_issue', { issue }).then(
        () => 'made',
        (error: unknown) => String(error),
      );
    expect(nameless(await prompted(theirs.issueId), theirs)).toBe(
      nameless(await prompted(missing.issueId), missing),
    );
    expect(JSON.stringify(await mine.agent.resources())).not.toContain(theirs.projectId);
    const typed = theirs.projectId.slice(0, 8);
    expect(
      JSON.stringify(await mine.agent.complete('winnow://project/{id}/duplicates', 'id', typed)),
    ).not.toContain(theirs.projectId);
    expect(await theirs.caller.get('/changes', changeList)).toEqual(before);
    expect(github.requests.all().filter(({ method }) => method !== 'GET')).toHaveLength(writes);
  });

  test('can have the same issue keys; each account reads its own issues', async () => {
    for (const { agent, issueId } of [mine, theirs]) {
      expect(await agent.use('get_issue', { issue: 'acme/app#1', fields: [] })).toMatchObject({
        id: issueId,
      });
    }
  });

  test('cannot use cursors of this account', async () => {
    const cursorOf = async ({ agent }: Account) =>
      (await agent.use('search_issues', { limit: 2 })).next_cursor ?? '';
    const cursor = await cursorOf(theirs);
    const said = 'cursor: This cursor belongs to another list. Start without a cursor.';
    expect(await mine.agent.failing('search_issues', { limit: 2, cursor })).toBe(said);
    const own = await cursorOf(mine);
    expect(await mine.agent.failing('search_issues', { limit: 2, query: 'report', cursor: own })).toBe(said);
    const wider = await mine.agent.use('search_issues', { limit: 3, fields: ['title'], cursor: own });
    expect(wider.results).toHaveLength(3);
    expect(await mine.agent.failing('list_changes', { limit: 2, cursor: own })).toBe(said);
    const fingerprint = own.split('.')[1];
    for (const forged of [
      '',
      '2',
      `-1.${fingerprint}`,
      `1e9.${fingerprint}`,
      `2.${fingerprint}x`,
      'ää.öö',
      `2.${'0'.repeat(22)}`,
    ]) {
      expect([forged, await mine.agent.failing('search_issues', { limit: 2, cursor: forged })]).toEqual([
        forged,
        said,
      ]);
    }
    const beyond = await mine.agent.use('search_issues', { limit: 2, cursor: `9999999.${fingerprint}` });
    expect(beyond).toMatchObject({ results: [] });
    expect(beyond.next_cursor).toBeUndefined();
  });
});

const idOf = async (key: string) =>
  (await mine.caller.get(`/issues/${encodeURIComponent(key)}`, z.object({ id: z.string() }))).id;

/** Replaces the ids in an error message, so that messages can be compared. */
function nameless(sentence: string, ids: Ids): string {
  return [ids.issueId, ids.projectId, ids.changeId, ids.clusterId].reduce(
    (text, id) => text.replaceAll(id, 'ID'),
    sentence,
  );
}

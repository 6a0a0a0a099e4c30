import { compliancePrompt } from '@winnow/contract/compliance';
import { AGENT_TOOLS, type AgentToolName, MCP_SCHEMAS } from '@winnow/contract/mcp';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { newBacklog } from '../testing/backlog.ts';
import { type Caller, failureOf } from '../testing/caller.ts';
import { differentIssues } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { type Agent, connectAgent, newKey } from './testing/agent.ts';
import { modernRequestOf, requestOf, sendMessage } from './testing/message.ts';

const INTERNAL_ERROR = /^Internal error/;
const rpcError = z.object({ error: z.object({ code: z.int(), message: z.string() }) });

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
let agent: Agent;
let key: string;

beforeAll(async () => {
  winnow = await startWinnow();
  ({ github, caller } = await newBacklog(winnow, differentIssues(3)));
  await useNewKey();
});
/** Switches to a new API key, because calls are limited per key and minute. */
async function useNewKey(): Promise<void> {
  await agent?.close();
  ({ key } = await newKey(caller));
  agent = await connectAgent(winnow.origin, key);
}
afterAll(async () => {
  await agent.close();
  await winnow.close();
  await github.close();
});

/** A valid call of each tool. These calls write nothing. */
const VALID_CALLS: Record<AgentToolName, Record<string, unknown>> = {
  search_issues: { query: 'report' },
  find_similar: { issue: 'acme/app#1' },
  list_clusters: {},
  get_cluster: { cluster_id: '00000000-0000-4000-8000-000000000000' },
  get_issue: { issue: 'acme/app#1' },
  list_projects: {},
  create_issue: { project: 'acme/app', title: 'Never made' },
  update_issue: { issue: 'acme/app#1', title: 'Never made' },
  assign_issue: { issue: 'acme/app#1', assignees: [] },
  comment_on_issue: { issue: 'acme/app#1', comment: 'Never made' },
  close_as_duplicate: { issue: 'acme/app#1', original: 'acme/app#2' },
  propose_cluster_resolution: { cluster_id: '00000000-0000-4000-8000-000000000000', revision: 1 },
  check_compliance: { issues: ['acme/app#1'] },
  suggest_improvement: { issue: 'acme/app#1' },
  detect_dependencies: { issues: ['acme/app#1'] },
  list_changes: {},
  decide_change: { change_id: '00000000-0000-4000-8000-000000000000', decision: 'approve' },
};

const fieldsOf = (tool: AgentToolName) => Object.keys(MCP_SCHEMAS[tool].input.shape);

/** Runs `act` and asserts that it writes nothing to the tracker and logs no warnings. */
async function expectNothingDone(act: () => Promise<void>): Promise<void> {
  const [writes, faults] = [
    () => github.requests.all().filter(({ method }) => method !== 'GET'),
    () => warnings(),
  ];
  const before = [writes().length, faults().length];
  await act();
  expect([writes().length, faults().length]).toEqual(before);
}
const warnings = () => winnow.logLines.filter(({ level }) => level === 'warn' || level === 'error');

describe('a tool', () => {
  test('and every other method refuses malformed parameters with -32602', () =>
    expectNothingDone(async () => {
      const malformed: [string, unknown][] = [
        ['initialize', {}],
        ['initialize', { clientInfo: { name: 'io.modelcontextprotocol/client' } }],
        ['initialize', { _meta: { 'io.modelcontextprotocol/protocolVersion': 1 } }],
        ['tools/list', { cursor: 5 }],
        ['tools/call', undefined],
        ['tools/call', {}],
        ['tools/call', { name: 7, arguments: {} }],
        ['tools/call', { name: 'list_projects', arguments: [] }],
        ['tools/call', { name: 'list_projects', arguments: 'none' }],
        ['resources/list', { cursor: {} }],
        ['resources/read', {}],
        ['resources/read', { uri: 1 }],
        ['prompts/get', { arguments: {} }],
        ['prompts/get', { name: 'triage_issue', arguments: { issue: 5 } }],
        ['completion/complete', { ref: { type: 'ref/nothing' }, argument: { name: 'key', value: 'a' } }],
        ['completion/complete', {}],
      ];
      // Uses a separate key, because the shared one is close to its rate limit.
      const { key: own } = await newKey(caller);
      for (const [method, params] of malformed) {
        for (const revision of ['2025-11-25', '2026-07-28']) {
          const isObject = typeof params === 'object' && params !== null;
          if (revision === '2026-07-28' && (!isObject || method === 'initialize')) continue;
          const message =
            isObject && revision === '2026-07-28'
              ? modernRequestOf(method, params)
              : { ...requestOf(method), params };
          const headers = { 'mcp-protocol-version': revision, 'mcp-method': method };
          const named =
            isObject && 'name' in params ? { ...headers, 'mcp-name': String(params.name) } : headers;
          const answer = await sendMessage(winnow.origin, message, { key: own, headers: named });
          const said = [method, params, answer.status, rpcError.parse(answer.body).error.code];
          expect(said).toEqual([method, params, 200, -32602]);
          expect(answer.text).toContain(method);
          expect(answer.text).not.toContain('[\\n');
        }
      }
    }));

  test('or prompt that does not exist is refused with -32602', async () => {
    for (const name of ['delete_everything', '__proto__', 'constructor', 'toString', '', 'search_issues ']) {
      const called = await sendMessage(winnow.origin, requestOf('tools/call', { name, arguments: {} }), {
        key,
      });
      expect(called.text).toContain('"code":-32602');
      expect(called.text).toContain(`Tool ${name} not found`);
      const prompted = await sendMessage(winnow.origin, requestOf('prompts/get', { name }), { key });
      expect(prompted.text).toContain('"code":-32602');
      expect(prompted.text).toContain(`Prompt ${name} not found`);
    }
  });

  test('for which a key lacks the scope names the scope, even if the arguments are invalid', async () => {
    const { key: reader } = await newKey(caller, ['read']);
    const wrong = requestOf('tools/call', { name: 'update_issue', arguments: { nonsense: 1 } });
    const answer = await sendMessage(winnow.origin, wrong, { key: reader });
    expect(answer.text).toContain('"isError":true');
    expect(answer.text).toContain('This needs an API key with the scope');
  });

  test.each([
    ['toString', 'winnow://issue/{key}', 'key'],
    ['id', 'winnow://issue/{key}', 'key'],
    ['constructor', 'winnow://project/{id}/duplicates', 'id'],
  ])('refuses to complete the argument %s of %s, and names the known argument', async (name, uri, known) => {
    const params = { ref: { type: 'ref/resource', uri }, argument: { name, value: 'a' } };
    const answer = await sendMessage(winnow.origin, requestOf('completion/complete', params), { key });
    expect(rpcError.parse(answer.body).error).toEqual({
      code: -32602,
      message: `Unknown argument. Available: ${known}.`,
    });
  });

  test.each(AGENT_TOOLS)('%s refuses unknown fields, and known fields with a wrong type', (tool) =>
    expectNothingDone(async () => {
      expect(await agent.failing(tool, { ...VALID_CALLS[tool], nonsense: 1 })).toContain('nonsense');
      for (const field of fieldsOf(tool)) {
        for (const wrong of [{ $gt: '' }, -1.5, [[[]]], null]) {
          const said = await agent.failing(tool, { ...VALID_CALLS[tool], [field]: wrong });
          expect([field, said]).toEqual([field, expect.stringContaining(field)]);
        }
      }
      if (!MCP_SCHEMAS[tool].input.safeParse({}).success) {
        expect(await agent.failing(tool, {})).not.toMatch(INTERNAL_ERROR);
      }
    }),
  );

  test('refuses arguments that are too large, too deep or too many', () =>
    expectNothingDone(async () => {
      const long = 'x'.repeat(500_000);
      for (const tool of AGENT_TOOLS) {
        for (const field of fieldsOf(tool)) {
          const value = Array.isArray(VALID_CALLS[tool][field]) ? [long] : long;
          expect([tool, field, await agent.failing(tool, { ...VALID_CALLS[tool], [field]: value })]).toEqual([
            tool,
            field,
            expect.stringContaining(field),
          ]);
        }
      }
      const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
      const raw = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_issues","arguments":{"query":${deep}}}}`;
      const answer = await sendMessage(winnow.origin, undefined, { key, raw });
      expect([answer.status, INTERNAL_ERROR.test(answer.text)]).toEqual([
        expect.toSatisfy((status) => status < 500),
        false,
      ]);
      expect(
        await agent.failing('check_compliance', { issues: Array.from({ length: 21 }, () => 'acme/app#1') }),
      ).toContain('issues');
      const huge = requestOf('tools/call', {
        name: 'search_issues',
        arguments: { query: 'x'.repeat(2_000_000) },
      });
      const wide = requestOf('tools/call', {
        name: 'list_projects',
        arguments: {},
        _meta: Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`key${at}`, 1])),
      });
      for (const tooMuch of [huge, wide]) {
        expect(failureOf(await sendMessage(winnow.origin, tooMuch, { key }), 413).code).toBe('too_large');
      }
    }));

  test('treats texts with special meaning elsewhere as plain text', () =>
    expectNothingDone(async () => {
      await useNewKey();
      for (const strange of ['\u200b', '%00', '%E0%A4%A', '../..', "'; drop table issue; --"]) {
        const calls = AGENT_TOOLS.flatMap((tool) =>
          fieldsOf(tool)
            .filter((field) => !WRITTEN.includes(`${tool}.${field}`))
            .map(async (field) => {
              const value = Array.isArray(VALID_CALLS[tool][field]) ? [strange] : strange;
              const input = { ...VALID_CALLS[tool], ...UNWRITTEN[tool], [field]: value };
              return [tool, field, JSON.stringify(await agent.callTool(tool, input))];
            }),
        );
        expect((await Promise.all(calls)).filter(([, , answer = '']) => INTERNAL_ERROR.test(answer))).toEqual(
          [],
        );
      }
    }));

  test.each([
    ['update_issue', { issue: 'acme/app#1' }, 'Pass at least one of title'],
    ['update_issue', { issue: 'acme/app#1', close_reason: 'completed' }, 'close_reason'],
    ['update_issue', { issue: 'acme/app#1', state: 'opened', close_reason: 'completed' }, 'close_reason'],
    ['update_issue', { issue: 'acme/app#1', title: 'two\nlines' }, 'one line'],
    ['create_issue', { project: 'acme/app', title: '\u200b\u2060' }, 'A title is needed'],
    ['create_issue', { project: 'acme/nowhere', title: 'x' }, 'No project acme/nowhere'],
    ['get_issue', { issue: 'acme/app#99' }, 'Issue acme/app#99 not found'],
    ['detect_dependencies', {}, 'Pass either issues or project'],
    ['detect_dependencies', { issues: ['acme/app#1'], project: 'acme/app' }, 'Pass either issues or project'],
    ['check_compliance', { issues: ['acme/app#1'], prompt: 'none' }, 'Available: Definition of Ready'],
    ['close_as_duplicate', { issue: 'acme/app#1', original: 'acme/app#1' }, 'The two issues must differ.'],
    ['decide_change', { change_id: 'x', decision: 'approve' }, 'change_id'],
    [
      'propose_cluster_resolution',
      { cluster_id: '00000000-0000-4000-8000-000000000000', revision: 1 },
      'cluster_id: Cluster not found. Find its id with list_clusters.',
    ],
    ['propose_cluster_resolution', { cluster_id: '00000000-0000-4000-8000-000000000000' }, 'revision'],
    ['search_issues', { limit: 51 }, 'limit'],
    [
      'search_issues',
      { project: 'acme/app' },
      'Unknown field project. Available: query, search_type, projects',
    ],
    ['search_issues', { fields: ['nothing'] }, 'expected one of "id"|"key"|"tracker"|"title"'],
    [
      'get_issue',
      { issue: 'acme/app#1', fields: ['nothing'] },
      'expected one of "id"|"key"|"tracker"|"title"',
    ],
    ['search_issues', { fields: Array(10_000).fill('title') }, 'fields'],
    ['search_issues', { fields: Array(10_000).fill('nothing') }, 'fields'],
    ['search_issues', { item_types: Array(10_000).fill('issue') }, 'item_types'],
  ])('%s with %o explains how to correct the call', (tool, input, said) =>
    expectNothingDone(async () => expect(await agent.failing(tool, input)).toContain(said)),
  );
});

test('a prompt is found by id, by name, or by short name; an ambiguous name is refused', async () => {
  const add = (name: string, short_name: string) =>
    caller.send(
      'POST',
      '/issue_compliance_prompts',
      { name, short_name, criteria: [{ name: 'Clear', weight: 1, description: 'It is.', check: 'goal' }] },
      compliancePrompt,
    );
  const [named, one, other] = [
    await add('DoR', 'Ours'),
    await add('First of two', 'Twin'),
    await add('Second of two', 'Twin'),
  ];
  const meant = async (prompt: string) =>
    (await agent.use('check_compliance', { issues: ['acme/app#1'], prompt })).prompt;
  expect(await meant(' dor')).toBe('DoR');
  expect(await meant('dor_compliance_v1')).toBe('Definition of Ready');
  expect(await meant('INVEST')).toBe('INVEST');
  expect(await meant(one.id)).toBe('First of two');
  const said = await agent.failing('check_compliance', { issues: ['acme/app#1'], prompt: 'twin' });
  expect(said).toContain(`Use the id: ${one.id} or ${other.id}.`);
  for (const { id } of [named, one, other]) await caller.do('DELETE', `/issue_compliance_prompts/${id}`);
});

test('validation errors use the field names of the tool', async () => {
  const itself = { issue: 'acme/app#1', original: 'acme/app#1' };
  const said = await agent.failing('close_as_duplicate', itself);
  expect(said).toBe('issue: The two issues must differ.');
});

test('accepts common agent input: open for opened, and fields that are always returned', async () => {
  const issue = 'acme/app#1';
  const { results } = await agent.use('search_issues', {
    status: 'open',
    fields: ['key', 'title', 'title'],
    item_types: ['issue', 'issue'],
  });
  expect(results.map((result) => Object.keys(result.issue).toSorted())).toEqual(
    Array(3).fill(['id', 'key', 'title', 'tracker']),
  );
  const read = await agent.use('get_issue', { issue, fields: ['key', 'state', 'similar'] });
  expect(read).toMatchObject({ key: issue, state: 'opened', similar: expect.any(Array) });
  expect(await agent.use('update_issue', { issue, state: 'open' })).toMatchObject({ status: 'unchanged' });
});

/** Arguments that are written to the tracker unchanged. */
const WRITTEN = ['update_issue.title', 'update_issue.description', 'comment_on_issue.comment'];
/**
 * Arguments with which a tool writes nothing. Other fields can then be tested with unusual values.
 */
const UNWRITTEN: Partial<Record<AgentToolName, Record<string, unknown>>> = {
  create_issue: { assignees: ['nobody-at-all'] },
  update_issue: { title: undefined, add_labels: [] },
  assign_issue: { assignees: ['nobody-at-all'] },
  comment_on_issue: { issue: 'acme/app#99' },
  close_as_duplicate: { original: 'acme/app#99' },
};

describe('a message', () => {
  beforeAll(useNewKey);

  const send = (message: unknown, sending: { raw?: string; headers?: Record<string, string> } = {}) =>
    sendMessage(winnow.origin, message, { key, ...sending });

  test.each([
    ['that is not JSON', '{"jsonrpc": "2.0",'],
    ['that is empty', ''],
    ['that is a string', '"tools/list"'],
    ['that is null', 'null'],
    ['without a method', '{"jsonrpc":"2.0","id":1}'],
    ['of another JSON-RPC version', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}'],
    ['with parameters in a list', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}'],
    ['in an array', '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]'],
    ['in an empty array', '[]'],
    ['with a null character', JSON.stringify(requestOf('tools/list', { cursor: 'a\u0000b' }))],
    ['with half a surrogate pair', JSON.stringify(requestOf('tools/list', { cursor: 'a\ud800b' }))],
  ])('%s is refused', async (_what, raw) => {
    const answer = await send(undefined, { raw });
    expect([answer.status, answer.text]).toEqual([400, answer.text]);
  });

  test.each([
    ['broken JSON', '{"jsonrpc": "2.0",', -32700],
    ['nothing', '', -32700],
    ['an array', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ['a null character', JSON.stringify(requestOf('tools/list', { cursor: 'a\u0000b' })), -32600],
    ['a string', '"ping"', -32600],
    ['parameters in a list', JSON.stringify({ ...requestOf('ping'), params: [] }), -32602],
    ['a string as parameters', JSON.stringify({ ...requestOf('ping'), params: 'x' }), -32602],
    ['a string to discover', JSON.stringify({ ...requestOf('server/discover'), params: 'x' }), -32602],
    ['an overlong name', JSON.stringify(requestOf('tools/call', { name: 'x'.repeat(4_000) })), -32602],
    ['a null as parameters', JSON.stringify({ ...requestOf('ping'), params: null }), -32602],
  ])('of %s is refused as JSON-RPC', async (_what, raw, code) => {
    const answer = await send(undefined, { raw });
    const error = { code, message: expect.any(String) };
    const id = code === -32602 ? 1 : null;
    expect([answer.status, answer.body]).toEqual([400, { jsonrpc: '2.0', id, error }]);
  });

  test('with metadata that is not an object is refused', async () => {
    for (const method of ['ping', 'server/discover', 'tools/list']) {
      const answer = await send(requestOf(method, { _meta: 5 }));
      expect([answer.status, rpcError.parse(answer.body).error.code]).toEqual([200, -32602]);
    }
  });

  test('with a content type other than JSON is refused', async () => {
    const answer = await send(undefined, { raw: 'method=ping', headers: { 'content-type': 'text/plain' } });
    expect(answer.status).toBe(415);
  });

  test('with an unknown method is refused', async () => {
    for (const message of [requestOf('tools/destroy'), modernRequestOf('tools/destroy')]) {
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/destroy' };
      const answer = await send(message, 'params' in message && '_meta' in message.params ? { headers } : {});
      expect(JSON.stringify(answer.text)).toContain('-32601');
    }
  });

  test('with an unknown protocol revision is refused, with the supported ones', async () => {
    const answer = await send(modernRequestOf('tools/list', {}, '2099-01-01'), {
      headers: { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' },
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('2026-07-28');
    const legacy = await send(requestOf('ping'), { headers: { 'mcp-protocol-version': '1999-01-01' } });
    expect(legacy.status).toBe(400);
  });

  test('that subscribes to changes is refused', async () => {
    const answer = await send(
      modernRequestOf('subscriptions/listen', { notifications: { toolsListChanged: true } }),
      {
        headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
      },
    );
    expect([answer.status, rpcError.parse(answer.body).error.code]).toEqual([404, -32601]);
  });

  test('by GET or DELETE is refused: there are no sessions', async () => {
    for (const method of ['GET', 'DELETE'] as const) {
      const answer = await sendMessage(winnow.origin, undefined, { key, method });
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'OPTIONS, POST']);
    }
    const asked = await fetch(`${winnow.origin}/mcp`, { method: 'OPTIONS' });
    expect([asked.status, asked.headers.get('allow')]).toEqual([204, 'OPTIONS, POST']);
  });
});

test('arguments of prompts and URIs of resources are validated like those of tools', () =>
  expectNothingDone(async () => {
    const prompted = (name: string, args: Record<string, string>) =>
      agent.prompt(name, args).then(() => 'made', String);
    expect(await prompted('triage_issue', { issue: 'acme/app#99' })).toContain('Issue acme/app#99 not found');
    expect(await prompted('refine_issue', { issue: 'acme/app#1', prompt: 'none' })).toContain(
      'No prompt none',
    );
    expect(await prompted('triage_issue', {})).toContain('issue');
    expect(await prompted('delete_everything', {})).toMatch(/not found/i);
    const read = (uri: string) => agent.readResource(uri).then(() => 'read', String);
    for (const uri of [
      'winnow://issue/acme%2Fapp%2399',
      'winnow://issue/%00',
      'winnow://issue/%E0%A4%A',
      'winnow://project/none/duplicates',
      'winnow://project/%00/duplicates',
      'winnow://else/1',
      'file:///etc/passwd',
      'not an address',
      `winnow://issue/${'x'.repeat(10_000)}`,
    ]) {
      const said = await read(uri);
      expect([uri, said]).toEqual([uri, expect.not.stringMatching(/^read$|Internal error/)]);
    }
    const long = 'x'.repeat(900_000);
    const said = await Promise.all([
      prompted('triage_issue', { issue: long }),
      prompted('refine_issue', { issue: 'acme/app#1', prompt: long }),
      prompted(long, {}),
      read(`winnow://issue/${'x'.repeat(301)}`),
      read(`winnow://project/${long}/duplicates`),
      read(long),
      agent.callTool(long, {}).then(JSON.stringify, String),
      agent.complete(long, 'key', 'x').then(JSON.stringify, String),
    ]);
    for (const sentence of said) expect(sentence).toMatch(/^(?!made|read).{1,700}$/s);
    const completed = await agent.complete('winnow://issue/{key}', 'key', 'a\u200bb'.repeat(1_000));
    expect(JSON.stringify(completed)).toContain('"values":[]');
  }));

test('two hundred concurrent calls all succeed', async () => {
  // Uses a separate key, because the shared one is close to its rate limit.
  const another = await connectAgent(winnow.origin, (await newKey(caller)).key);
  const calls = Array.from({ length: 200 }, (_, index) =>
    index % 2 === 0
      ? another.use('search_issues', { query: 'report', limit: 3 }).then(({ results }) => results.length > 0)
      : another
          .use('get_issue', { issue: `acme/app#${1 + (index % 3)}` })
          .then((issue) => issue.title !== undefined),
  );
  expect(new Set(await Promise.all(calls))).toEqual(new Set([true]));
  await another.close();
});

import { randomUUID } from 'node:crypto';
import { aiModel, aiModelTestResult } from '@winnow/contract/ai-model';
import { type CreatedApiKey, createdApiKey } from '@winnow/contract/api-key';
import { type ApiUsage, apiUsage } from '@winnow/contract/usage';
import { startModels } from '@winnow/emulators/models/emulator';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordCall } from '../../ai/call-store.ts';
import { removeCallsBefore } from '../../ai/usage-store.ts';
import { type Caller, call, type Sent } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { listenLive } from '../../testing/live-listener.ts';
import { type RunningWinnow, startWinnow } from '../../testing/running-winnow.ts';
import { addDays, dayOf, monthOf } from '../day.ts';
import { addUsage } from './counter-store.ts';
import { addApiCalls, removeUsageBefore } from './usage-store.ts';

let winnow: RunningWinnow;
let caller: Caller;
let key: CreatedApiKey;
const today = dayOf(new Date());

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(() => winnow.close());
beforeEach(async () => {
  caller = await winnow.newCaller();
  key = await newKey('Laptop');
});

function newKey(name: string): Promise<CreatedApiKey> {
  return caller.send('POST', '/auth/api-keys', { name, expires_at: null }, createdApiKey);
}

function usage(query = '', of = caller): Promise<ApiUsage> {
  return of.get(`/auth/api-usage${query}`, apiUsage.strict());
}

async function accountId(of = caller): Promise<string> {
  const { account_id } = await winnow.database.db
    .selectFrom('app_user')
    .select('account_id')
    .where('username', '=', of.name)
    .executeTakeFirstOrThrow();
  return account_id;
}

const search = (sent: Sent = {}) => call(winnow.origin, 'GET', '/api/v1/search', { token: key.key, ...sent });

/** Sends one request to the MCP endpoint in the 2025 version of the protocol. */
function ask(method: string, params: unknown) {
  return call(winnow.origin, 'POST', '/mcp', {
    token: key.key,
    body: { jsonrpc: '2.0', id: 1, method, params },
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
  });
}

/** Stores API calls of the account for a given day. */
async function callsOn(day: string, changes: Partial<Parameters<typeof addApiCalls>[1][number]> = {}) {
  const common = { day, method: 'GET', endpoint: '/api/v1/search', count: 1, errors: 0, latency: [1] };
  await addApiCalls(winnow.database.db, [
    { accountId: await accountId(), keyId: key.id, ...common, ...changes },
  ]);
}

const GPT_4O = {
  provider: 'openai',
  identifier: 'gpt-4o',
  price: { input: 2.5, output: 10, cachedInput: 1.25, long: null, source: 'list', asOf: '2026-10-01' },
} as const;
const LLAMA = { provider: 'custom', identifier: 'llama', price: null } as const;

/** Fields of a model call other than its account and time. */
const answered = {
  feature: 'verdict',
  model: { id: randomUUID(), name: 'GPT', ...GPT_4O },
  prompt: 'p',
  answers: 1,
  tokens: { input: 1, output: 1 },
  durationMs: 1,
  outcome: 'answered',
} as const;

describe('requests', () => {
  test('of a key are counted exactly by route under concurrency, with failures', async () => {
    const other = await newKey('CI');
    await Promise.all([
      ...Array.from({ length: 60 }, (_, index) => search({ token: index % 3 === 0 ? other.key : key.key })),
      ...Array.from({ length: 7 }, () =>
        call(winnow.origin, 'GET', `/api/v1/issues/${randomUUID()}`, { token: key.key }),
      ),
      call(winnow.origin, 'GET', '/api/v1/search?limit=none', { token: key.key }),
      caller.call('GET', '/search'),
    ]);
    const told = await usage('?timeseries=true');
    expect(told).toMatchObject({ total_requests: 68, requests_ever: 68, errors: 8, to: today });
    const about = { method: 'GET', p50_ms: expect.any(Number), p95_ms: expect.any(Number) };
    expect(told.requests_by_endpoint).toEqual([
      { ...about, endpoint: '/api/v1/search', count: 61, errors: 1 },
      { ...about, endpoint: '/api/v1/issues/:issue', count: 7, errors: 7 },
    ]);
    expect(told.requests_by_key).toEqual([
      { key_id: key.id, name: 'Laptop', is_revoked: false, count: 48, errors: 8 },
      { key_id: other.id, name: 'CI', is_revoked: false, count: 20, errors: 0 },
    ]);
    expect(told.requests_by_date?.at(-1)).toEqual({ date: today, count: 68, errors: 8 });
    expect(told.limits.api_calls_monthly).toEqual({ used: 68, limit: null });
  });

  test('of an agent are counted by tool; unknown tool names are not repeated', async () => {
    for (const [method, params] of [
      ['tools/list', {}],
      ['tools/call', { name: 'search_issues', arguments: {} }],
      ['tools/call', { name: 'search_issues', arguments: { limit: 'many' } }],
      ['tools/call', { name: 'get_issue', arguments: { issue: 'acme/web#1' } }],
      ['tools/call', { name: 'constructor', arguments: {} }],
      ['tools/call', { name: 'my own <tool>', arguments: {} }],
      ['my/own', {}],
    ] as const) {
      await ask(method, params);
    }
    // MCP clients open a stream with GET and end their session with DELETE. The server supports
    // neither.
    for (const method of ['GET', 'DELETE'] as const) {
      const headers = { accept: 'text/event-stream' };
      expect((await call(winnow.origin, method, '/mcp', { token: key.key, headers })).status).toBe(405);
    }
    const { requests_by_endpoint, errors } = await usage();
    const seen = requests_by_endpoint.map(({ method, endpoint, count, errors: failed }) => [
      method,
      endpoint,
      count,
      failed,
    ]);
    expect(seen).toEqual([
      ['MCP', 'tools/call', 2, 2],
      ['MCP', 'tools/call search_issues', 2, 1],
      ['MCP', 'other', 1, 1],
      ['MCP', 'tools/call get_issue', 1, 1],
      ['MCP', 'tools/list', 1, 0],
    ]);
    expect(errors).toBe(5);
  });

  test('show the name of their key after it was revoked', async () => {
    await search();
    await usage();
    await caller.do('DELETE', `/auth/api-keys/${key.id}`);
    expect((await search()).status).toBe(401);
    expect((await usage()).requests_by_key).toEqual([
      { key_id: key.id, name: 'Laptop', is_revoked: true, count: 1, errors: 0 },
    ]);
  });

  test('that have just ended are stored when the process stops', async () => {
    const other = await startWinnow({ database: winnow.database });
    try {
      await Promise.all(
        Array.from({ length: 40 }, () => call(other.origin, 'GET', '/api/v1/search', { token: key.key })),
      );
    } finally {
      await other.close();
    }
    expect(await usage()).toMatchObject({ total_requests: 40, requests_ever: 40 });
  });

  test("are announced to the account's screens", async () => {
    const listener = await listenLive(winnow.origin, caller.tokens.access_token);
    // Repeats the request, because the server does not report when a client has subscribed.
    await eventually(async () => {
      await search();
      return listener.events.some(({ type }) => type === 'usage_updated');
    });
    await listener.close();
  });
});

describe('a range', () => {
  test('contains exactly its days, and is thirty days by default', async () => {
    for (const days of [0, -29, -30, -399]) await callsOn(addDays(today, days));
    const told = await usage('?timeseries=true');
    expect(told).toMatchObject({ from: addDays(today, -29), to: today, total_requests: 2, requests_ever: 4 });
    expect(told.requests_by_date).toHaveLength(30);
    expect(told.requests_by_date?.map(({ date }) => date)).toEqual(
      told.requests_by_date?.map((_, index) => addDays(told.from, index)),
    );
    expect(told.requests_by_date?.filter(({ count }) => count === 0)).toHaveLength(28);
    expect(told.ai.by_date).toHaveLength(30);
    expect(await usage('?to=1970-01-02')).toMatchObject({ from: '1970-01-01', to: '1970-01-02' });
    const longest = await usage(`?from=${addDays(today, -399)}&to=${today}`);
    expect(longest.total_requests).toBe(4);
    expect(longest.requests_by_date).toBeUndefined();
    expect(longest.ai.by_date).toBeUndefined();
  });

  test.each([
    ['from=2026-13-01', 'from', 'Enter a day such as 2030-01-31.'],
    ['to=yesterday', 'to', 'Enter a day such as 2030-01-31.'],
    ['from=0000-01-01&to=0000-01-02', 'from', 'Enter a day after 1970.'],
    ['from=2026-02-02&to=2026-02-01', 'from', /comes after the last/],
    ['from=2020-01-01&to=2026-02-01', 'from', /at most 400/],
    ['to=9999-12-31&from=9000-01-01', 'from', /at most 400/],
    ['timeseries=yes', 'timeseries', /.+/],
  ])('%s is refused with a sentence, also for the export', async (query, path, message) => {
    const paths = path === 'timeseries' ? [''] : ['', '/export'];
    for (const part of paths) {
      const failure = await caller.fail('GET', `/auth/api-usage${part}?${query}`, 422);
      expect(failure.fields).toContainEqual({ path, message: expect.stringMatching(message) });
    }
  });

  test('combines latencies of all its days and keys', async () => {
    await callsOn(today, { latency: [90] });
    await callsOn(addDays(today, -1), { keyId: randomUUID(), latency: [0, 0, 10] });
    const { p50_ms, p95_ms, requests_by_endpoint } = await usage();
    expect([p50_ms, p95_ms]).toEqual([0.5, 0.6]);
    expect(requests_by_endpoint).toEqual([expect.objectContaining({ p50_ms: 0.5, p95_ms: 0.6, count: 2 })]);
  });
});

test('an account sees its own usage, and keys see none', async () => {
  await search();
  const stranger = await winnow.newCaller();
  const nothing = {
    total_requests: 0,
    requests_ever: 0,
    p50_ms: null,
    requests_by_endpoint: [],
    requests_by_key: [],
  };
  expect(await usage('', stranger)).toMatchObject(nothing);
  expect((await stranger.call('GET', '/auth/api-usage/export')).text.trim().split('\n')).toHaveLength(1);
  for (const path of ['/api/v1/auth/api-usage', '/api/v1/auth/api-usage/export']) {
    expect((await call(winnow.origin, 'GET', path, { token: key.key })).status).toBe(403);
    expect((await call(winnow.origin, 'GET', path)).status).toBe(401);
  }
});

describe('language models', () => {
  test('are listed by model, feature and day, with unknown cost marked', async () => {
    const models = await startModels();
    models.answerAll(() => ({ text: '{"ok": true}' }));
    const fields = {
      name: 'Our GPT',
      provider_name: 'openai',
      model_identifier: 'gpt-4o',
      api_url: models.urlOf('openai'),
      api_key: 'sk-0123456789abcdefghij',
    };
    const created = await caller.send('POST', '/ai-models', fields, aiModel);
    await caller.send('POST', '/ai-models/test', { ...fields, model_id: created.id }, aiModelTestResult);
    await models.close();
    const { ai } = await usage();
    expect(ai).toMatchObject({ calls: 1, failed: 0 });
    expect(ai.tokens).toBeGreaterThan(0);
    expect(ai.by_feature).toEqual([expect.objectContaining({ feature: 'test', calls: 1 })]);
    expect(ai.by_model).toEqual([
      expect.objectContaining({ model: 'Our GPT', provider: 'openai', identifier: 'gpt-4o', calls: 1 }),
    ]);
  });

  test('add up: calls, failures, tokens and cost', async () => {
    const { db } = winnow.database;
    const gpt = { id: randomUUID(), name: 'GPT', ...GPT_4O } as const;
    const local = { id: randomUUID(), name: 'Local', ...LLAMA } as const;
    const common = { accountId: await accountId(), prompt: 'p', durationMs: 5, outcome: 'answered' } as const;
    const at = (day: string) => new Date(`${day}T23:59:59.999Z`);
    const tokens = { input: 1_000_000, output: 100_000 };
    await recordCall(db, {
      ...common,
      feature: 'verdict',
      model: gpt,
      answers: 1,
      tokens,
      at: at('2026-02-01'),
    });
    await recordCall(db, {
      ...common,
      feature: 'verdict',
      model: gpt,
      answers: 2,
      tokens,
      at: at('2026-02-03'),
    });
    await recordCall(db, {
      ...common,
      feature: 'suggestion',
      model: local,
      answers: 1,
      tokens,
      at: at('2026-02-03'),
    });
    const failed = { answers: 0, tokens: { input: null, output: null }, outcome: 'timeout' } as const;
    await recordCall(db, { ...common, feature: 'suggestion', model: local, ...failed, at: at('2026-02-02') });
    await recordCall(db, {
      ...common,
      feature: 'verdict',
      model: gpt,
      answers: 1,
      tokens,
      at: at('2026-02-04'),
    });

    const { ai } = await usage('?from=2026-02-01&to=2026-02-03&timeseries=true');
    const both = { input_tokens: 2_000_000, output_tokens: 200_000, tokens: 2_200_000 };
    const one = { input_tokens: 1_000_000, output_tokens: 100_000, tokens: 1_100_000 };
    const ofGpt = { calls: 3, failed: 0, ...both, cost: 7, unpriced_calls: 0 };
    const ofLocal = { calls: 1, failed: 1, ...one, cost: 0, unpriced_calls: 1 };
    expect(ai).toEqual({
      calls: 4,
      failed: 1,
      input_tokens: 3_000_000,
      output_tokens: 300_000,
      tokens: 3_300_000,
      cost: 7,
      unpriced_calls: 1,
      by_model: [
        { model: 'GPT', provider: 'openai', identifier: 'gpt-4o', ...ofGpt },
        { model: 'Local', provider: 'custom', identifier: 'llama', ...ofLocal },
      ],
      by_feature: [
        { feature: 'verdict', ...ofGpt },
        { feature: 'suggestion', ...ofLocal },
      ],
      by_date: [
        { date: '2026-02-01', calls: 1, cost: 3.5 },
        { date: '2026-02-02', calls: 0, cost: 0 },
        { date: '2026-02-03', calls: 3, cost: 3.5 },
      ],
    });
  });
});

test("limits are those of the plan, with this month's usage, and nothing is refused", async () => {
  const free = await startWinnow({ database: winnow.database, env: { SELF_HOSTED_PLAN: 'free' } });
  try {
    const { db } = winnow.database;
    const account = await accountId();
    const lastMonth = new Date(`${addDays(`${today.slice(0, 7)}-01`, -1)}T12:00:00Z`);
    await addUsage(db, account, 'issues_ingested', 70, new Date());
    await addUsage(db, account, 'issues_ingested', 30, lastMonth);
    await callsOn(today, { count: 1_200 });
    const answer = await call(free.origin, 'GET', `/api/v1/auth/api-usage?to=2026-01-31`, {
      token: caller.tokens.access_token,
    });
    const { limits, total_requests } = apiUsage.parse(answer.body);
    expect(total_requests).toBe(0);
    expect(limits).toMatchObject({ plan_id: 'free', plan_name: 'Free' });
    expect(limits.period.from).toBe(`${today.slice(0, 7)}-01`);
    expect(limits.api_calls_monthly).toEqual({ used: 1_200, limit: 1_000 });
    expect(limits.ai_calls_monthly).toEqual({ used: 0, limit: 10 });
    expect(limits.issues_ingested_monthly).toEqual({ used: 70, limit: 100 });
    expect((await call(free.origin, 'GET', '/api/v1/search', { token: key.key })).status).toBe(200);
  } finally {
    await free.close();
  }
});

describe('the file', () => {
  test('has each of thousands of rows once, and escapes formulas', async () => {
    key = await newKey('=HYPERLINK("http://evil.example")');
    await Promise.all(
      Array.from({ length: 3 }, (_, index) =>
        callsOn(addDays(today, -index), { count: index + 1, errors: index }),
      ),
    );
    const account = await accountId();
    const many = Array.from({ length: 4_100 }, (_, index) => ({
      accountId: account,
      keyId: key.id,
      day: addDays(today, -5),
      method: 'GET',
      endpoint: `/route/${index}`,
      count: 1,
      errors: 0,
      latency: [1],
    }));
    await addApiCalls(winnow.database.db, many);
    const { text, headers } = await caller.call('GET', '/auth/api-usage/export');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const name = `winnow-api-usage-${addDays(today, -29)}-${today}.csv`;
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
    const lines = text.split('\r\n');
    expect(lines[0]).toBe(
      'kind,date,endpoint,method,key_name,count,errors,p50_ms,p95_ms,model,feature,input_tokens,output_tokens,cost_usd,unpriced_calls',
    );
    const nameCell = `"'=HYPERLINK(""http://evil.example"")"`;
    expect(lines.slice(-4)).toEqual([
      `api,${addDays(today, -2)},/api/v1/search,GET,${nameCell},3,2,0.5,0.5,,,,,,`,
      `api,${addDays(today, -1)},/api/v1/search,GET,${nameCell},2,1,0.5,0.5,,,,,,`,
      `api,${today},/api/v1/search,GET,${nameCell},1,0,0.5,0.5,,,,,,`,
      '',
    ]);
    expect(new Set(lines).size).toBe(1 + many.length + 3 + 1);
    expect(lines).toHaveLength(1 + many.length + 3 + 1);
  });
});

test('the file lists model calls by day, model and feature, after the requests', async () => {
  await callsOn('2026-02-01');
  const model = { id: randomUUID(), ...GPT_4O } as const;
  const common = { accountId: await accountId(), prompt: 'p', durationMs: 5, answers: 2 } as const;
  const tokens = { input: 1_000_000, output: 100_000 };
  const call = { ...common, tokens, outcome: 'answered', at: new Date('2026-02-02T12:00:00Z') } as const;
  const { db } = winnow.database;
  await recordCall(db, { ...call, feature: 'verdict', model: { ...model, name: '=GPT' } });
  const unpriced = { ...model, name: 'Local', ...LLAMA } as const;
  await recordCall(db, {
    ...call,
    feature: 'suggestion',
    model: unpriced,
    at: new Date('2026-02-01T12:00:00Z'),
  });
  const { text } = await caller.call('GET', '/auth/api-usage/export?from=2026-02-01&to=2026-02-03');
  expect(text.split('\r\n').slice(1)).toEqual([
    'api,2026-02-01,/api/v1/search,GET,Laptop,1,0,0.5,0.5,,,,,,',
    'ai,2026-02-01,,,,2,0,,,Local,suggestion,1000000,100000,,2',
    "ai,2026-02-02,,,,2,0,,,'=GPT,verdict,1000000,100000,3.5,0",
    '',
  ]);
});

test('usage older than the retention period is deleted, and the total stays the same', async () => {
  const { db } = winnow.database;
  await callsOn('2026-01-01');
  await callsOn('2026-01-02');
  const call = { ...answered, accountId: await accountId() };
  await recordCall(db, { ...call, at: new Date('2026-01-01T23:59:59.999Z') });
  await recordCall(db, { ...call, at: new Date('2026-01-02T00:00:00Z') });
  await removeUsageBefore(db, '2026-01-02');
  await removeCallsBefore(db, '2026-01-02');
  const told = await usage('?from=2026-01-01&to=2026-01-02&timeseries=true');
  expect(told.requests_by_date?.map(({ count }) => count)).toEqual([0, 1]);
  expect(told.ai.by_date?.map(({ calls }) => calls)).toEqual([0, 1]);
  expect(told.requests_ever).toBe(2);
});

test('a daily job deletes usage older than 400 days; its first run is today', async () => {
  const { db } = winnow.database;
  const owner = await accountId();
  const [oldest, last] = [addDays(today, -399), addDays(today, -400)];
  const month = monthOf(oldest);
  for (const day of [last, oldest]) {
    await callsOn(day);
    await recordCall(db, { ...answered, accountId: owner, at: new Date(day) });
  }
  for (const from of [monthOf(addDays(month.from, -1)).from, addDays(month.to, 1)]) {
    const taken = { account_id: owner, kind: 'api_requests', month: from, taken: 1 } as const;
    await db.insertInto('plan_usage').values(taken).execute();
  }
  const kept = async () => {
    const calls = await db.selectFrom('api_usage').select('day').where('account_id', '=', owner).execute();
    const models = await db.selectFrom('ai_call').select('at').where('account_id', '=', owner).execute();
    const taken = await db.selectFrom('plan_usage').select('month').where('account_id', '=', owner).execute();
    return [
      ...calls.map(({ day }) => day),
      ...models.map(({ at }) => dayOf(at)),
      ...taken.map((row) => row.month),
    ];
  };
  expect(await kept()).toHaveLength(6);
  const due = () =>
    sql<{ run_at: Date }>`
    update graphile_worker._private_jobs set run_at = now() where key = 'remove-old-usage' returning run_at
  `.execute(db);
  await eventually(async () => (await due()).rows.length === 1, { what: 'the job of the next day' });
  await eventually(async () => (await kept()).length === 3, { what: 'the removal' });
  expect(await kept()).toEqual([oldest, oldest, addDays(month.to, 1)]);
});

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { currentUser } from '@winnow/contract/account';
import { aiModel, aiModelList, aiModelTestResult } from '@winnow/contract/ai-model';
import { createdApiKey } from '@winnow/contract/api-key';
import { complianceResult } from '@winnow/contract/compliance';
import { pairList } from '@winnow/contract/duplicate';
import { MCP_PATH } from '@winnow/contract/mcp-address';
import type { PlanId } from '@winnow/contract/plan';
import { suggestion } from '@winnow/contract/suggestion';
import { apiUsage } from '@winnow/contract/usage';
import { BUILT_IN_ANALYST, verdict } from '@winnow/contract/verdict';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { type ModelRequest, type ModelsEmulator, startModels } from '@winnow/emulators/models/emulator';
import { NO_STRIPE_ENV } from '@winnow/emulators/stripe/environment';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newFlow, newModel, runFlow, whenExecution } from '../../flows/testing/flow-setup.ts';
import { connectAgent } from '../../mcp/testing/agent.ts';
import { type Caller, call } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  connect,
  differentIssues,
  startGitHub,
  syncAgain,
  whenSynced,
  whenTracker,
} from '../../testing/github.ts';
import { planLimitOf } from '../../testing/plan-limit.ts';
import { type RunningWinnow, startWinnow } from '../../testing/running-winnow.ts';
import { dayOf } from '../day.ts';
import { givePlan } from '../testing/subscribed.ts';
import { addUsage } from '../usage/counter-store.ts';

vi.setConfig({ testTimeout: 120_000 });
const OFFERED = 'House model';
const KEY = 'sk-of-the-operator';
const PRINTING = 'The print button does nothing after the second click on a slow connection.';
const ALIKE = ['', ' Seen on Firefox.', ' It worked on Monday.'].map((ending) => ({
  title: 'Print button is dead',
  body: `${PRINTING}${ending}`,
}));

let models: ModelsEmulator;
let winnow: RunningWinnow;
/** A second process on the same database. */
let other: RunningWinnow;
let caller: Caller;
let accountId: string;

beforeAll(async () => {
  models = await startModels();
  const offered = {
    name: OFFERED,
    provider: 'custom',
    model: 'house',
    api_key: KEY,
    api_url: models.urlOf('custom'),
  };
  const env = { ...NO_STRIPE_ENV, API_KEY_RATE_LIMIT: '1000000', AI_MODELS: JSON.stringify([offered]) };
  winnow = await startWinnow({ env, isReachable: true });
  // Both processes run jobs, so both need the URL at which trackers can call them.
  other = await startWinnow({ env: { ...env, PUBLIC_URL: winnow.origin }, database: winnow.database });
});
afterAll(async () => {
  await other?.close();
  await winnow?.close();
  await models?.close();
});
beforeEach(async () => {
  models.answerAll(() => ({ text: '{"ok": true}' }));
  caller = await winnow.newCaller();
  accountId = (await caller.get('/auth/users/me', currentUser)).account_id;
});

const { format } = new Intl.NumberFormat('en-US');
const plan = (planId: PlanId) => givePlan(winnow.database.db, accountId, planId);
const used = (kind: 'api_requests' | 'ai_calls' | 'issues_ingested', count: number) =>
  addUsage(winnow.database.db, accountId, kind, count, new Date());
const newKey = async () =>
  (await caller.send('POST', '/auth/api-keys', { name: 'CI', expires_at: null }, createdApiKey)).key;
const limits = async () => (await caller.get('/auth/api-usage', apiUsage)).limits;
const useOffered = async () => {
  const model = (await caller.get('/ai-models', aiModelList)).find(({ name }) => name === OFFERED);
  return caller.send('PUT', `/ai-models/${model?.id}`, { is_default: true }, aiModel);
};

describe('calls of API keys', () => {
  const search = (token: string, origin = winnow.origin) =>
    call(origin, 'GET', '/api/v1/search?limit=1', { token });

  test('succeed exactly as often as the plan allows, for concurrent calls to two processes', async () => {
    await used('api_requests', 400);
    const key = await newKey();
    const origins = [winnow.origin, other.origin];
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => search(key, origins[index % 2])),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(600);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const answer of refused) {
      const { feature, plan_id, resets_at } = planLimitOf(answer, 429);
      expect([feature, plan_id]).toEqual(['api_calls_monthly', 'free']);
      expect(resets_at?.slice(7)).toBe('-01T00:00:00.000Z');
    }
    const waitMs = Number(refused[0]?.headers.get('retry-after')) * 1_000;
    expect(dayOf(new Date(Date.now() + waitMs)).slice(8)).toBe('01');
    await eventually(async () => (await limits()).api_calls_monthly.used === 1_000);
    expect((await limits()).api_calls_monthly).toEqual({ used: 1_000, limit: 1_000 });
  });

  test('at the limit: account and billing routes keep working, and so do all requests of users', async () => {
    await used('api_requests', 1_000);
    const key = await newKey();
    planLimitOf(await search(key), 429);
    for (const path of ['/auth/users/me', '/billing/subscription', '/auth/api-usage', '/trackers']) {
      const answer = await call(winnow.origin, 'GET', `/api/v1${path}`, { token: key });
      expect([path, answer.status, answer.body]).toMatchObject([path, 403, { code: 'user_required' }]);
    }
    expect((await limits()).api_calls_monthly).toEqual({ used: 1_000, limit: 1_000 });
    expect((await caller.call('GET', '/search')).status).toBe(200);
    expect((await caller.call('GET', '/billing/plans')).status).toBe(200);
    expect((await call(winnow.origin, 'GET', '/api/v1/search', { token: 'wnw_wrong' })).status).toBe(401);
    await plan('pro');
    expect((await search(key)).status).toBe(200);
  });

  test('of an MCP client are refused with the sentence', async () => {
    const key = await newKey();
    await used('api_requests', 998);
    // Requests for a stream are not supported and must not count against the quota.
    const headers = { accept: 'text/event-stream' };
    const stream = () => call(winnow.origin, 'GET', MCP_PATH, { token: key, headers });
    for (let times = 0; times < 5; times += 1) expect((await stream()).status).toBe(405);
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    const url = new URL(MCP_PATH, winnow.origin);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    await expect(client.listTools()).rejects.toThrow(/Your plan Free allows 1,000 API calls a month/);
    await client.close();
  });
});

describe('calls of language models', () => {
  let github: GitHubEmulator;
  beforeAll(async () => {
    github = await startGitHub(ALIKE);
  });
  afterAll(() => github?.close());

  async function connected() {
    await whenSynced(caller, (await connect(caller, github)).id);
    const found = await eventually(async () => {
      const { duplicates } = await caller.get('/issue-duplicates?limit=3', pairList);
      return duplicates.length > 1 && duplicates;
    });
    const [pair] = found.filter(({ similarity }) => similarity < 0.999);
    if (!pair) throw new Error('There is a pair to be judged.');
    return { issue1_id: pair.issue1.id, issue2_id: pair.issue2.id };
  }

  test('beyond the plan: requests of users are refused, and the built-in analyst judges instead', async () => {
    await used('ai_calls', 10);
    const { id } = await useOffered();
    const pair = await connected();
    const written = await caller.call('POST', '/ai-suggestion', { ...pair, resolution: 'merged' });
    expect(planLimitOf(written, 429)).toMatchObject({ feature: 'ai_calls_monthly', plan_id: 'free' });
    const tried = { model_id: id, provider_name: 'custom', model_identifier: 'x', api_url: 'http://x.test' };
    planLimitOf(await caller.call('POST', '/ai-models/test', tried), 429);
    const judged = await eventually(async () => {
      const query = new URLSearchParams(pair).toString();
      const said = await caller.get(`/issue-duplicates/check?${query}`, verdict);
      return said.decided_at !== null && said;
    });
    expect(judged.ai_model_name).toBe(BUILT_IN_ANALYST);
    const score = `/issue_compliance/${pair.issue1_id}?prompt_name=dor_compliance_v1`;
    const scored = await eventually(async () => {
      const said = await caller.get(score, complianceResult);
      return said.evaluated_at !== null && said;
    });
    expect(scored.ai_model_name).toBe(BUILT_IN_ANALYST);
    expect(models.requests).toEqual([]);

    await plan('pro');
    models.answerAll(() => ({
      text: '{"title": "Print button is dead", "description": "It does nothing.", "explanation": "Both."}',
    }));
    const { ai_model_name: author } = await caller.send(
      'POST',
      '/ai-suggestion',
      { ...pair, resolution: 'merged' },
      suggestion,
    );
    expect(author).toBe(OFFERED);
  });

  test('beyond the plan: a flow’s execution fails with the sentence', async () => {
    await plan('ultra');
    await connected();
    const own = await newModel(caller, models);
    const flow = await newFlow(caller, own.id);
    await used('ai_calls', 1_000);
    const run = async () => whenExecution(caller, (await runFlow(caller, flow.id)).id);
    const sentence = `Your plan Ultra allows ${format(1_000)} AI calls a month`;
    expect(await run()).toMatchObject({ status: 'FAILED', error_message: expect.stringContaining(sentence) });
    await plan('pro');
    expect(await run()).toMatchObject({
      status: 'FAILED',
      error_message: expect.stringContaining('Custom AI models are not part of your plan Pro'),
    });
    await plan('enterprise');
    models.answerAll(() => ({ text: 'Done.' }));
    expect(await run()).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('without a response are refunded', async () => {
    await used('ai_calls', 9);
    const { id } = await useOffered();
    const tried = { model_id: id, provider_name: 'custom', model_identifier: 'x', api_url: 'http://x.test' };
    const tryOut = () => caller.send('POST', '/ai-models/test', tried, aiModelTestResult);
    // Fails only the question of the connection test. Background jobs for other tests may ask the
    // model too.
    const question = 'Respond with {"ok": true}.';
    const asked = ({ turns }: ModelRequest) => turns.some(({ text }) => text.includes(question));
    models.answerAll((request) => (asked(request) ? { fails: 401, says: 'No.' } : { text: '{}' }));
    expect((await tryOut()).success).toBe(false);
    models.answerAll(() => ({ text: '{"ok": true}' }));
    expect((await tryOut()).success).toBe(true);
    planLimitOf(await caller.call('POST', '/ai-models/test', tried), 429);
    expect((await limits()).ai_calls_monthly).toEqual({ used: 10, limit: 10 });
  });
});

describe('new issues', () => {
  test('beyond the plan are skipped, the tracker reports it, and they are read after a change to a larger plan', async () => {
    const github = await startGitHub(differentIssues(130));
    try {
      const { id } = await whenSynced(caller, (await connect(caller, github)).id);
      const { sync } = await syncAgain(caller, id);
      expect(sync).toMatchObject({ state: 'idle', issues: 100 });
      expect(sync.last_error).toMatch(
        /^Your plan Free allows 100 new issues a month, and they are used up\./,
      );
      expect((await limits()).issues_ingested_monthly).toEqual({ used: 100, limit: 100 });
      await plan('pro');
      expect((await syncAgain(caller, id)).sync).toMatchObject({ issues: 130, last_error: null });
    } finally {
      await github.close();
    }
  });

  test('from webhooks are stored up to the plan, and the tracker reports it', async () => {
    const github = await startGitHub(differentIssues(2));
    try {
      const { id } = await connect(caller, github);
      await whenSynced(caller, id);
      await whenTracker(caller, id, ({ webhooks }) => webhooks.state === 'active');
      await used('issues_ingested', 90);
      const tell = async (from: number, count: number) => {
        const made = differentIssues(from + count).slice(from);
        for (const issue of made) github.createIssue('acme', 'app', issue);
        await github.deliveries.settled();
        const { db } = winnow.database;
        const told = db.selectFrom('tracker_event').select('handled_at').where('account_id', '=', accountId);
        await eventually(async () => {
          const events = await told.execute();
          return events.length === from + count - 2 && events.every(({ handled_at }) => handled_at !== null);
        });
      };
      await tell(2, 5);
      expect((await limits()).issues_ingested_monthly.used).toBe(97);
      await tell(7, 30);
      expect((await limits()).issues_ingested_monthly).toEqual({ used: 100, limit: 100 });
      const { sync } = await whenTracker(caller, id, (shown) => shown.sync.last_error !== null);
      expect(sync.last_error).toMatch(
        /^Your plan Free allows 100 new issues a month, and they are used up\./,
      );
      expect(sync.issues).toBe(10);
    } finally {
      await github.close();
    }
  });

  test('created through us count, even beyond the plan', async () => {
    const github = await startGitHub(differentIssues(2));
    try {
      await whenSynced(caller, (await connect(caller, github)).id);
      await used('issues_ingested', 98);
      const agent = await connectAgent(winnow.origin, await newKey());
      const draft = { project: 'acme/app', title: 'A new kitchen', allow_duplicate: true };
      expect(await agent.use('create_issue', draft)).toMatchObject({ status: 'applied' });
      await agent.close();
      expect((await limits()).issues_ingested_monthly).toEqual({ used: 101, limit: 100 });
    } finally {
      await github.close();
    }
  });

  test('of the sample do not count', async () => {
    await used('issues_ingested', 100);
    const answer = await caller.call('POST', '/trackers', { name: 'Sample', type: 'sample' });
    const { id } = answer.body as { id: string };
    const { sync } = await whenSynced(caller, id);
    expect(sync.issues).toBeGreaterThan(100);
    expect(sync.last_error).toBeNull();
  });
});

import { type AiModel, aiModel, aiModelList, aiModelTestResult } from '@winnow/contract/ai-model';
import { type ModelsEmulator, startModels } from '@winnow/emulators/models/emulator';
import { NO_STRIPE_ENV } from '@winnow/emulators/stripe/environment';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { givePlan } from '../billing/testing/subscribed.ts';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { type Caller, signInCaller } from '../testing/caller.ts';
import { planLimitOf } from '../testing/plan-limit.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const KEY = 'sk-of-the-operator';
let models: ModelsEmulator;
let database: TestDatabase;
let winnow: RunningWinnow;
let caller: Caller;
let accountId: string;

const house = (changes: Record<string, unknown> = {}) => ({
  name: 'House',
  provider: 'openai',
  model: 'gpt-4o',
  api_key: KEY,
  api_url: models.urlOf('openai'),
  ...changes,
});
/**
 * Starts Winnow with models that the operator offers to every account. No other private host may be
 * called.
 */
const offering = (...offered: Record<string, unknown>[]) =>
  startWinnow({
    env: { ...NO_STRIPE_ENV, OUTBOUND_ALLOWED_HOSTS: '', AI_MODELS: JSON.stringify(offered) },
    database,
  });

beforeAll(async () => {
  models = await startModels();
  database = await createTestDatabase();
  winnow = await offering(house(), house({ name: 'Small', model: 'gpt-4o-mini' }));
});
afterAll(async () => {
  await winnow?.close();
  await models?.close();
  await database?.drop();
});
beforeEach(async () => {
  models.answerAll(() => ({ text: '{"ok": true}' }));
  caller = await winnow.newCaller();
  accountId = await caller.accountId();
});

const list = (of = caller) => of.get('/ai-models', aiModelList.max(100));
const own = (changes: Record<string, unknown> = {}) => ({
  name: 'Ours',
  provider_name: 'openai',
  model_identifier: 'gpt-4o',
  api_url: models.urlOf('openai'),
  api_key: 'sk-ours',
  ...changes,
});
const put = (model: AiModel, body: unknown) => caller.send('PUT', `/ai-models/${model.id}`, body, aiModel);

async function offered(name = 'House', of = caller): Promise<AiModel> {
  const found = (await list(of)).find((model) => model.name === name);
  if (!found) throw new Error(`${name} is offered.`);
  return found;
}

describe('a model that the operator offers', () => {
  test('is available to every account, is not the default, and reveals neither key nor address', async () => {
    const [first, second] = await list();
    expect([first?.name, second?.name]).toEqual(['House', 'Small']);
    expect(first).toMatchObject({
      provider_name: 'openai',
      model_identifier: 'gpt-4o',
      api_url: '',
      has_api_key: true,
      is_default: false,
      is_offered: true,
    });
    expect((await list()).map(({ id }) => id)).toEqual([first?.id, second?.id]);
    const other = await winnow.newCaller();
    expect((await offered('House', other)).id).not.toBe(first?.id);
    expect((await other.call('PUT', `/ai-models/${first?.id}`, { is_default: true })).status).toBe(404);
    expect(caller.answers.join()).not.toContain(KEY);
    expect(JSON.stringify(winnow.logLines)).not.toContain(KEY);
    const rows = await database.db
      .selectFrom('ai_model')
      .selectAll()
      .where('is_offered', '=', true)
      .execute();
    expect(rows.every(({ sealed_key, api_url }) => sealed_key === null && api_url === '')).toBe(true);
  });

  test('can become or stop being the default, and cannot be changed in any other way', async () => {
    const model = await offered();
    expect((await put(model, { is_default: true })).is_default).toBe(true);
    expect((await put(await offered('Small'), { is_default: true })).is_default).toBe(true);
    expect((await offered()).is_default).toBe(false);
    for (const change of [{ name: 'Mine' }, { api_url: 'http://x.test' }, { api_key: 'sk' }]) {
      expect(await caller.fail('PUT', `/ai-models/${model.id}`, 403, change)).toMatchObject({
        code: 'ai_model_offered',
      });
    }
    expect((await caller.fail('DELETE', `/ai-models/${model.id}`, 403)).code).toBe('ai_model_offered');
    expect((await put(await offered('Small'), { is_default: false })).is_default).toBe(false);
  });

  test('is asked at the operator’s address with the operator’s key, whatever a caller sends', async () => {
    const { id } = await offered();
    const before = models.requests.length;
    const sent = { ...own({ api_key: '', api_url: 'http://203.0.113.9/v1' }), model_id: id };
    const result = await caller.send('POST', '/ai-models/test', sent, aiModelTestResult);
    expect(result).toMatchObject({ success: true, message: expect.stringMatching(/^House responded in/) });
    expect(models.requests).toHaveLength(before + 1);
  });

  test('does not open its host to custom models', async () => {
    await givePlan(database.db, accountId, 'ultra');
    const result = await caller.send('POST', '/ai-models/test', own(), aiModelTestResult);
    expect(result).toMatchObject({
      success: false,
      message: expect.stringContaining('OUTBOUND_ALLOWED_HOSTS'),
    });
  });

  test('stays the default when a first custom model is added, and yields its name to a custom model', async () => {
    await givePlan(database.db, accountId, 'ultra');
    const taken = await caller.send('POST', '/ai-models', own({ name: 'House', is_default: false }), aiModel);
    await put(await offered('Small'), { is_default: true });
    await caller.send('POST', '/ai-models', own(), aiModel);
    const all = await list();
    expect(all.map(({ name, is_default }) => [name, is_default])).toEqual([
      ['Small', true],
      ['House', false],
      ['Ours', false],
    ]);
    expect(all[1]).toEqual(taken);
  });

  test('is removed when the operator withdraws it, and the built-in analyst takes over', async () => {
    await put(await offered(), { is_default: true });
    const { id } = await offered('Small');
    const later = await offering(house({ name: 'Small', model: 'gpt-5-mini' }), house({ name: 'New' }));
    try {
      const there = await signInCaller(later.origin, caller.name, caller.password);
      const names = (await list(there)).map((model) => [
        model.name,
        model.model_identifier,
        model.is_default,
      ]);
      expect(names).toEqual([
        ['Small', 'gpt-5-mini', false],
        ['New', 'gpt-4o', false],
      ]);
      expect((await offered('Small', there)).id).toBe(id);
    } finally {
      await later.close();
    }
  });
});

describe('custom models on a plan without them', () => {
  test('cannot be created, changed or tested', async () => {
    await givePlan(database.db, accountId, 'ultra');
    const made = await caller.send('POST', '/ai-models', own(), aiModel);
    await givePlan(database.db, accountId, 'pro');
    const path = `/ai-models/${made.id}`;
    for (const [method, to, body] of [
      ['POST', '/ai-models', own({ name: 'Another' })],
      ['PUT', path, { name: 'Renamed' }],
      ['PUT', path, { is_default: true }],
      ['POST', '/ai-models/test', own()],
      ['POST', '/ai-models/test', { ...own({ api_key: '' }), model_id: made.id }],
    ] as const) {
      expect(planLimitOf(await caller.call(method, to, body), 403)).toEqual({
        feature: 'custom_ai_models_enabled',
        plan_id: 'pro',
        resets_at: null,
      });
    }
  });

  test('remain unused, can stop being the default, and can be deleted', async () => {
    await givePlan(database.db, accountId, 'ultra');
    const made = await caller.send('POST', '/ai-models', own({ is_default: true }), aiModel);
    expect(made.is_default).toBe(true);
    await givePlan(database.db, accountId, 'free');
    expect((await list()).find(({ id }) => id === made.id)).toEqual(made);
    expect((await put(made, { is_default: false })).is_default).toBe(false);
    await caller.do('DELETE', `/ai-models/${made.id}`);
    expect((await list()).map(({ name }) => name)).toEqual(['House', 'Small']);
  });
});

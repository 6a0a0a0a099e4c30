import { randomUUID } from 'node:crypto';
import { type AiModel, aiModel, aiModelList, aiModelTestResult } from '@winnow/contract/ai-model';
import { type ModelsEmulator, startModels } from '@winnow/emulators/models/emulator';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../testing/caller.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const KEY = 'sk-0123456789abcdefghij';

let winnow: RunningWinnow;
let emulator: ModelsEmulator;
let caller: Caller;

beforeAll(async () => {
  winnow = await startWinnow();
  emulator = await startModels();
});
afterAll(async () => {
  await winnow.close();
  await emulator.close();
});
beforeEach(async () => {
  caller = await winnow.newCaller();
  emulator.answerAll(() => ({ text: '{"ok": true}' }));
});

const fieldsOf = (changes: Record<string, unknown> = {}) => ({
  name: 'Our GPT',
  provider_name: 'openai',
  model_identifier: 'gpt-4o',
  api_url: emulator.urlOf('openai'),
  api_key: KEY,
  ...changes,
});
const create = (changes?: Record<string, unknown>) =>
  caller.send('POST', '/ai-models', fieldsOf(changes), aiModel);
const update = (model: AiModel, body: unknown) => caller.send('PUT', `/ai-models/${model.id}`, body, aiModel);
const list = () => caller.get('/ai-models', aiModelList);
const tryOut = (body: unknown) => caller.send('POST', '/ai-models/test', body, aiModelTestResult);
const defaults = async () => (await list()).filter(({ is_default }) => is_default).map(({ name }) => name);

describe('a model', () => {
  test('is stored with a sealed key, which no response and no log line contains', async () => {
    const created = await create();
    expect(created).toMatchObject({ name: 'Our GPT', has_api_key: true, is_default: false });
    expect(await list()).toEqual([created]);
    await tryOut({ ...fieldsOf(), api_key: '', model_id: created.id });
    const { sealed_key } = await winnow.database.db
      .selectFrom('ai_model')
      .select('sealed_key')
      .where('id', '=', created.id)
      .executeTakeFirstOrThrow();
    expect(sealed_key?.includes(KEY)).toBe(false);
    expect(caller.answers.join()).not.toContain(KEY);
    expect(JSON.stringify(winnow.logLines)).not.toContain(KEY);
  });

  test.each([
    ['no name', { name: ' ' }, 'name', 'Enter a name.'],
    ['no model', { model_identifier: '' }, 'model_identifier', 'Enter the name of the model.'],
    ['a model of two words', { model_identifier: 'gpt 4' }, 'model_identifier', /no spaces/],
    ['no address', { api_url: '' }, 'api_url', 'Enter the address of the API.'],
    ['an invalid address', { api_url: 'api.openai.com' }, 'api_url', /web address/],
    ['another scheme', { api_url: 'file:///etc/passwd' }, 'api_url', /web address/],
    ['a password in the address', { api_url: 'https://a:b@example.com/v1' }, 'api_url', /web address/],
    ['no key for a provider that requires one', { api_key: '' }, 'api_key', 'Enter an API key.'],
    ['a key of two lines', { api_key: 'a\nb' }, 'api_key', /plain characters/],
    ['an unknown provider', { provider_name: 'acme' }, 'provider_name', /.+/],
  ])('with %s is refused at its field', async (_what, changes, path, message) => {
    const failure = await caller.fail('POST', '/ai-models', 422, fieldsOf(changes));
    expect(failure.fields).toEqual([{ path, message: expect.stringMatching(message) }]);
    expect(await list()).toEqual([]);
  });

  test('of a custom server requires no key', async () => {
    const created = await create({ provider_name: 'custom', api_key: undefined });
    expect(created.has_api_key).toBe(false);
  });

  test('with a taken name is refused, on creation and on renaming', async () => {
    await create();
    const other = await create({ name: 'Another' });
    const taken = { name: 'our gpt' };
    for (const [method, path, body] of [
      ['POST', '/ai-models', fieldsOf(taken)],
      ['PUT', `/ai-models/${other.id}`, taken],
    ] as const) {
      const failure = await caller.fail(method, path, 409, body);
      expect([failure.code, failure.fields?.[0]?.path]).toEqual(['ai_model_name_taken', 'name']);
    }
  });
});

describe('changing a model', () => {
  test('keeps omitted fields, and keeps the key if the new key is blank', async () => {
    const created = await create();
    const renamed = await update(created, { name: 'Renamed', api_key: '' });
    expect(renamed).toEqual({ ...created, name: 'Renamed' });
    expect(await tryOut({ ...fieldsOf(), api_key: '', model_id: created.id })).toMatchObject({
      success: true,
    });
  });

  test('to another host requires the key again', async () => {
    const created = await create();
    const failure = await caller.fail('PUT', `/ai-models/${created.id}`, 422, {
      api_url: 'https://evil.example/v1',
    });
    expect(failure.fields?.[0]).toEqual({ path: 'api_key', message: expect.stringContaining('again') });
    const moved = await update(created, { api_url: 'https://api.example/v1/', api_key: 'sk-new' });
    expect(moved.api_url).toBe('https://api.example/v1');
  });

  test('to a provider that requires a key is refused without one', async () => {
    const created = await create({ provider_name: 'custom', api_key: '' });
    const path = `/ai-models/${created.id}`;
    const failure = await caller.fail('PUT', path, 422, { provider_name: 'openai' });
    expect(failure.fields?.[0]?.path).toBe('api_key');
  });

  test('with an unknown or deleted id is a 404', async () => {
    const created = await create();
    await caller.do('DELETE', `/ai-models/${created.id}`);
    for (const id of [created.id, randomUUID()]) {
      await caller.fail('PUT', `/ai-models/${id}`, 404, { name: 'x' });
      await caller.fail('DELETE', `/ai-models/${id}`, 404);
    }
  });
});

describe('the default', () => {
  test('is the model that was chosen last; there is never a second default', async () => {
    await create();
    const other = await create({ name: 'Other' });
    expect(await defaults()).toEqual([]);
    await update(other, { is_default: true });
    expect(await defaults()).toEqual(['Other']);
    await create({ name: 'Third', is_default: true });
    expect(await defaults()).toEqual(['Third']);
  });

  test('is exactly one model after concurrent requests', async () => {
    const models = [];
    for (const name of ['a', 'b', 'c', 'd']) models.push(await create({ name }));
    await Promise.all(models.map((model) => update(model, { is_default: true })));
    expect(await defaults()).toHaveLength(1);
  });

  test('falls back to the built-in analyst when it is unset or deleted', async () => {
    const model = await create();
    await create({ name: 'Other' });
    await update(model, { is_default: false });
    expect(await defaults()).toEqual([]);
    await update(model, { is_default: true });
    await caller.do('DELETE', `/ai-models/${model.id}`);
    expect(await defaults()).toEqual([]);
  });
});

describe('testing a connection', () => {
  test('reports success and how long it took', async () => {
    const result = await tryOut(fieldsOf());
    expect(result).toMatchObject({ success: true, message: expect.stringMatching(/^Our GPT responded in/) });
    expect(result.latency_ms).toBeGreaterThanOrEqual(0);
    const call = await winnow.database.db.selectFrom('ai_call').selectAll().orderBy('at', 'desc').execute();
    expect(call[0]).toMatchObject({
      feature: 'test',
      ai_model_id: null,
      model_identifier: 'gpt-4o',
      prompt: 'answer-ok@1',
      answers: 1,
      input_tokens: 100,
      output_tokens: 20,
      cost: 0.00045,
      outcome: 'answered',
    });
  });

  test.each([
    ['a wrong key', { fails: 401, says: 'Incorrect API key provided.' }, /refuses the API key: Incorrect/],
    ['an unknown model', { fails: 404, says: 'No such model.' }, /404.*No such model/],
    ['an answer that is not JSON', { text: 'Hello' }, /not in the required format/],
  ])('reports %s without failing', async (_what, reply, message) => {
    emulator.answerAll(() => reply);
    const result = await tryOut(fieldsOf());
    expect(result).toMatchObject({ success: false, message: expect.stringMatching(message) });
  });

  test('sends the stored key only to the stored host', async () => {
    const created = await create();
    const before = emulator.requests.length;
    const away = fieldsOf({ api_url: 'http://127.0.0.2:1/v1', api_key: '', model_id: created.id });
    expect(await tryOut(away)).toEqual({
      success: false,
      message: expect.stringContaining('only ever sent to the stored host'),
      latency_ms: null,
    });
    const fresh = await tryOut(fieldsOf({ api_key: '' }));
    expect(fresh).toEqual({ success: false, message: 'Enter an API key.', latency_ms: null });
    expect(emulator.requests).toHaveLength(before);
  });

  test('reports an unreadable stored key', async () => {
    const created = await create();
    await winnow.database.db
      .updateTable('ai_model')
      .set({ sealed_key: Buffer.alloc(60, 1) })
      .where('id', '=', created.id)
      .execute();
    const result = await tryOut(fieldsOf({ api_key: '', model_id: created.id }));
    expect(result).toMatchObject({ success: false, message: expect.stringContaining('cannot be read') });
  });

  test('does not call into a private network', async () => {
    const result = await tryOut(fieldsOf({ provider_name: 'custom', api_url: 'http://169.254.169.254/v1' }));
    expect(result.success).toBe(false);
    expect(result.message).toContain('OUTBOUND_ALLOWED_HOSTS');
  });

  test('counts as an AI call when the model answered', async () => {
    await tryOut(fieldsOf());
    emulator.answerAll(() => ({ fails: 401, says: 'No.' }));
    await tryOut(fieldsOf());
    const counted = await winnow.database.db
      .selectFrom('usage_counter')
      .select('count')
      .where('account_id', '=', await caller.accountId())
      .where('kind', '=', 'ai_calls')
      .execute();
    expect(counted).toEqual([{ count: 1 }]);
  });
});

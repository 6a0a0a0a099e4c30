import { type AiModel, aiModel, aiModelList, aiModelTestResult } from '@winnow/contract/ai-model';
import { complianceResult, complianceResults } from '@winnow/contract/compliance';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { type ModelsEmulator, startModels } from '@winnow/emulators/models/emulator';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeAll, newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { issueIds } from '../testing/github.ts';
import { listenLive } from '../testing/live-listener.ts';
import { addModel } from '../testing/models.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

// Issues too different to form candidate pairs, so that background reviews ask the model no
// questions.
const ISSUES = [
  'Dark theme',
  'Slow export',
  'Login loops',
  'Wrong zone',
  'Lost mail',
  'Broken map',
  'No sound',
  'Bad font',
].map((title) => ({ title, body: `${title}.` }));

let winnow: RunningWinnow;
let models: ModelsEmulator;
let github: GitHubEmulator;
let caller: Caller;
let ids: string[];

beforeAll(async () => {
  winnow = await startWinnow();
  models = await startModels();
});
afterAll(() => closeAll(winnow, models));
beforeEach(async () => {
  ({ github, caller } = await newBacklog(winnow, ISSUES));
  ids = (await issueIds(caller, ISSUES.length)).slice(1);
  models.answerAll(() => SCORED);
  // Warms up the engine: its first call takes seconds, which must not affect the timings below.
  await eventually(async () => {
    const body = { issue_ids: ids };
    const { results } = await caller.send('POST', '/issue_compliance/batch', body, complianceResults);
    return results.every(({ state }) => state === 'evaluated');
  });
  return () => github.close();
});

const SCORED = { text: JSON.stringify({ criteria: [], reason: 'No.', suggestion: null, points: null }) };
const scoreOf = (number: number) => caller.get(`/issue_compliance/${ids[number]}`, complianceResult);
const stored = async (model: AiModel) => {
  const found = (await caller.get('/ai-models', aiModelList)).find(({ id }) => id === model.id);
  if (!found) throw new Error('The model is gone.');
  return found;
};

test.each([
  ['refuses', 'custom', { refuses: 'I cannot.' }, 5, /refuses to answer/],
  ['gives unusable answers', 'openai', { text: 'Sure!' }, 5, /not in the required format/],
  ['gives unusable answers', 'anthropic', { text: '{"criteria": 1}' }, 5, /not in the required format/],
  ['rejects the request', 'google', { fails: 400, says: 'No such model.' }, 5, /No such model/],
] as const)(
  'a model that %s (%s) is paused, says so, and works again after "Try again"',
  async (_what, provider, reply, failures, sentence) => {
    const live = await listenLive(winnow.origin, caller.tokens.access_token);
    const key = provider === 'custom' ? {} : { api_key: 'sk-0123456789' };
    const model = await addModel(caller, models, { provider_name: provider, ...key });
    expect(model.health).toMatchObject({ state: 'unused', used_instead: null });
    models.answerAll(() => reply);
    for (let number = 0; number < failures; number += 1) {
      expect(await scoreOf(number)).toMatchObject({
        ai_model_name: BUILT_IN_ANALYST,
        instead_of: { ai_model_id: model.id, reason: 'failed' },
      });
    }
    expect((await stored(model)).health).toMatchObject({
      state: 'paused',
      failures_in_row: failures,
      last_failure: expect.stringMatching(sentence),
      last_success_at: null,
      paused_until: null,
      used_instead: BUILT_IN_ANALYST,
    });
    const before = models.requests.length;
    expect(await scoreOf(failures)).toMatchObject({ instead_of: { reason: 'paused' } });
    expect(models.requests.length).toBe(before);
    await eventually(() => live.events.some(({ type }) => type === 'ai_models_changed'));

    const path = `/ai-models/${model.id}/resume`;
    const failed = await caller.send('POST', path, {}, aiModelTestResult);
    expect(failed.success).toBe(false);
    expect((await stored(model)).health.state).toBe('paused');

    models.answerAll(({ system }) =>
      system.includes('judge one issue') ? SCORED : { text: '{"ok": true}' },
    );
    expect(await caller.send('POST', path, {}, aiModelTestResult)).toMatchObject({ success: true });
    expect((await stored(model)).health).toMatchObject({
      state: 'ok',
      failures_in_row: 0,
      used_instead: null,
    });
    expect(await scoreOf(failures + 1)).toMatchObject({ ai_model_id: model.id, instead_of: null });
    await live.close();
  },
);

test('a success ends a series of failures, and concurrent failures count once', async () => {
  const model = await addModel(caller, models);
  // Ensures that all calls have begun before one fails.
  const { promise: allAsked, resolve } = Promise.withResolvers<void>();
  const before = models.requests.length;
  models.answerAll(async () => {
    if (models.requests.length === before + 4) resolve();
    await allAsked;
    return { refuses: 'I cannot.' };
  });
  await Promise.all([0, 1, 2, 3].map(scoreOf));
  expect((await stored(model)).health.failures_in_row).toBe(1);
  models.answerAll(() => SCORED);
  await scoreOf(4);
  expect((await stored(model)).health).toMatchObject({ state: 'ok', failures_in_row: 0 });
  expect((await stored(model)).health.last_failure_at).not.toBeNull();
});

test('a cap on calls holds under concurrency, is reported, and can be raised', async () => {
  const model = await addModel(caller, models, { monthly_call_cap: 3 });
  const before = models.requests.length;
  await Promise.all(ids.map((_id, number) => scoreOf(number)));
  expect(models.requests.length - before).toBe(3);
  expect((await stored(model)).health).toMatchObject({
    state: 'capped',
    month: { calls: 3 },
    used_instead: BUILT_IN_ANALYST,
  });
  const results = await Promise.all(ids.map((_id, number) => scoreOf(number)));
  expect(results.filter(({ ai_model_id }) => ai_model_id === model.id)).toHaveLength(3);
  const left = results.filter(({ instead_of }) => instead_of?.reason === 'capped');
  expect(left).toHaveLength(ids.length - 3);
  const raised = await caller.send('PUT', `/ai-models/${model.id}`, { monthly_call_cap: 100 }, aiModel);
  expect(raised.health.state).toBe('ok');
});

test('a cap on cost uses the entered price, and requires one', async () => {
  const model = await addModel(caller, models);
  const path = `/ai-models/${model.id}`;
  const refused = await caller.fail('PUT', path, 422, { monthly_cost_cap: 1 });
  expect(refused.fields?.[0]?.path).toBe('monthly_cost_cap');
  // The emulator reports 100 input and 20 output tokens per call. At these prices a call costs
  // $0.12.
  const price = { input: 1_000, output: 1_000 };
  const priced = await caller.send('PUT', path, { price, monthly_cost_cap: 4 }, aiModel);
  expect(priced.price).toMatchObject({ ...price, cached_input: null, source: 'custom', as_of: null });
  const before = models.requests.length;
  for (let number = 0; number < ids.length; number += 1) await scoreOf(number);
  const { health } = await stored(model);
  expect(health.month.cost).toBeCloseTo(0.12 * (models.requests.length - before));
  expect(health.month.cost).toBeLessThanOrEqual(4);
  const cached = { ...price, cached_input: 10 };
  const capped = await caller.send('PUT', path, { price: cached, monthly_cost_cap: 0 }, aiModel);
  expect([capped.price, capped.health.state]).toMatchObject([cached, 'capped']);
});

test('a changed connection clears the failures of the previous one', async () => {
  const model = await addModel(caller, models);
  models.answerAll(() => ({ refuses: 'I cannot.' }));
  await scoreOf(0);
  expect((await stored(model)).health.state).toBe('failing');
  const moved = await caller.send('PUT', `/ai-models/${model.id}`, { model_identifier: 'other' }, aiModel);
  expect(moved.health).toMatchObject({ state: 'unused', last_failure: null });
});

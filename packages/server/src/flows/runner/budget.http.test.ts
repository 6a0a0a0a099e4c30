import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AiModel, aiModel } from '@winnow/contract/ai-model';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { ModelsEmulator } from '@winnow/emulators/models/emulator';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeAll, startBacklog } from '../../testing/backlog.ts';
import type { Caller } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { addModel } from '../../testing/models.ts';
import type { RunningWinnow } from '../../testing/running-winnow.ts';
import { logsOf, newFlow, newModel, runToEnd } from '../testing/flow-setup.ts';

const VAGUE = { title: 'It is broken', body: 'Please fix.' };
/** Token counts that cost ten cents at the list price of the account's model. */
const EXPENSIVE = { input: 40_000, output: 0 };
const EXPENSIVE_DOLLARS = 0.1;

let winnow: RunningWinnow;
let github: GitHubEmulator;
let models: ModelsEmulator;
let caller: Caller;
let model: AiModel;
let issue: number;

beforeAll(async () => {
  const issues = Array.from({ length: 12 }, () => VAGUE);
  ({ winnow, models, github, caller } = await startBacklog({ issues }));
  model = await newModel(caller, models);
  await caller.send('PUT', `/ai-models/${model.id}`, { is_default: true }, aiModel);
  issue = 0;
});
afterAll(() => closeAll(winnow, models, github));
beforeEach(() => {
  models.answerAll(({ tools }) =>
    tools.length > 0 ? { text: 'Done.' } : { text: SUGGESTED, tokens: EXPENSIVE },
  );
});

const SUGGESTED = JSON.stringify({ title: 'It is broken', description: 'Please fix.', changes: ['None.'] });

/**
 * Returns keys of issues that no model has judged yet. Each key is returned only once, because
 * verdicts are cached.
 */
function untouched(count: number): string[] {
  return Array.from({ length: count }, () => {
    issue += 1;
    return `acme/app#${issue}`;
  });
}
const questions = () => models.requests.filter(({ tools }) => tools.length === 0).length;
const suggest = (issues: readonly string[]) => ({
  calls: issues.map((key) => ({ name: 'winnow__suggest_improvement', arguments: { issue: key } })),
  tokens: { input: 0, output: 0 },
});

test('model calls by tools are paid from the budget, and the execution ends when the budget is used up', async () => {
  const before = questions();
  models.next(suggest(untouched(4)));
  const flow = await newFlow(caller, model.id, { max_budget: 0.05 });
  const execution = await runToEnd(caller, flow.id);
  expect(questions() - before).toBe(1);
  expect(execution).toMatchObject({
    status: 'FAILED',
    budget_used: EXPENSIVE_DOLLARS,
    tokens: { input: EXPENSIVE.input, output: 0 },
    error_message: 'The run cost $0.10, which is $0.0500 more than its budget of $0.0500.',
  });
  const results = (await logsOf(caller, execution.id)).filter(({ type }) => type === 'tool_result');
  expect(JSON.stringify(results.at(-1)?.payload)).toContain(BUILT_IN_ANALYST);
});

test('model calls within the budget are made and their cost is displayed', async () => {
  models.next(suggest(untouched(2)));
  const flow = await newFlow(caller, model.id, { max_budget: 1 });
  const execution = await runToEnd(caller, flow.id);
  expect(execution).toMatchObject({ status: 'SUCCEEDED', result: 'Done.' });
  expect(execution.budget_used).toBeCloseTo(2 * EXPENSIVE_DOLLARS, 2);
});

test('a question skipped for lack of budget can be asked by other callers', async () => {
  const [key = ''] = untouched(1);
  models.next({
    calls: [{ name: 'winnow__check_compliance', arguments: { issues: [key] } }],
    tokens: { input: 0, output: 0 },
  });
  const before = questions();
  const flow = await newFlow(caller, model.id, { max_budget: 0.0001 });
  const execution = await runToEnd(caller, flow.id);
  expect(execution.budget_used).toBeLessThan(0.01);
  expect(questions()).toBe(before);
  const richer = await newFlow(caller, model.id);
  models.next({ calls: [{ name: 'winnow__check_compliance', arguments: { issues: [key] } }] });
  await runToEnd(caller, richer.id);
  await eventually(() => questions() > before);
});

test('the built-in analyst continues without the model when the budget is used up', async () => {
  const before = questions();
  const [key = ''] = untouched(1);
  const flow = await newFlow(caller, null, { builtin_actions: ['check_readiness'], max_budget: 0 });
  const execution = await runToEnd(caller, flow.id, { issue_key: key });
  expect(execution).toMatchObject({ status: 'SUCCEEDED', budget_used: 0 });
  expect(execution.result).toMatch(/^Readiness of .+: \d+%/);
  expect(questions()).toBe(before);
  const notices = (await logsOf(caller, execution.id)).map(({ payload }) => payload.notice);
  expect(notices).toContain(
    'The run’s budget of $0.00 is used up, so the built-in analyst continued without the language model.',
  );
});

test('model calls by the built-in analyst are counted', async () => {
  const [key = ''] = untouched(1);
  const before = questions();
  const flow = await newFlow(caller, null, { builtin_actions: ['check_readiness'] });
  const execution = await runToEnd(caller, flow.id, { issue_key: key });
  expect(questions()).toBeGreaterThan(before);
  expect(execution.budget_used).toBeGreaterThanOrEqual(EXPENSIVE_DOLLARS);
});

test('a built-in action does not wait for results that its flow may not read', async () => {
  const [key = ''] = untouched(1);
  const before = questions();
  const flow = await newFlow(caller, null, {
    builtin_actions: ['check_readiness', 'flag_duplicates'],
    tool_policies: { 'winnow/check_compliance': 'deny', 'winnow/find_similar': 'deny' },
  });
  const execution = await runToEnd(caller, flow.id, { issue_key: key });
  expect(execution.result).toContain('This flow may not score issues.');
  expect(execution.result).toContain('This flow may not search for similar issues.');
  expect(questions()).toBe(before);
});

test('a model that does not report its tokens is limited by its estimated cost', async () => {
  let turns = 0;
  const silent = createServer((request, response) => {
    request.resume().on('end', () => {
      turns += 1;
      const named = { name: 'winnow__search_issues', arguments: JSON.stringify({ query: `word ${turns}` }) };
      const call = { id: `call-${turns}`, type: 'function', function: named };
      const message = { role: 'assistant', content: null, tool_calls: [call] };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          ...{ id: 'x', object: 'chat.completion', created: 1, model: 'gpt-4o' },
          choices: [{ index: 0, finish_reason: 'tool_calls', message }],
        }),
      );
    });
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const fields = {
    name: 'Silent',
    provider_name: 'openai',
    model_identifier: 'gpt-4o',
    api_url: `http://127.0.0.1:${port}/v1`,
    api_key: 'sk-0123456789',
    is_default: false,
  };
  const { id } = await caller.send('POST', '/ai-models', fields, aiModel);
  const flow = await newFlow(caller, id, { max_budget: 0.06, max_iterations: 20 });
  const execution = await runToEnd(caller, flow.id);
  expect(execution.status).toBe('FAILED');
  expect(execution.error_message).toContain('budget of $0.0600');
  expect(execution.budget_used).toBeGreaterThan(0.03);
  expect(turns).toBeLessThan(20);
  const notices = (await logsOf(caller, execution.id)).flatMap(({ payload }) => payload.notice ?? []);
  expect(notices).toEqual(['Silent does not report its tokens, so the cost of its turns is estimated.']);
  silent.close();
});

test('a budget of 0 calls no model, with or without a price', async () => {
  const local = await addModel(caller, models, { name: 'Local', is_default: false });
  expect([model.price, local.price]).toEqual([expect.anything(), null]);
  const before = models.requests.length;
  for (const { id } of [model, local]) {
    const flow = await newFlow(caller, id, { max_budget: 0 });
    expect(await runToEnd(caller, flow.id)).toMatchObject({
      status: 'FAILED',
      iterations: 0,
      error_message: 'The budget of this run is $0.00, so the language model was not called.',
    });
  }
  expect(models.requests.length).toBe(before);
});

test('a token limit applies to models without a price, and an entered price enables the budget', async () => {
  const local = await addModel(caller, models, { name: 'Unpriced', is_default: false });
  const reading = () => ({
    calls: [{ name: 'winnow__list_changes', arguments: {} }],
    tokens: { input: 9_000, output: 100 },
  });
  models.next(reading(), reading());
  const limited = await newFlow(caller, local.id, { max_tokens: 10_000 });
  const execution = await runToEnd(caller, limited.id);
  expect(execution).toMatchObject({ status: 'FAILED', budget_used: 0 });
  expect(execution.error_message).toMatch(/limit of 10,000 tokens/);

  models.next(reading(), reading());
  const notPaused = await newFlow(caller, local.id, { max_tokens: 0 });
  const before = models.requests.length;
  expect((await runToEnd(caller, notPaused.id)).status).toBe('FAILED');
  expect(models.requests.length).toBe(before);

  const price = { input: 1_000, output: 1_000 };
  await caller.send('PUT', `/ai-models/${local.id}`, { price }, aiModel);
  const priced = await newFlow(caller, local.id, { max_budget: 5 });
  const dear = await runToEnd(caller, priced.id);
  expect(dear).toMatchObject({ status: 'FAILED', error_message: expect.stringContaining('budget of $5.00') });
});

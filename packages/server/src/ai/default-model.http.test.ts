import { aiModel, aiModelEstimate, aiModelList, aiModelTestResult } from '@winnow/contract/ai-model';
import { complianceResults, complianceStats } from '@winnow/contract/compliance';
import { BUILT_IN_ANALYST, verdictList } from '@winnow/contract/verdict';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { type ModelsEmulator, startModels } from '@winnow/emulators/models/emulator';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeAll, newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { issueIds, whenCompared } from '../testing/github.ts';
import { addModel } from '../testing/models.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { LIST_CALLS_PER_HOUR } from './model-caps.ts';

const PRINTING = 'The print button does nothing after the second click on a slow connection.';
const ISSUES = [
  { title: 'Print button is dead', body: PRINTING },
  { title: 'Print button does nothing', body: `${PRINTING} Seen on Firefox.` },
  ...Array.from({ length: 28 }, (_, index) => ({
    title: `Report ${index} cannot be opened`,
    body: `Opening report ${index} shows an empty page. Expected: the report. Seen on Firefox ${index}.`,
  })),
];

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
  await whenCompared(caller);
  ids = (await issueIds(caller, ISSUES.length)).slice(1);
  models.answerAll(answer);
  return () => github.close();
});

function answer({ system }: { system: string }) {
  if (system.includes('compare two issues')) {
    return { text: JSON.stringify({ decision: 'unrelated', confidence: 0.9, reason: 'Two reports.' }) };
  }
  if (system.includes('judge one issue')) {
    return { text: JSON.stringify({ criteria: [], reason: 'No.', suggestion: null, points: null }) };
  }
  return { text: '{"ok": true}' };
}

const connection = (model: string) => ({
  provider_name: 'custom',
  model_identifier: model,
  api_url: models.urlOf('custom'),
});
const asked = () => models.requests.length;
const score = () => caller.send('POST', '/issue_compliance/batch', { issue_ids: ids }, complianceResults);
const stats = async () => {
  const { projects } = await caller.get('/issue_compliance_stats?status=all', complianceStats);
  return projects[0];
};

test('a model becomes the default only on request, and never after a failed test', async () => {
  const first = await caller.send('POST', '/ai-models', { name: 'First', ...connection('a') }, aiModel);
  expect(first.is_default).toBe(false);
  models.next({ fails: 400, says: 'No such model.' }, { fails: 400, says: 'No such model.' });
  const tried = await caller.send('POST', '/ai-models/test', connection('a'), aiModelTestResult);
  expect(tried.success).toBe(false);
  const path = `/ai-models/${first.id}`;
  const refused = await caller.fail('PUT', path, 409, { is_default: true });
  expect(refused).toMatchObject({
    code: 'ai_model_test_failed',
    detail: expect.stringContaining('No such model.'),
  });
  const again = { name: 'Second', ...connection('a'), is_default: true };
  expect((await caller.fail('POST', '/ai-models', 409, again)).code).toBe('ai_model_test_failed');
  expect((await caller.get('/ai-models', aiModelList)).map(({ name }) => name)).toEqual(['First']);
  expect((await caller.send('POST', '/ai-models/test', connection('a'), aiModelTestResult)).success).toBe(
    true,
  );
  expect(await caller.send('PUT', path, { is_default: true }, aiModel)).toMatchObject({ is_default: true });
});

test('built-in scores count until the model has scored, and lists ask it within the hourly allowance', async () => {
  await score();
  await eventually(async () => (await stats())?.evaluated === ISSUES.length);
  expect((await stats())?.evaluated_by_model).toBeNull();

  const estimate = await caller.send('POST', '/ai-models/estimate', connection('b'), aiModelEstimate);
  expect(estimate).toMatchObject({ price: null, list_calls_per_hour: LIST_CALLS_PER_HOUR });
  expect(estimate.scores).toMatchObject({ calls: ISSUES.length, cost: null });
  expect(estimate.reviews.calls).toBeGreaterThan(0);
  const price = { input: 1, output: 10 };
  const priced = await caller.send(
    'POST',
    '/ai-models/estimate',
    { ...connection('b'), price },
    aiModelEstimate,
  );
  const { input_tokens, output_tokens, cost } = priced.scores;
  expect(cost).toBeCloseTo((input_tokens + output_tokens * 10) / 1_000_000);

  const before = asked();
  const { id } = await addModel(caller, models, { name: 'Ours' });
  await eventually(async () => asked() === before + estimate.reviews.calls);
  expect(await stats()).toMatchObject({ evaluated: ISSUES.length, evaluated_by_model: 0 });

  const { results } = await score();
  const names = new Set(results.map(({ state, ai_model_name }) => `${state} ${ai_model_name}`));
  expect([...names].every((name) => name.startsWith('evaluated'))).toBe(true);
  const waiting = results.filter(({ instead_of }) => instead_of?.reason === 'waiting');
  expect(waiting).toHaveLength(ISSUES.length - LIST_CALLS_PER_HOUR);
  expect(waiting[0]).toMatchObject({
    ai_model_id: null,
    ai_model_name: BUILT_IN_ANALYST,
    instead_of: { ai_model_id: id, ai_model_name: 'Ours' },
    stale: false,
  });
  await eventually(async () => (await stats())?.evaluated_by_model === LIST_CALLS_PER_HOUR);
  expect((await stats())?.evaluated).toBe(ISSUES.length);

  const spent = asked();
  await score();
  const pairs = ids.slice(1).map((other) => ({ issue1_id: ids[0], issue2_id: other }));
  const { verdicts } = await caller.send('POST', '/issue-duplicates/check-batch', { pairs }, verdictList);
  expect(verdicts.filter(({ decision }) => decision === 'checking')).toEqual([]);
  expect(asked()).toBe(spent);

  const [open] = waiting;
  await caller.call('GET', `/issue_compliance/${open?.issue_id}`);
  expect(asked()).toBe(spent + 1);

  await caller.send('PUT', `/ai-models/${id}`, { is_default: false }, aiModel);
  expect(await stats()).toMatchObject({ evaluated: ISSUES.length, evaluated_by_model: null });
});

import { aiModel, aiModelEstimate, aiModelList } from '@winnow/contract/ai-model';
import { createdApiKey } from '@winnow/contract/api-key';
import { change } from '@winnow/contract/change';
import { LIKELIHOOD } from '@winnow/contract/duplicate';
import { BUILT_IN_ANALYST, type Verdict, verdict, verdictList } from '@winnow/contract/verdict';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { type ModelsEmulator, startModels } from '@winnow/emulators/models/emulator';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LIST_CALLS_PER_HOUR } from '../ai/model-caps.ts';
import { closeAll, newBacklog } from '../testing/backlog.ts';
import { type Caller, call } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { minutesAfterStart, whenCompared } from '../testing/github.ts';
import { addModel } from '../testing/models.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const ENDINGS = ['', ' Seen on Firefox.', ' It worked on Monday.', ' No idea why.'];
const ISSUES = ENDINGS.map((ending, at) => ({
  title: 'Print button is dead',
  body: `The print button does nothing after the second click.${ending}`,
  created_at: minutesAfterStart(at),
}));
/** Probabilities below the queue threshold, so that no pair is judged in advance. */
const [HIGHEST, MIDDLE, LOWEST] = [LIKELIHOOD.queue - 0.01, 0.2, 0.12];
const [ALMOST_CERTAIN, UNLIKELY] = [0.95, 0.05];

interface StoredPair {
  id: string;
  issue1_id: string;
  issue2_id: string;
}

let winnow: RunningWinnow;
let github: GitHubEmulator;
let models: ModelsEmulator;
let caller: Caller;
let accountId: string;
let pairs: StoredPair[];

beforeAll(async () => {
  winnow = await startWinnow();
  models = await startModels();
});
afterAll(() => closeAll(winnow, models));
beforeEach(async () => {
  ({ github, caller } = await newBacklog(winnow, ISSUES));
  await whenCompared(caller);
  accountId = await caller.accountId();
  pairs = await storedPairs();
  expect(pairs.length).toBeGreaterThanOrEqual(5);
  models.answerAll(() => says('overlapping'));
  return () => github.close();
});

const says = (decision: string) => ({
  text: JSON.stringify({ decision, confidence: 0.8, reason: 'Both print.' }),
});

const storedPairs = () =>
  winnow.database.db
    .selectFrom('pair')
    .select(['id', 'issue_a as issue1_id', 'issue_b as issue2_id'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();

/** Sets the probabilities of the first pairs, and a negligible probability for all other pairs. */
async function setProbabilities(...probabilities: number[]): Promise<void> {
  for (const [at, { id }] of pairs.entries()) {
    await winnow.database.db
      .updateTable('pair')
      .set({ probability: probabilities[at] ?? 0.01 })
      .where('id', '=', id)
      .execute();
  }
}

const list = async (...listed: StoredPair[]) => {
  const body = { pairs: listed.map(({ issue1_id, issue2_id }) => ({ issue1_id, issue2_id })) };
  return (await caller.send('POST', '/issue-duplicates/check-batch', body, verdictList)).verdicts;
};
const request = ({ issue1_id, issue2_id }: StoredPair) =>
  caller.get(`/issue-duplicates/check?issue1_id=${issue1_id}&issue2_id=${issue2_id}`, verdict);
const pairAt = (at: number): StoredPair => pairs[at] ?? { id: '', issue1_id: '', issue2_id: '' };
/** Returns the indexes in `pairs` of the pairs that have a model's verdict. */
async function asked(): Promise<number[]> {
  const rows = await winnow.database.db
    .selectFrom('verdict')
    .select(['issue_a', 'issue_b'])
    .where('account_id', '=', accountId)
    .execute();
  return pairs.flatMap(({ issue1_id, issue2_id }, at) =>
    rows.some(({ issue_a, issue_b }) => issue_a === issue1_id && issue_b === issue2_id) ? [at] : [],
  );
}
/** Uses up the hourly limit for lists, except for the given number of calls. */
const leaveListCalls = (modelId: string, calls: number) =>
  winnow.database.db
    .insertInto('ai_model_use')
    .values({
      account_id: accountId,
      ai_model_id: modelId,
      period: 'hour_of_lists',
      starts_at: new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000),
      calls: LIST_CALLS_PER_HOUR - calls,
    })
    .execute();

test('a list asks about pairs between the two bounds, most valuable first', async () => {
  await setProbabilities(UNLIKELY, LOWEST, MIDDLE, ALMOST_CERTAIN, HIGHEST);
  const { id } = await addModel(caller, models);
  await leaveListCalls(id, 2);
  const verdicts = await list(...pairs.slice(0, 5));
  await eventually(async () => (await asked()).length === 2);
  expect(await asked()).toEqual([2, 4]);
  expect(verdicts.map(({ instead_of }) => instead_of?.reason)).toMatchObject({
    0: 'not_worth_asking',
    1: 'waiting',
    3: 'not_worth_asking',
  });
  expect(verdicts[0]).toMatchObject({
    ai_model_name: BUILT_IN_ANALYST,
    instead_of: { ai_model_id: id, ai_model_name: 'Our model' },
  });
});

test('lists do not pay again for questions that are in progress or waiting', async () => {
  await setProbabilities(...Array.from({ length: 5 }, () => MIDDLE));
  const { id } = await addModel(caller, models);
  await leaveListCalls(id, 8);
  const held = Promise.withResolvers<void>();
  models.answerAll(() => held.promise.then(() => says('duplicate')));
  const five = pairs.slice(0, 5);
  const reasons = (verdicts: Verdict[]) => verdicts.map(({ instead_of }) => instead_of?.reason);
  const atOnce = await Promise.all([list(...five), list(...five)]);
  expect(atOnce.map(reasons)).toEqual([five.map(() => 'asking'), five.map(() => 'asking')]);
  expect(reasons(await list(...five))).toEqual(five.map(() => 'asking'));
  const use = winnow.database.db.selectFrom('ai_model_use').select('calls');
  const spent = await use.where('ai_model_id', '=', id).where('period', '=', 'hour_of_lists').execute();
  held.resolve();
  await eventually(async () => (await asked()).length === five.length);
  expect(spent).toEqual([{ calls: LIST_CALLS_PER_HOUR - 8 + five.length }]);
});

test('asks about a pair outside the bounds only on request, and lists then display the verdict', async () => {
  await setProbabilities(ALMOST_CERTAIN, UNLIKELY);
  const { id } = await addModel(caller, models);
  const before = await list(pairAt(0));
  expect(before).toMatchObject([{ ai_model_id: null, instead_of: { reason: 'not_worth_asking' } }]);
  expect(await asked()).toEqual([]);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  models.answerAll(() => held.then(() => says('duplicate')));
  const requested = request(pairAt(0));
  await eventually(async () => (await asked()).length === 1);
  expect(await list(pairAt(0), pairAt(1))).toMatchObject([
    { instead_of: { reason: 'asking' } },
    { instead_of: { reason: 'not_worth_asking' } },
  ]);
  release();
  await requested;
  await eventually(async () => (await list(pairAt(0)))[0]?.ai_model_id === id);
  expect(await asked()).toEqual([0]);

  models.answerAll(() => ({ text: 'Bananas.' }));
  await eventually(async () => (await request(pairAt(1))).instead_of?.reason === 'failed');
  expect(await list(pairAt(1))).toMatchObject([{ ai_model_id: null, instead_of: { reason: 'failed' } }]);
});

test('the estimate counts only the pairs of the queue between the bounds, within the cap', async () => {
  await setProbabilities(ALMOST_CERTAIN, 0.5, 0.6, 0.7, HIGHEST, UNLIKELY);
  const fields = { model_identifier: 'local', provider_name: 'custom', price: { input: 1, output: 1 } };
  const estimate = async (model: object) =>
    (await caller.send('POST', '/ai-models/estimate', { ...fields, ...model }, aiModelEstimate)).reviews;
  const free = await addModel(caller, models, { is_default: false });
  const whole = await estimate({ model_id: free.id });
  expect(whole).toMatchObject({ calls: 3 });
  const capped = await addModel(caller, models, { name: 'Capped', is_default: false, monthly_call_cap: 2 });
  expect(await estimate({ model_id: capped.id })).toMatchObject({
    calls: 2,
    cost: expect.closeTo(((whole.cost ?? 0) * 2) / 3),
  });
  await caller.send('PUT', `/ai-models/${free.id}`, { is_default: true }, aiModel);
  await eventually(async () => (await asked()).length === 3);
  expect(await asked()).toEqual([1, 2, 3]);
  await eventually(async () => (await estimate({ model_id: free.id })).calls === 0);
});

test('compares models and the built-in analyst with people on the same pairs, per account', async () => {
  await setProbabilities();
  const agreement = async (of: Caller = caller) => (await of.get('/ai-models', aiModelList))[0]?.agreement;
  const judge = (at: number, judgment: string) =>
    caller.do('PUT', `/issue-duplicates/${pairAt(at).id}/judgment`, { judgment });
  const builtIn = (await list(...pairs.slice(0, 4))).map(({ decision, relation }) =>
    relation === 'likely_same' ? 'duplicate' : decision,
  );
  const { id } = await addModel(caller, models);
  const answers = ['duplicate', 'overlapping', 'unrelated', 'unrelated'];
  for (const [at, decision] of answers.entries()) {
    models.answerAll(() => says(decision));
    await request(pairAt(at));
  }
  expect(await agreement()).toBeNull();

  // Compares the displayed verdicts, because the built-in analyst may limit the model's answer.
  const said = (await list(...pairs.slice(0, 4))).map(({ decision }) => decision);
  const meaning = new Map<string | undefined, string>([
    ['duplicate', 'same'],
    ['overlapping', 'related'],
    ['unrelated', 'different'],
  ]);
  const people = ['same', 'different', 'different'];
  const agreeing = (decisions: readonly string[], count: number) =>
    people.slice(0, count).filter((one, at) => meaning.get(decisions[at]) === one).length;
  const key = { name: 'Agent', scopes: ['read', 'write'] };
  const { key: token } = await caller.send('POST', '/auth/api-keys', key, createdApiKey);
  const path = `/api/v1/issue-duplicates/${pairAt(0).id}/judgment`;
  await call(winnow.origin, 'PUT', path, { token, body: { judgment: 'same' } });
  expect(await agreement()).toBeNull();
  await judge(0, 'same');
  await judge(1, 'different');
  const afterJudging = { pairs: 2, agreed: agreeing(said, 2), built_in_agreed: agreeing(builtIn, 2) };
  expect(await agreement()).toEqual(afterJudging);

  const { issue1_id, issue2_id } = pairAt(2);
  const unrelated = { issue1_id, issue2_id, resolution: 'unrelated' };
  await caller.call('PATCH', '/issue-duplicates/execute-resolution', unrelated);
  const withDecision = { pairs: 3, agreed: agreeing(said, 3), built_in_agreed: agreeing(builtIn, 3) };
  await eventually(async () => (await agreement())?.pairs === 3);
  expect(await agreement()).toEqual(withDecision);
  expect(withDecision.agreed).toBeGreaterThan(afterJudging.agreed);

  // Decisions by flows that no person approved do not count.
  await winnow.database.db
    .updateTable('change')
    .set({ actor_type: 'flow', decided_by_type: 'flow' })
    .where('account_id', '=', accountId)
    .execute();
  expect(await agreement()).toEqual(afterJudging);

  const stranger = await winnow.newCaller();
  await addModel(stranger, models);
  expect(await agreement(stranger)).toBeNull();

  await caller.do('DELETE', `/issue-duplicates/${pairAt(0).id}/judgment`);
  expect((await agreement())?.pairs).toBe(1);
  const moved = await caller.send('PUT', `/ai-models/${id}`, { model_identifier: 'larger' }, aiModel);
  expect(moved.agreement).toBeNull();
});

test('agreement with the built-in analyst is determined by its relation: related, or likely the same', async () => {
  await setProbabilities(0.01, 0.4);
  // The analyst calls pairs with equal titles the same if they are mutually the most similar.
  // Prevents that here.
  const likely = winnow.database.db.updateTable('pair').set({ is_mutual_best: false });
  await likely.where('id', '=', pairAt(1).id).execute();
  const builtIn = await list(pairAt(0), pairAt(1));
  expect(builtIn.map(({ relation }) => relation)).toEqual(['related', 'likely_same']);
  await addModel(caller, models);
  for (const at of [0, 1]) await request(pairAt(at));
  const agreed = async (at: number, judgment: string) => {
    const path = `/issue-duplicates/${pairAt(at).id}/judgment`;
    await caller.do('PUT', path, { judgment });
    const [model] = await caller.get('/ai-models', aiModelList);
    await caller.do('DELETE', path);
    return model?.agreement;
  };
  expect(await agreed(0, 'related')).toEqual({ pairs: 1, agreed: 1, built_in_agreed: 1 });
  expect(await agreed(0, 'same')).toEqual({ pairs: 1, agreed: 0, built_in_agreed: 0 });
  expect(await agreed(1, 'same')).toEqual({ pairs: 1, agreed: 0, built_in_agreed: 1 });
  expect(await agreed(1, 'related')).toEqual({ pairs: 1, agreed: 1, built_in_agreed: 0 });
});

test('counts proposals of an API key if a person approved them, but not if another API key did', async () => {
  await setProbabilities();
  await addModel(caller, models);
  const first = pairAt(0);
  const ofFirst = [first.issue1_id, first.issue2_id];
  const second = pairs.find(
    ({ issue1_id, issue2_id }) => !ofFirst.includes(issue1_id) && !ofFirst.includes(issue2_id),
  );
  if (second === undefined) throw new Error('No two pairs without a common issue.');
  for (const pair of [first, second]) await request(pair);
  const tokenOf = async (name: string, scope: string) =>
    (await caller.send('POST', '/auth/api-keys', { name, scopes: ['read', scope] }, createdApiKey)).key;
  const proposing = await tokenOf('Agent', 'propose');
  const approving = await tokenOf('Reviewer', 'write');
  const propose = async ({ issue1_id, issue2_id }: StoredPair) => {
    const body = { issue1_id, issue2_id, resolution: 'unrelated' };
    const path = '/api/v1/issue-duplicates/propose-resolution';
    return change.parse((await call(winnow.origin, 'PATCH', path, { token: proposing, body })).body).id;
  };
  const isDecided = async ({ id }: StoredPair) => {
    const row = winnow.database.db.selectFrom('pair').select('resolution').where('id', '=', id);
    return (await row.executeTakeFirst())?.resolution === 'unrelated';
  };
  const agreement = async () => (await caller.get('/ai-models', aiModelList))[0]?.agreement;

  await call(winnow.origin, 'POST', `/api/v1/changes/${await propose(first)}/apply`, { token: approving });
  await eventually(() => isDecided(first));
  expect(await agreement()).toBeNull();
  await caller.call('POST', `/changes/${await propose(second)}/apply`);
  await eventually(() => isDecided(second));
  expect(await agreement()).toMatchObject({ pairs: 1 });
});

test('counts pairs of two trackers separately, even if their issues have equal keys', async () => {
  const other = await newBacklog(winnow, ISSUES.slice(0, 2), {}, async () => caller);
  await whenCompared(caller, ISSUES.length + 2);
  pairs = await storedPairs();
  const rows = await winnow.database.db
    .selectFrom('issue')
    .select(['id', 'key'])
    .where('account_id', '=', accountId)
    .execute();
  const keyOf = (issueId: string) => rows.find(({ id }) => id === issueId)?.key;
  const twins = pairs.filter(({ issue1_id, issue2_id }) => keyOf(issue1_id) === keyOf(issue2_id));
  expect(twins.length).toBe(2);
  await setProbabilities();
  await addModel(caller, models);
  for (const twin of twins) expect(await request(twin)).toMatchObject({ ai_model_name: 'Our model' });
  await caller.do('PUT', `/issue-duplicates/${twins[0]?.id}/judgment`, { judgment: 'related' });
  const [model] = await caller.get('/ai-models', aiModelList);
  expect(model?.agreement).toMatchObject({ pairs: 1, agreed: 1 });
  await other.github.close();
});

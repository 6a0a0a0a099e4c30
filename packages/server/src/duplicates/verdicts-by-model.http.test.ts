import { aiModel } from '@winnow/contract/ai-model';
import { changeList } from '@winnow/contract/change';
import { isIdentical, pairList } from '@winnow/contract/duplicate';
import { BUILT_IN_ANALYST, type Verdict, verdict, verdictList } from '@winnow/contract/verdict';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { type ModelsEmulator, startModels } from '@winnow/emulators/models/emulator';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeAll, newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { issueIds, syncAgain, whenCompared } from '../testing/github.ts';
import { listenLive } from '../testing/live-listener.ts';
import { addModel } from '../testing/models.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { claimVerdict, postponeVerdict } from './verdict-store.ts';

const PRINTING = 'The print button does nothing after the second click on a slow connection.';
const ISSUES = [
  { title: 'Upgrade netty to 4.1.86', body: 'The current one has an advisory.' },
  { title: 'Upgrade netty to 4.1.89', body: 'The current one has an advisory.' },
  { title: 'Export loses the time zone', body: 'The export of a shared calendar loses its time zone.' },
  { title: 'Calendar export and zones', body: 'Times of a calendar are wrong once it was exported.' },
  { title: 'Dark theme is too dark', body: 'Labels cannot be read.' },
  { title: 'Print button is dead', body: PRINTING },
  { title: 'Print button is dead', body: PRINTING },
  { title: 'Print button does nothing', body: `${PRINTING} Seen on Firefox.` },
];

/**
 * Number of pairs that are judged in advance: those about printing, except the pair with equal
 * texts.
 */
const AHEAD = 2;

let winnow: RunningWinnow;
let github: GitHubEmulator;
let models: ModelsEmulator;
let caller: Caller;
let trackerId: string;
let modelId: string;
let ids: string[];

beforeAll(async () => {
  winnow = await startWinnow();
  models = await startModels();
});
afterAll(() => closeAll(winnow, models));
beforeEach(async () => {
  ({ github, caller, trackerId } = await newBacklog(winnow, ISSUES));
  await whenCompared(caller);
  ids = await issueIds(caller, ISSUES.length);
  models.answerAll(() => says('overlapping', 'Both are about calendars.'));
  modelId = (await addModel(caller, models)).id;
  await whenJudgedAhead();
  return () => github.close();
});

const says = (decision: string, reason: string, confidence = 0.8) => ({
  text: JSON.stringify({ decision, confidence, reason }),
});
const check = (first: number, second: number) =>
  caller.get(`/issue-duplicates/check?issue1_id=${ids[first]}&issue2_id=${ids[second]}`, verdict);
/**
 * Returns the number of questions about these issues. Other tests' accounts do not have these
 * issues.
 */
const asked = (...numbers: number[]) =>
  models.requests.filter(({ turns }) =>
    numbers.every((number) => turns[0]?.text.includes(ISSUES[number - 1]?.title ?? '-')),
  ).length;
/** Returns the model calls that the test caused, without those made in advance. */
const callsOf = async () =>
  (
    await winnow.database.db
      .selectFrom('ai_call')
      .selectAll()
      .where('ai_model_id', '=', modelId)
      .orderBy('at')
      .execute()
  ).slice(AHEAD);
const judged = () =>
  winnow.database.db.selectFrom('verdict').selectAll().where('ai_model_id', '=', modelId).execute();
const whenJudgedAhead = () => eventually(async () => (await judged()).length === AHEAD);

test('the default language model judges pairs and is named as author', async () => {
  const given = await check(3, 4);
  expect(given).toMatchObject({
    decision: 'overlapping',
    confidence: expect.closeTo(0.8),
    reason: 'Both are about calendars.',
    ai_model_id: modelId,
    ai_model_name: 'Our model',
    stale: false,
  });
  const [call] = await callsOf();
  expect(call).toMatchObject({ feature: 'verdict', prompt: 'judge-pair@3', outcome: 'answered' });
});

test.each([
  ['too large', 3e9],
  ['negative', -1],
  ['a fraction', 1.5],
  ['larger than anything', 1e300],
])('a token count that is %s is stored as unknown, and the answer is used', async (_what, odd) => {
  models.answerAll(() => ({
    ...says('unrelated', 'Nothing in common.'),
    tokens: { input: odd, output: 20 },
  }));
  expect(await check(3, 4)).toMatchObject({ decision: 'unrelated', ai_model_id: modelId });
  expect(await callsOf()).toMatchObject([{ input_tokens: null, output_tokens: 20, outcome: 'answered' }]);
});

test('asks about a pair once, for all callers, in either order, and under concurrency', async () => {
  const before = asked(3, 4);
  const given = await Promise.all([check(3, 4), check(4, 3), check(3, 4), check(4, 3), check(3, 4)]);
  expect(new Set(given.map(({ reason }) => reason))).toEqual(new Set(['Both are about calendars.']));
  await check(4, 3);
  expect(asked(3, 4)).toBe(before + 1);
});

test('returns the built-in verdict until a live event reports that of the slow model', async () => {
  const live = await listenLive(winnow.origin, caller.tokens.access_token);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  models.answerAll(async () => {
    await held;
    return says('unrelated', 'They have nothing in common.');
  });
  const pairs = [
    [3, 4],
    [3, 5],
  ].map(([a = 0, b = 0]) => ({ issue1_id: ids[a], issue2_id: ids[b] }));
  const path = '/issue-duplicates/check-batch';
  const verdicts = await Promise.all([check(3, 4), check(3, 5)]);
  const asking = { ai_model_id: modelId, ai_model_name: 'Our model', reason: 'asking' };
  expect(verdicts).toMatchObject([
    { ai_model_name: BUILT_IN_ANALYST, stale: false, instead_of: asking },
    { ai_model_name: BUILT_IN_ANALYST, stale: false, instead_of: asking },
  ]);
  const mark = live.events.length;
  release();
  await eventually(() => live.events.slice(mark).some(({ type }) => type === 'pairs_changed'));
  await eventually(async () => {
    const again = await caller.send('POST', path, { pairs }, verdictList);
    return again.verdicts.every(({ decision }) => decision === 'unrelated');
  });
  await live.close();
});

describe('a model without a usable answer', () => {
  test.each([
    ['a key that was revoked', { fails: 401, says: 'Who are you?' }],
    ['nonsense', { text: 'Bananas.' }],
    ['half an object', { text: '{"decision": "dupl' }],
    ['another schema', { text: '{"verdict": "duplicate"}' }],
    ['an unknown decision', says('close_everything', 'Because.')],
    ['a refusal', { refuses: 'No.' }],
  ])('(%s) falls back to the built-in analyst, which is named as author', async (_what, reply) => {
    models.answerAll(() => reply);
    const given = await check(3, 4);
    expect(given).toMatchObject({ ai_model_id: null, ai_model_name: BUILT_IN_ANALYST, stale: false });
    expect(['overlapping', 'undecided', 'unrelated']).toContain(given.decision);
    const before = models.requests.length;
    expect(await check(4, 3)).toMatchObject({ ai_model_id: null, decision: given.decision });
    expect(models.requests).toHaveLength(before);
    expect((await callsOf()).map(({ outcome }) => outcome)).not.toContain('answered');
  });
});

test('marks a verdict on earlier texts as stale until a new verdict exists', async () => {
  await check(3, 4);
  models.answerAll(() => 'hangs');
  github.editAs('ada', 'acme', 'app', 4, { body: 'The export of a calendar drops the zone of every time.' });
  await syncAgain(caller, trackerId);
  const old = await check(3, 4);
  expect(old).toMatchObject({ reason: 'Both are about calendars.', stale: true, ai_model_id: modelId });
});

test('turns a model’s "duplicate" into overlapping when the issues name different things', async () => {
  models.answerAll(() => says('duplicate', 'Both upgrade netty.', 0.95));
  const given = await check(1, 2);
  expect(given.decision).toBe('overlapping');
  expect(given.confidence).toBeLessThanOrEqual(0.7);
  expect(given.reason).toContain('The model calls them duplicates: Both upgrade netty. But acme/app#');
  expect(given.reason).toContain('“4.1.89”');
});

test('returns a reason as plain text without addresses', async () => {
  models.answerAll(() => says('unrelated', 'See\u202e\nhttps://evil.example/?q=x or www.evil.example now.'));
  expect((await check(3, 5)).reason).toBe('See [address] or [address] now.');
});

test('uses the built-in analyst without a default model, and the stored verdict once it is default again', async () => {
  await check(3, 4);
  const before = models.requests.length;
  await caller.send('PUT', `/ai-models/${modelId}`, { is_default: false }, aiModel);
  expect(await check(3, 4)).toMatchObject({ ai_model_name: BUILT_IN_ANALYST });
  await caller.send('PUT', `/ai-models/${modelId}`, { is_default: true }, aiModel);
  expect(await check(3, 4)).toMatchObject({ ai_model_id: modelId });
  expect(models.requests.length).toBe(before);
});

test('uses the built-in analyst when the key of the model is unreadable', async () => {
  await winnow.database.db
    .updateTable('ai_model')
    .set({ sealed_key: Buffer.alloc(60, 1) })
    .where('id', '=', modelId)
    .execute();
  expect(await check(3, 4)).toMatchObject({ ai_model_name: BUILT_IN_ANALYST });
});

test('asks a new default model again, and marks the earlier verdict as stale until it answers', async () => {
  await check(3, 4);
  models.answerAll(() => 'hangs');
  await caller.send('PUT', `/ai-models/${modelId}`, { model_identifier: 'larger' }, aiModel);
  expect(await check(3, 4)).toMatchObject({ stale: true, reason: 'Both are about calendars.' });
});

test('removes the verdicts of a deleted model and uses the built-in analyst', async () => {
  await check(3, 4);
  await caller.do('DELETE', `/ai-models/${modelId}`);
  expect(await check(3, 4)).toMatchObject({ ai_model_name: BUILT_IN_ANALYST, stale: false });
});

test('judges the best open pairs in advance without deciding about them', async () => {
  const { duplicates } = await caller.get('/issue-duplicates?similarity_threshold=0.72', pairList);
  const wanted = duplicates.filter(({ similarity }) => !isIdentical(similarity));
  expect([wanted.length > 0, wanted.length < duplicates.length]).toEqual([true, true]);
  const ahead = await judged();
  expect(ahead).toHaveLength(wanted.length);
  expect(ahead.every(({ decision }) => decision === 'overlapping')).toBe(true);
  expect((await caller.get('/changes', changeList)).changes).toEqual([]);
});

describe('among concurrent processes', () => {
  const NOON = new Date('2026-03-01T12:00:00Z');
  const minutesAfter = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);
  const [text, otherText] = [Buffer.from('one text'), Buffer.from('another text')];

  test('only one process asks the model, until its claim expires, its failure is old, or a text changes', async () => {
    const { db } = winnow.database;
    const [issue_a = '', issue_b = ''] = [ids[4] ?? '', ids[5] ?? ''].sort();
    const pair = { issue_a, issue_b };
    const { account_id } = await db
      .selectFrom('issue')
      .select('account_id')
      .where('id', '=', issue_a)
      .executeTakeFirstOrThrow();
    const claim = (questionHash: Buffer, minutes: number) =>
      claimVerdict(db, account_id, pair, questionHash, {
        now: minutesAfter(minutes),
        until: minutesAfter(minutes + 1),
      });
    const claims = await Promise.all(Array.from({ length: 5 }, () => claim(text, 0)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await claim(text, 0.9)).toBe(false);
    expect(await claim(text, 1)).toBe(true);
    await postponeVerdict(db, account_id, pair, text, { asked_until: minutesAfter(60), has_failed: true });
    expect(await claim(text, 59)).toBe(false);
    expect(await claim(text, 60)).toBe(true);
    expect(await claim(otherText, 60)).toBe(true);
    await postponeVerdict(db, account_id, pair, text, { asked_until: minutesAfter(99), has_failed: true });
    expect(await claim(otherText, 62)).toBe(true);
  });
});

test('never returns the verdict of another account’s model', async () => {
  const given: Verdict = await check(3, 4);
  const stranger = await winnow.newCaller();
  await stranger.fail(
    'GET',
    `/issue-duplicates/check?issue1_id=${given.issue1_id}&issue2_id=${given.issue2_id}`,
    404,
  );
});

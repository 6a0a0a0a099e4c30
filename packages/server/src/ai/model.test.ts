import { once } from 'node:events';
import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { AI_PROVIDERS, type AiProvider } from '@winnow/contract/ai-model';
import { type ModelReply, type ModelsEmulator, startModels } from '@winnow/emulators/models/emulator';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { planOf } from '../billing/plans/plans.ts';
import { quotaExceeded } from '../billing/plans/refusals.ts';
import type { TakenUnit } from '../billing/quotas/quotas.ts';
import { createOutbound, type Outbound } from '../platform/outbound/outbound.ts';
import { eventually } from '../testing/eventually.ts';
import { userMessage } from './agent-turn.ts';
import type { AiCall } from './call-store.ts';
import { LanguageModels, type ModelConnection } from './model.ts';
import type { ModelError } from './model-error.ts';
import { definePrompt } from './prompts/prompt.ts';
import { UNLIMITED_MODELS, UNPRICED } from './testing/unlimited.ts';

const KEY = 'sk-0123456789/abc+defghi=';
const prompt = definePrompt({
  id: 'add-up',
  version: 3,
  system: () => 'You add up.',
  render: (numbers: number[]) => `Add up ${numbers.join(' and ')}.`,
  answer: z.object({ sum: z.number() }),
  maxOutputTokens: 100,
});

let emulator: ModelsEmulator;
let outbound: Outbound;
let calls: AiCall[];
let now: Date;
let asked: number;
let warnings: unknown[];

beforeAll(async () => {
  emulator = await startModels();
  outbound = createOutbound({
    allowedHosts: ['127.0.0.1'],
    userAgent: 'test',
    log: { info: () => undefined },
  });
});
afterAll(async () => {
  await outbound.close();
  await emulator.close();
});
beforeEach(() => {
  calls = [];
  warnings = [];
  now = new Date('2026-03-01T12:00:00Z');
  asked = emulator.requests.length;
  emulator.answerAll(() => ({ text: '{"sum": 5}' }));
});

/** Models that accept a temperature. The libraries omit it for reasoning models. */
const IDENTIFIERS: Record<AiProvider, string> = {
  openai: 'gpt-4o',
  anthropic: 'claude-3-haiku',
  google: 'gemini-2.5-flash',
  custom: 'local-model',
};

const models = ({
  fetch = outbound.fetch,
  answerTimeoutMs = 20_000,
  record = async (call: AiCall): Promise<void> => void calls.push(call),
  takeCall = async (): Promise<TakenUnit> => ({ refund: async () => undefined }),
} = {}) =>
  new LanguageModels({
    fetch,
    fetchOffered: fetch,
    ...UNLIMITED_MODELS,
    takeCall,
    record,
    now: () => now,
    log: { warn: (fields: unknown) => void warnings.push(fields) },
    answerTimeoutMs,
  });

function modelOf(provider: AiProvider = 'openai', changes: Partial<ModelConnection> = {}): ModelConnection {
  const identifier = IDENTIFIERS[provider];
  const address = { provider, identifier, apiUrl: emulator.urlOf(provider), apiKey: KEY };
  return {
    id: 'model-1',
    name: 'Our model',
    isOffered: false,
    budget: null,
    ...UNPRICED,
    ...address,
    ...changes,
  };
}

const ask = (
  port: LanguageModels,
  model = modelOf(),
  accountId = 'account-1',
  feature: AiCall['feature'] = 'verdict',
) => port.ask(accountId, model, feature, prompt, [2, 3]);
const failing = async (question: Promise<unknown>): Promise<ModelError> => {
  const error: unknown = await question.then(
    () => null,
    (caught: unknown) => caught,
  );
  expect(error).toMatchObject({ name: 'ModelError' });
  return error as ModelError;
};
const questions = () => emulator.requests.slice(asked);

describe.each(Object.keys(AI_PROVIDERS) as AiProvider[])('a model of the provider %s', (provider) => {
  test('returns a value of the schema, asks at temperature 0, and records tokens', async () => {
    emulator.next({ text: '{"sum": 5}', tokens: { input: 1_000, output: 200 } });
    expect(await ask(models(), modelOf(provider))).toEqual({ sum: 5 });
    const [question] = questions();
    expect(question).toMatchObject({ system: 'You add up.', temperature: 0 });
    expect(question?.turns).toEqual([{ role: 'user', text: 'Add up 2 and 3.' }]);
    expect(calls).toEqual([
      expect.objectContaining({
        accountId: 'account-1',
        feature: 'verdict',
        prompt: 'add-up@3',
        answers: 1,
        tokens: { input: 1_000, output: 200, cachedInput: 0 },
        outcome: 'answered',
        at: now,
      }),
    ]);
    expect(JSON.stringify(calls)).not.toMatch(/Add up|You add/);
  });

  test.each<[string, ModelReply, string]>([
    ['a key that was revoked', { fails: 401, says: `Wrong key ${KEY}` }, 'unauthorized'],
    ['a limit that lasts', { fails: 429, says: 'Slow down.', retryAfterSeconds: 120 }, 'rate_limited'],
    ['a refusal', { refuses: 'I cannot help with that.' }, 'refused'],
  ])('fails with its kind and a sentence after %s', async (_what, reply, kind) => {
    emulator.next(reply);
    const error = await failing(ask(models(), modelOf(provider)));
    expect(error.kind).toBe(kind);
    expect(error.detail).toMatch(/^Our model .+/);
    expect(error.detail).not.toContain(KEY);
    expect(inspect(error, { depth: 9 })).not.toMatch(/Add up 2|You add up/);
    expect(inspect(error, { depth: 9 })).not.toContain(KEY);
    expect(calls.map(({ outcome }) => outcome)).toEqual([kind]);
    expect(questions()).toHaveLength(1);
  });
});

describe('an invalid answer', () => {
  const good = { text: '{"sum": 5}' };
  const bad: [string, string][] = [
    ['half of an object', '{"sum": '],
    ['another schema', '{"total": 5}'],
    ['a wrong type', '{"sum": "five"}'],
    ['prose', 'The sum is five.'],
    ['nothing', ''],
    ['two objects', '{"sum": 5}\n{"sum": 6}'],
  ];

  test.each(bad)('(%s) is reported to the model, which may answer once more', async (_what, text) => {
    emulator.next({ text }, good);
    expect(await ask(models())).toEqual({ sum: 5 });
    expect(questions()[1]?.turns).toHaveLength(3);
    expect(questions()[1]?.turns[2]?.text).toContain('Answer again with one JSON object');
    expect(calls[0]).toMatchObject({ answers: 2, tokens: { input: 200, output: 40 } });
  });

  test.each(bad)('(%s) fails when it is repeated', async (_what, text) => {
    emulator.next({ text }, { text });
    const error = await failing(ask(models()));
    expect(error.kind).toBe('invalid_answer');
    expect(questions()).toHaveLength(2);
    expect(calls[0]).toMatchObject({ answers: 2, outcome: 'invalid_answer' });
  });

  test('in a code block is accepted', async () => {
    emulator.next({ text: '```json\n{"sum": 5}\n```' });
    expect(await ask(models())).toEqual({ sum: 5 });
    expect(questions()).toHaveLength(1);
  });
});

describe('a busy model', () => {
  test('is asked again after the wait that the provider names', async () => {
    emulator.next({ fails: 429, says: 'Slow down.', retryAfterSeconds: 1 });
    const startMs = performance.now();
    expect(await ask(models())).toEqual({ sum: 5 });
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(990);
    expect(calls).toMatchObject([{ answers: 1, outcome: 'answered' }]);
  });

  test('is asked at most three times', async () => {
    const failure = { fails: 500, says: 'Oops.' };
    emulator.next(failure, failure, failure);
    expect((await failing(ask(models()))).kind).toBe('unavailable');
    expect(questions()).toHaveLength(3);
    expect(calls).toMatchObject([{ answers: 0, outcome: 'unavailable' }]);
  });
});

test('a call that cannot be recorded is logged, and its answer is returned', async () => {
  const full = new Error('The disk is full.');
  const port = models({ record: () => Promise.reject(full) });
  expect(await ask(port)).toEqual({ sum: 5 });
  emulator.next({ fails: 401, says: 'Who?' });
  expect((await failing(ask(port))).kind).toBe('unauthorized');
  expect(warnings).toEqual([{ error: full }, { error: full }]);
});

test.each([
  ['as it is', KEY],
  ['in base64', Buffer.from(KEY).toString('base64')],
  ['in base64 after a name', Buffer.from(`m:${KEY}`).toString('base64')],
  ['in base64 after another name', Buffer.from(`you:${KEY}`).toString('base64url')],
  ['URL-encoded', encodeURIComponent(KEY)],
  ['URL-encoded in lower case', encodeURIComponent(KEY).toLowerCase()],
  ['with invisible characters in it', [...KEY].join('\u200b')],
])('the key is redacted from provider messages: %s', async (_what, coded) => {
  emulator.next({ fails: 401, says: `Wrong\u202e key ${coded}, <sir>` });
  const { detail } = await failing(ask(models()));
  expect(detail).toMatch(/^Our model refuses the API key: Wrong key [^\u202e\u200b]{0,12}, <sir>$/);
  expect(detail).toContain('…');
});

test('a hanging model times out', async () => {
  emulator.next('hangs');
  const error = await failing(ask(models({ answerTimeoutMs: 200 })));
  expect(error).toMatchObject({ kind: 'timeout', detail: 'Our model did not answer in time.' });
  expect(calls).toMatchObject([{ outcome: 'timeout', answers: 0 }]);
});

test('a broken connection fails with a sentence', async () => {
  const server = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const error = await failing(ask(models(), modelOf('openai', { apiUrl: `http://127.0.0.1:${port}/v1` })));
  server.close();
  expect(error.kind).toBe('unreachable');
  expect(inspect(error, { depth: 9 })).not.toContain('Add up 2');
});

test('a response that is not from a model fails as an invalid answer', async () => {
  const server = createServer((_request, answer) => answer.end('<html>Hello</html>')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const error = await failing(ask(models(), modelOf('custom', { apiUrl: `http://127.0.0.1:${port}/v1` })));
  server.close();
  expect(inspect(error, { depth: 9 })).not.toContain('Add up 2');
  expect(error.kind).toBe('invalid_answer');
});

test('a private address is called only if it is allowed', async () => {
  const guarded = createOutbound({ allowedHosts: [], userAgent: 'test', log: { info: () => undefined } });
  const error = await failing(ask(models({ fetch: guarded.fetch })));
  await guarded.close();
  expect(error.detail).toContain('OUTBOUND_ALLOWED_HOSTS');
  expect(questions()).toEqual([]);
});

describe('a model that rejects the full form', () => {
  test('is asked in the plain form, and then directly in that form for an hour', async () => {
    const plain = modelOf('custom', { identifier: 'plain-model' });
    emulator.answerAll(({ responseFormat }) =>
      responseFormat === undefined ? { text: '{"sum": 5}' } : { fails: 400, says: 'No response_format.' },
    );
    const port = models();
    expect(await ask(port, plain)).toEqual({ sum: 5 });
    expect(questions().map(({ temperature }) => temperature)).toEqual([0, undefined]);
    expect(await ask(port, plain)).toEqual({ sum: 5 });
    expect(questions()).toHaveLength(3);
    await ask(port, plain, 'account-2');
    expect(questions(), 'another account starts with the full form').toHaveLength(5);
    now = new Date(now.getTime() + 3_600_001);
    await ask(port, plain);
    expect(questions(), 'after an hour, the full form is tried again').toHaveLength(7);
  });

  test('still receives the output limit of an agent turn', async () => {
    const plain = modelOf('custom', { identifier: 'plain-model' });
    emulator.answerAll(({ temperature }) =>
      temperature === undefined ? { text: 'Done.' } : { fails: 400, says: 'No temperature.' },
    );
    const request = { system: 'Work.', messages: [userMessage('Go.')], tools: [], maxOutputTokens: 100 };
    await models().takeTurn('account-1', plain, 'flow', 'test@1', request);
    expect(questions().map(({ maxTokens }) => maxTokens)).toEqual([100, 100]);
  });

  test('is not asked a third time if it rejects the plain form as well', async () => {
    emulator.answerAll(() => ({ fails: 404, says: 'Model not found.' }));
    const error = await failing(ask(models()));
    expect(error).toMatchObject({ kind: 'rejected' });
    expect(error.detail).toContain('Model not found.');
    expect(questions()).toHaveLength(2);
  });
});

describe('after a failure of the model itself', () => {
  test('it cools down for a minute, and is asked again afterwards or after a change of its settings', async () => {
    const port = models();
    emulator.next({ fails: 401, says: 'Who?' });
    await failing(ask(port));
    expect((await failing(ask(port))).kind).toBe('unauthorized');
    expect(questions()).toHaveLength(1);
    now = new Date(now.getTime() + 60_001);
    expect(await ask(port)).toEqual({ sum: 5 });
    emulator.next({ fails: 401, says: 'Who?' });
    await failing(ask(port));
    port.wake('model-1');
    expect(await ask(port)).toEqual({ sum: 5 });
  });

  test('only a request made after the failure ends its cooldown', async () => {
    const port = models();
    const requestedAt = now;
    now = new Date(now.getTime() + 10);
    emulator.next({ fails: 401, says: 'Who?' });
    await failing(ask(port));
    port.wake('model-1', requestedAt);
    expect((await failing(ask(port))).kind).toBe('unauthorized');
    expect(questions()).toHaveLength(1);
    port.wake('model-1', now);
    expect(await ask(port)).toEqual({ sum: 5 });
  });

  test('one call tries it after its cooldown, and other calls are refused until that call ends', async () => {
    const port = models();
    emulator.next({ fails: 401, says: 'Who?' });
    await failing(ask(port));
    now = new Date(now.getTime() + 60_001);
    const held = Promise.withResolvers<void>();
    emulator.answerAll(async () => {
      await held.promise;
      return { text: '{"sum": 5}' };
    });
    const trial = ask(port);
    await eventually(() => questions().length === 2);
    expect((await failing(ask(port))).kind).toBe('unauthorized');
    expect(port.waitMs('model-1')).toBeGreaterThan(0);
    held.resolve();
    expect(await trial).toEqual({ sum: 5 });
    expect(port.waitMs('model-1')).toBe(0);
    expect(await Promise.all([ask(port), ask(port)])).toEqual([{ sum: 5 }, { sum: 5 }]);
  });

  test('its cooldown doubles with each failed trial, up to five minutes', async () => {
    const port = models();
    emulator.answerAll(() => ({ fails: 401, says: 'Who?' }));
    const cooldowns: number[] = [];
    for (let trials = 0; trials < 5; trials += 1) {
      await failing(ask(port));
      cooldowns.push(port.waitMs('model-1') / 1_000);
      now = new Date(now.getTime() + port.waitMs('model-1'));
    }
    expect(cooldowns).toEqual([60, 120, 240, 300, 300]);
  });

  test('other models and connection tests are still asked', async () => {
    const port = models();
    emulator.next({ fails: 401, says: 'Who?' });
    await failing(ask(port));
    expect(await ask(port, modelOf('openai', { id: 'model-2' }))).toEqual({ sum: 5 });
    expect(await ask(port, modelOf('openai', { id: null }))).toEqual({ sum: 5 });
  });

  test('a rejected question does not stop other questions', async () => {
    const port = models();
    emulator.next({ refuses: 'No.' });
    await failing(ask(port));
    expect(await ask(port)).toEqual({ sum: 5 });
  });
});

test('four questions of an account run at a time, and other accounts do not wait for them', async () => {
  const port = models();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  emulator.answerAll(async () => {
    await held;
    return { text: '{"sum": 5}' };
  });
  const stuck = Array.from({ length: 5 }, () => ask(port));
  await eventually(() => questions().length === 4);
  emulator.next({ text: '{"sum": 6}' });
  expect(await ask(port, modelOf(), 'account-2')).toEqual({ sum: 6 });
  expect(questions()).toHaveLength(5);
  release();
  expect(await Promise.all(stuck)).toEqual(Array.from({ length: 5 }, () => ({ sum: 5 })));
});

test('agent turns are not queued, since their time is limited', async () => {
  const port = models();
  const held = Promise.withResolvers<void>();
  emulator.answerAll(async () => {
    await held.promise;
    return { text: 'Done.' };
  });
  const request = { system: 'Work.', messages: [userMessage('Go.')], tools: [], maxOutputTokens: 100 };
  const turns = Array.from({ length: 8 }, () =>
    port.takeTurn('account-1', modelOf(), 'flow', 'test@1', request),
  );
  await eventually(() => questions().length === 8);
  held.resolve();
  for (const { text } of await Promise.all(turns)) expect(text).toBe('Done.');
});

test('arguments nested too deeply to traverse are an invalid answer', async () => {
  const deep = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  emulator.next({ calls: [{ name: 'look', arguments: deep }] });
  const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }];
  const request = { system: 'Work.', messages: [userMessage('Go.')], tools, maxOutputTokens: 100 };
  const error = await failing(models().takeTurn('account-1', modelOf(), 'flow', 'test@1', request));
  expect(error).toMatchObject({ kind: 'invalid_answer' });
  expect(error.detail).toMatch(/not in the required format/);
});

test('a connection test runs at once while four questions of the account hang', async () => {
  const port = models({ answerTimeoutMs: 3_000 });
  emulator.next('hangs', 'hangs', 'hangs', 'hangs');
  const stuck = Array.from({ length: 4 }, () => failing(ask(port)));
  await eventually(() => questions().length === 4);
  const first = await Promise.race([ask(port, modelOf(), 'account-1', 'test'), ...stuck]);
  expect(first, 'it ends before the four hanging questions time out').toEqual({ sum: 5 });
  await Promise.all(stuck);
});

test('the time limit of a question starts when it leaves the queue', async () => {
  emulator.next('hangs', 'hangs', 'hangs', 'hangs');
  const port = models({ answerTimeoutMs: 1_500 });
  const model = modelOf('openai', { id: null });
  const stuck = Array.from({ length: 4 }, () => failing(ask(port, model)));
  await eventually(() => questions().length === 4);
  const last = ask(port, model);
  expect((await Promise.all(stuck)).map(({ kind }) => kind)).toEqual(Array(4).fill('timeout'));
  expect(await last).toEqual({ sum: 5 });
});

describe('a question that times out', () => {
  test('starts a cooldown if the model responded to no other question meanwhile', async () => {
    const port = models({ answerTimeoutMs: 300 });
    emulator.next('hangs');
    await failing(ask(port));
    expect((await failing(ask(port))).kind).toBe('timeout');
    expect(questions()).toHaveLength(1);
  });

  test('starts no cooldown if the model responds to other questions', async () => {
    const port = models({ answerTimeoutMs: 2_000 });
    emulator.next('hangs');
    const slow = failing(ask(port));
    await eventually(() => questions().length === 1);
    expect(await ask(port)).toEqual({ sum: 5 });
    expect((await slow).kind).toBe('timeout');
    expect(await ask(port)).toEqual({ sum: 5 });
  });
});

test('a question is aborted with a sentence when the program stops', async () => {
  const port = models({ answerTimeoutMs: 1_000_000 });
  emulator.next('hangs', 'hangs', 'hangs', 'hangs');
  const stuck = Array.from({ length: 5 }, () => failing(ask(port)));
  await eventually(() => questions().length === 4);
  port.close();
  const told = (await Promise.all(stuck)).map(({ detail }) => detail);
  expect(told).toEqual(Array(5).fill('Winnow is stopping.'));
});

describe('a plan with a limit of calls', () => {
  /**
   * Returns a plan that allows `count` more calls. Each response of the model is expected to cost
   * one call.
   */
  function allowing(count: number) {
    const state = { left: count };
    const takeCall = async () => {
      if (state.left === 0) {
        throw quotaExceeded(planOf('free'), 'ai_calls_monthly', { now, resetsAt: new Date('2026-04-01') });
      }
      state.left -= 1;
      return {
        refund: async () => {
          state.left += 1;
        },
      };
    };
    return { state, port: models({ takeCall }) };
  }

  test('is charged before each call, and refunded for failed ones', async () => {
    const { state, port } = allowing(3);
    emulator.next({ fails: 503, says: 'Busy.' }, { text: '{"sum": 5}' });
    await ask(port);
    expect([state.left, questions().length]).toEqual([2, 2]);
    emulator.next({ fails: 400, says: 'No.' }, { fails: 400, says: 'No.' });
    await failing(ask(port));
    expect(state.left).toBe(2);
    emulator.next({ text: 'five' }, { text: '{"sum": 5}' });
    await ask(port);
    expect(state.left).toBe(0);
  });

  test('counts an aborted call, since the model was asked', async () => {
    const { state, port } = allowing(3);
    const stop = new AbortController();
    emulator.next('hangs');
    const answer = port.ask('account-1', modelOf(), 'verdict', prompt, [2, 3], stop.signal);
    const ended = answer.catch((error: unknown) => error);
    await eventually(() => questions().length === 1);
    stop.abort();
    expect(await ended).toMatchObject({ name: 'AbortError' });
    expect(state.left).toBe(2);
  });

  test('refuses calls once it is used up, without asking, recording or a cooldown', async () => {
    const { state, port } = allowing(0);
    const error = await failing(ask(port));
    expect(error).toMatchObject({
      kind: 'plan_limit',
      code: 'plan_limit',
      category: 'rate_limited',
      concernsModel: true,
    });
    expect(error.more).toMatchObject({ feature: 'ai_calls_monthly', plan_id: 'free' });
    expect(error.retryAfterSeconds).toBe((Date.parse('2026-04-01') - now.getTime()) / 1000);
    expect([calls, questions()]).toEqual([[], []]);
    state.left = 1;
    expect(await ask(port)).toEqual({ sum: 5 });
  });

  test('leaves an invalid answer unrepaired, and records it, when no second call is left', async () => {
    const { port } = allowing(1);
    emulator.next({ text: 'five' });
    expect((await failing(ask(port))).kind).toBe('invalid_answer');
    expect(calls).toEqual([expect.objectContaining({ answers: 1, outcome: 'invalid_answer' })]);
  });
});

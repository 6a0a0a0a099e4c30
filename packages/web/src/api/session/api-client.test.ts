import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createApi } from './api-client.ts';
import { ApiError } from './api-error.ts';
import { SessionLost } from './session-lost.ts';
import { createTokenStore } from './token-store.ts';
import { addressOf, createTransport, retryAfterSeconds } from './transport.ts';

type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

/** A signed-in client in front of a server that gives the listed answers in turn. */
function client(answers: Answer[], options: { refresh?: () => Promise<string>; token?: string | null } = {}) {
  const held = new Map<string, string>();
  const tokens = createTokenStore(
    {
      getItem: (name) => held.get(name) ?? null,
      setItem: (name, value) => void held.set(name, value),
      removeItem: (name) => void held.delete(name),
    },
    () => 0,
  );
  const token = options.token === undefined ? 'first' : options.token;
  if (token !== null) held.set('accessToken', token);
  const seen: { address: string; bearer: string | null; body: string | null }[] = [];
  const told: string[] = [];
  const transport = createTransport(async (address, init) => {
    const headers = new Headers(init?.headers);
    seen.push({
      address: String(address),
      bearer: headers.get('authorization'),
      body: init?.body == null ? null : String(init.body),
    });
    const answer = answers.shift() ?? { status: 500 };
    const body = answer.body === undefined ? null : JSON.stringify(answer.body);
    return new Response(body, { status: answer.status, headers: answer.headers ?? {} });
  });
  const api = createApi({
    transport,
    tokens,
    refresh: options.refresh ?? (async () => 'second'),
    onSessionLost: () => told.push('session lost'),
    onPlanLimit: () => told.push('plan limit'),
  });
  return { api, seen, told };
}

const refusal = (code: string) => ({ detail: 'No.', code, request_id: 'r-1' });

describe('a call of somebody signed in', () => {
  test('without a token does not reach the server', async () => {
    const { api, seen, told } = client([], { token: null });
    await expect(api('GET', '/trackers')).rejects.toBeInstanceOf(SessionLost);
    expect(seen).toEqual([]);
    expect(told).toEqual(['session lost']);
  });

  test('that is refused twice loses the session after one retry', async () => {
    const { api, seen, told } = client([
      { status: 401, body: refusal('unauthenticated') },
      { status: 401, body: refusal('unauthenticated') },
    ]);
    await expect(api('GET', '/trackers')).rejects.toBeInstanceOf(SessionLost);
    expect(seen.map(({ bearer }) => bearer)).toEqual(['Bearer first', 'Bearer second']);
    expect(told).toEqual(['session lost']);
  });

  test('whose refresh the server could not answer keeps the session', async () => {
    const unreachable = new ApiError({ status: 0, code: 'unreachable', detail: 'No answer.' });
    const { api, told } = client([{ status: 401, body: refusal('unauthenticated') }], {
      refresh: () => Promise.reject(unreachable),
    });
    await expect(api('GET', '/trackers')).rejects.toBe(unreachable);
    expect(told).toEqual([]);
  });

  test('that is refused once is sent again with its body and the new token', async () => {
    const { api, seen } = client([
      { status: 401, body: refusal('unauthenticated') },
      { status: 200, body: { id: 7 } },
    ]);
    const answer = await api('POST', '/things', { body: { a: 1 }, schema: z.object({ id: z.int() }) });
    expect(answer).toEqual({ id: 7 });
    expect(seen[1]).toEqual({ address: '/api/v1/things', bearer: 'Bearer second', body: '{"a":1}' });
  });

  test('that meets the plan limit opens the upgrade dialog; one that comes too often does not', async () => {
    const limited = client([{ status: 429, body: refusal('plan_limit') }]);
    await expect(limited.api('GET', '/search')).rejects.toMatchObject({ code: 'plan_limit' });
    expect(limited.told).toEqual(['plan limit']);
    const lacking = client([{ status: 403, body: refusal('plan_limit') }]);
    await expect(lacking.api('POST', '/ai-models')).rejects.toMatchObject({ status: 403 });
    expect(lacking.told).toEqual(['plan limit']);
    const hurried = client([
      { status: 429, body: refusal('rate_limited'), headers: { 'retry-after': '12' } },
    ]);
    await expect(hurried.api('GET', '/search')).rejects.toMatchObject({ retryAfterSeconds: 12 });
    expect(hurried.told).toEqual([]);
  });

  test('that fails carries status, code, sentence, fields and request id', async () => {
    const fields = [{ path: 'name', message: 'Taken.' }];
    const { api } = client([{ status: 409, body: { ...refusal('name_taken'), fields } }]);
    await expect(api('POST', '/trackers', { body: {} })).rejects.toMatchObject({
      status: 409,
      code: 'name_taken',
      detail: 'No.',
      fields,
      requestId: 'r-1',
    });
  });

  test('answered with a page instead of an error of ours says so in a sentence', async () => {
    const { api } = client([{ status: 502, body: '<html>' }]);
    await expect(api('GET', '/trackers')).rejects.toMatchObject({
      code: 'unexpected_answer',
      detail: 'The server could not answer. Try again in a moment.',
    });
  });

  test('whose answer does not fit the contract fails instead of handing on a guess', async () => {
    const { api } = client([{ status: 200, body: { id: 'seven' } }]);
    await expect(api('GET', '/things', { schema: z.object({ id: z.int() }) })).rejects.toMatchObject({
      code: 'unexpected_answer',
    });
  });

  test('with a reader hands it the answer after the refresh, and its failure on', async () => {
    const { api } = client([
      { status: 401, body: refusal('unauthenticated') },
      { status: 200, body: 'row' },
      { status: 200, body: 'row' },
    ]);
    await expect(api('GET', '/export', { read: (response) => response.text() })).resolves.toBe('"row"');
    const broken = new Error('It broke off.');
    await expect(api('GET', '/export', { read: () => Promise.reject(broken) })).rejects.toBe(broken);
  });

  test('without a schema does not read the body', async () => {
    const { api } = client([{ status: 204 }]);
    await expect(api('DELETE', '/things/7')).resolves.toBeUndefined();
  });
});

describe('an address', () => {
  test('leaves out what is not given and repeats what is a list', () => {
    const query = { a: undefined, b: null, c: '', d: 0, e: false, project_ids: ['x', 'y'], f: 'ü &' };
    expect(addressOf('/list', query)).toBe(
      '/api/v1/list?d=0&e=false&project_ids=x&project_ids=y&f=%C3%BC+%26',
    );
    expect(addressOf('/list')).toBe('/api/v1/list');
  });
});

describe('Retry-After', () => {
  test.each([
    [null, null],
    ['', null],
    ['soon', null],
    ['-5', 0],
    ['2.2', 3],
    ['Thu, 01 Jan 1970 00:00:30 GMT', 20],
  ])('%s is %s seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, 10_000)).toBe(seconds);
  });
});

import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createApi } from './api-client.ts';
import { ApiError } from './api-error.ts';
import { SessionLost } from './session-lost.ts';
import { createTokenStore } from './token-store.ts';
import { addressOf, createTransport, retryAfterSeconds } from './transport.ts';

type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

/**
 * Creates the client of a signed-in user. The simulated server returns the given responses in
 * order.
 */
function client(
  answers: Answer[],
  options: { refresh?: () => Promise<string>; token?: string | null; workspace?: string } = {},
) {
  const stored = new Map<string, string>();
  const tokens = createTokenStore(
    {
      getItem: (name) => stored.get(name) ?? null,
      setItem: (name, value) => void stored.set(name, value),
      removeItem: (name) => void stored.delete(name),
    },
    () => 0,
  );
  const token = options.token === undefined ? 'first' : options.token;
  if (token !== null) stored.set('accessToken', token);
  const seen: { address: string; bearer: string | null; body: string | null; workspace: string | null }[] =
    [];
  const notices: string[] = [];
  const transport = createTransport(async (address, init) => {
    const headers = new Headers(init?.headers);
    seen.push({
      address: String(address),
      bearer: headers.get('authorization'),
      workspace: headers.get('winnow-workspace'),
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
    onSessionLost: () => notices.push('session lost'),
    workspace: () => options.workspace ?? null,
    onNotAMember: () => notices.push('not a member'),
    onPlanLimit: () => notices.push('plan limit'),
  });
  return { api, seen, notices };
}

const refusal = (code: string) => ({ detail: 'No.', code, request_id: 'r-1' });

describe('a request of a signed-in user', () => {
  test('names the selected workspace, and reports that the user is not a member', async () => {
    const { api, seen, notices } = client([{ status: 403, body: refusal('not_a_member') }], {
      workspace: 'acme',
    });
    await expect(api('GET', '/trackers')).rejects.toBeInstanceOf(ApiError);
    expect(seen.map(({ workspace }) => workspace)).toEqual(['acme']);
    expect(notices).toEqual(['not a member']);
  });

  test('is not sent without a token', async () => {
    const { api, seen, notices } = client([], { token: null });
    await expect(api('GET', '/trackers')).rejects.toBeInstanceOf(SessionLost);
    expect(seen).toEqual([]);
    expect(notices).toEqual(['session lost']);
  });

  test('ends the session after two refusals', async () => {
    const { api, seen, notices } = client([
      { status: 401, body: refusal('unauthenticated') },
      { status: 401, body: refusal('unauthenticated') },
    ]);
    await expect(api('GET', '/trackers')).rejects.toBeInstanceOf(SessionLost);
    expect(seen.map(({ bearer }) => bearer)).toEqual(['Bearer first', 'Bearer second']);
    expect(notices).toEqual(['session lost']);
  });

  test('keeps the session if the server cannot refresh the token', async () => {
    const unreachable = new ApiError({ status: 0, code: 'unreachable', detail: 'No answer.' });
    const { api, notices } = client([{ status: 401, body: refusal('unauthenticated') }], {
      refresh: () => Promise.reject(unreachable),
    });
    await expect(api('GET', '/trackers')).rejects.toBe(unreachable);
    expect(notices).toEqual([]);
  });

  test('is repeated with its body and the new token after a refusal', async () => {
    const { api, seen } = client([
      { status: 401, body: refusal('unauthenticated') },
      { status: 200, body: { id: 7 } },
    ]);
    const answer = await api('POST', '/things', { body: { a: 1 }, schema: z.object({ id: z.int() }) });
    expect(answer).toEqual({ id: 7 });
    expect(seen[1]).toMatchObject({ address: '/api/v1/things', bearer: 'Bearer second', body: '{"a":1}' });
  });

  test('opens the upgrade dialog at a plan limit, but not at a rate limit', async () => {
    const limited = client([{ status: 429, body: refusal('plan_limit') }]);
    await expect(limited.api('GET', '/search')).rejects.toMatchObject({ code: 'plan_limit' });
    expect(limited.notices).toEqual(['plan limit']);
    const lacking = client([{ status: 403, body: refusal('plan_limit') }]);
    await expect(lacking.api('POST', '/ai-models')).rejects.toMatchObject({ status: 403 });
    expect(lacking.notices).toEqual(['plan limit']);
    const hurried = client([
      { status: 429, body: refusal('rate_limited'), headers: { 'retry-after': '12' } },
    ]);
    await expect(hurried.api('GET', '/search')).rejects.toMatchObject({ retryAfterSeconds: 12 });
    expect(hurried.notices).toEqual([]);
  });

  test('throws status, code, detail, fields and request id of a failure', async () => {
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

  test('throws a readable error if the response is an HTML page', async () => {
    const { api } = client([{ status: 502, body: '<html>' }]);
    await expect(api('GET', '/trackers')).rejects.toMatchObject({
      code: 'unexpected_answer',
      detail: 'The server has a problem. Try again in a moment.',
    });
  });

  test('throws if the response does not match the contract', async () => {
    const { api } = client([{ status: 200, body: { id: 'seven' } }]);
    await expect(api('GET', '/things', { schema: z.object({ id: z.int() }) })).rejects.toMatchObject({
      code: 'unexpected_answer',
    });
  });

  test('passes the response to a reader, and throws its error', async () => {
    const { api } = client([
      { status: 401, body: refusal('unauthenticated') },
      { status: 200, body: 'row' },
      { status: 200, body: 'row' },
    ]);
    await expect(api('GET', '/export', { read: (response) => response.text() })).resolves.toBe('"row"');
    const broken = new Error('It broke off.');
    await expect(api('GET', '/export', { read: () => Promise.reject(broken) })).rejects.toBe(broken);
  });

  test('does not read the body without a schema', async () => {
    const { api } = client([{ status: 204 }]);
    await expect(api('DELETE', '/things/7')).resolves.toBeUndefined();
  });
});

describe('a URL', () => {
  test('omits empty parameters and repeats lists', () => {
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
  ])('parses %s as %s seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, 10_000)).toBe(seconds);
  });
});

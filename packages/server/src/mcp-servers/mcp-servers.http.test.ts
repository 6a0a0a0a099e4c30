import { randomUUID } from 'node:crypto';
import { type McpServer, mcpServer, mcpServerList, mcpServerTestResult } from '@winnow/contract/mcp-server';
import { type McpEmulator, type Offer, startMcpServer } from '@winnow/emulators/mcp/emulator';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Caller } from '../testing/caller.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const SECRET = 'mcp-secret-0123456789';

let winnow: RunningWinnow;
let emulator: McpEmulator;
let caller: Caller;

beforeAll(async () => {
  winnow = await startWinnow();
  emulator = await startMcpServer(search);
  emulator.expect('authorization', `Bearer ${SECRET}`);
});
afterAll(() => winnow.close());
afterAll(() => emulator.close());
beforeEach(async () => {
  caller = await winnow.newCaller();
});

const search: Offer = (server) => {
  server.registerTool(
    'search_wiki',
    { description: 'Searches the wiki.', inputSchema: z.object({}), annotations: { readOnlyHint: true } },
    async () => ({ content: [{ type: 'text', text: 'Nothing.' }] }),
  );
};

const fieldsOf = (changes: Record<string, unknown> = {}) => ({
  name: 'Wiki',
  url: emulator.url,
  auth_type: 'bearer',
  secret: SECRET,
  ...changes,
});
const create = (changes?: Record<string, unknown>) =>
  caller.send('POST', '/mcp-servers', fieldsOf(changes), mcpServer);
const update = ({ id }: McpServer, changes?: Record<string, unknown>) =>
  caller.send('PUT', `/mcp-servers/${id}`, fieldsOf(changes), mcpServer);
const check = ({ id }: McpServer) => caller.send('POST', `/mcp-servers/${id}/check`, undefined, mcpServer);
const tryOut = (body: unknown) => caller.send('POST', '/mcp-servers/test', body, mcpServerTestResult);
const list = () => caller.get('/mcp-servers', mcpServerList);
const TOOLS = [{ name: 'search_wiki', title: null, description: 'Searches the wiki.', read_only: true }];

describe('the built-in server', () => {
  test('is always listed first, with all tools except decide_change', async () => {
    await create();
    const [own, ...others] = await list();
    expect(own).toMatchObject({ id: 'winnow', name: 'winnow', url: `${winnow.origin}/mcp`, status: 'ok' });
    const tools = own?.tools ?? [];
    expect(tools.find(({ name }) => name === 'search_issues')?.read_only).toBe(true);
    expect(tools.find(({ name }) => name === 'update_issue')?.read_only).toBe(false);
    expect(tools.map(({ name }) => name)).not.toContain('decide_change');
    expect(others).toHaveLength(1);
  });

  test('cannot be changed, removed or impersonated by name', async () => {
    const before = await list();
    expect((await caller.fail('PUT', '/mcp-servers/winnow', 403, fieldsOf())).code).toBe('own_mcp_server');
    await caller.fail('DELETE', '/mcp-servers/winnow', 403);
    for (const name of ['Winnow', 'winnow.', 'win-now', 'W\u0456nnow', '\uff37innow']) {
      const taken = await caller.fail('POST', '/mcp-servers', 422, fieldsOf({ name }));
      expect([name, taken.fields?.[0]?.path]).toEqual([name, 'name']);
    }
    expect(await caller.send('POST', '/mcp-servers/winnow/check', undefined, mcpServer)).toEqual(before[0]);
    expect(await list()).toEqual(before);
  });
});

describe('a server', () => {
  test('stores its secret encrypted and never returns or logs it', async () => {
    const created = await create();
    expect(created).toMatchObject({ name: 'Wiki', has_secret: true, status: 'ok', tools: TOOLS });
    await check(created);
    await tryOut(fieldsOf({ name: undefined, secret: 'wrong-secret-0123456789' }));
    const { sealed_secret } = await winnow.database.db
      .selectFrom('mcp_server')
      .select('sealed_secret')
      .where('id', '=', created.id)
      .executeTakeFirstOrThrow();
    expect(sealed_secret?.includes(SECRET)).toBe(false);
    for (const secret of [SECRET, 'wrong-secret-0123456789']) {
      expect(caller.answers.join()).not.toContain(secret);
      expect(JSON.stringify(winnow.logLines)).not.toContain(secret);
    }
  });

  test.each([
    ['no name', { name: ' ' }, 'name', 'Enter a name.'],
    ['a name with a slash', { name: 'a/b' }, 'name', /letters A to Z, digits/],
    ['no address', { url: '' }, 'url', 'Enter the address of the server.'],
    ['an invalid address', { url: 'mcp.example.com' }, 'url', /web address/],
    ['an unsupported scheme', { url: 'file:///etc/passwd' }, 'url', /web address/],
    ['a password in the address', { url: 'https://a:b@example.com/mcp' }, 'url', /web address/],
    ['an unknown authentication method', { auth_type: 'oauth' }, 'auth_type', /.+/],
    ['a missing secret', { secret: '' }, 'secret', 'Enter the bearer token.'],
    ['a secret with a line break', { secret: 'a\nb' }, 'secret', /printable ASCII/],
    ['no header', { auth_type: 'header' }, 'header_name', 'Enter the name of the header.'],
    [
      'a header name with a space',
      { auth_type: 'header', header_name: 'a b' },
      'header_name',
      /letters, digits/,
    ],
    [
      'a header that the connection sets',
      { auth_type: 'header', header_name: 'Host' },
      'header_name',
      /itself/,
    ],
    [
      'a header that the protocol sets',
      { auth_type: 'header', header_name: 'mcp-session-id' },
      'header_name',
      /itself/,
    ],
  ])('is refused with %s, and the error names the field', async (_what, changes, path, message) => {
    const failure = await caller.fail('POST', '/mcp-servers', 422, fieldsOf(changes));
    expect(failure.fields).toEqual([{ path, message: expect.stringMatching(message) }]);
    expect(await list()).toHaveLength(1);
  });

  test('is refused with the name of another server, on creation and on renaming', async () => {
    await create();
    const other = await create({ name: 'Other' });
    for (const [method, path] of [
      ['POST', '/mcp-servers'],
      ['PUT', `/mcp-servers/${other.id}`],
    ] as const) {
      const failure = await caller.fail(method, path, 409, fieldsOf({ name: 'wiki' }));
      expect([failure.code, failure.fields?.[0]?.path]).toEqual(['mcp_server_name_taken', 'name']);
    }
  });

  test('is refused if the account already has fifty', async () => {
    const { id } = await create({ auth_type: 'none' });
    const { db } = winnow.database;
    const row = await db
      .selectFrom('mcp_server')
      .select(['account_id', 'url', 'auth_type'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const more = Array.from({ length: 49 }, (_, n) => ({ ...row, id: randomUUID(), name: `Wiki ${n}` }));
    await db.insertInto('mcp_server').values(more).execute();
    expect(await list()).toHaveLength(51);
    const failure = await caller.fail('POST', '/mcp-servers', 409, fieldsOf());
    expect(failure.code).toBe('too_many_mcp_servers');
  });
});

describe('checking a server', () => {
  test('happens when the server is added, so that its tools or its fault are known immediately', async () => {
    expect(await create()).toMatchObject({ status: 'ok', status_message: null, tools: TOOLS });
    expect((await list())[1]).toMatchObject({ status: 'ok', tools: TOOLS });
    const refused = await create({ name: 'Other', secret: 'another-secret' });
    expect(refused).toMatchObject({
      status: 'error',
      status_message: 'Other does not accept the bearer token. Enter it again. (401)',
      tools: [],
    });
    expect(refused.checked_at).not.toBeNull();
  });

  test('stores its tools, or the error', async () => {
    const created = await create();
    expect(await check(created)).toMatchObject({ status: 'ok', status_message: null, tools: TOOLS });
    expect((await list())[1]).toMatchObject({ status: 'ok', tools: TOOLS });
    const changed = await update(created, { secret: 'another-secret' });
    expect(changed).toMatchObject({ status: 'unknown', checked_at: null, tools: [] });
    expect(await check(created)).toMatchObject({
      status: 'error',
      status_message: 'Wiki does not accept the bearer token. Enter it again. (401)',
      tools: [],
    });
  });

  test('reports a stored secret that cannot be decrypted', async () => {
    const created = await create();
    await winnow.database.db
      .updateTable('mcp_server')
      .set({ sealed_secret: Buffer.alloc(60, 1) })
      .where('id', '=', created.id)
      .execute();
    expect(await check(created)).toMatchObject({
      status: 'error',
      status_message: 'The stored secret cannot be decrypted. Enter it again.',
    });
  });

  test('refuses addresses in private networks', async () => {
    const created = await create({ url: 'http://169.254.169.254/mcp', auth_type: 'none' });
    expect((await check(created)).status_message).toContain('OUTBOUND_ALLOWED_HOSTS');
  });
});

describe('changing a server', () => {
  test('retains the secret if it is left blank, and the check result if the connection is unchanged', async () => {
    const created = await create();
    const checked = await check(created);
    const renamed = await update(created, { name: 'Renamed', secret: '' });
    expect(renamed).toEqual({ ...checked, name: 'Renamed' });
    expect(await check(created)).toMatchObject({ status: 'ok' });
  });

  test('requires the secret again for a new host, and deletes it when authentication is turned off', async () => {
    const created = await create();
    const moved = fieldsOf({ url: 'https://evil.example/mcp', secret: '' });
    const failure = await caller.fail('PUT', `/mcp-servers/${created.id}`, 422, moved);
    expect(failure.fields?.[0]).toEqual({ path: 'secret', message: expect.stringContaining('again') });
    expect(await update(created, { auth_type: 'none', secret: '' })).toMatchObject({ has_secret: false });
    await caller.fail('PUT', `/mcp-servers/${created.id}`, 422, fieldsOf({ secret: '' }));
  });

  test('returns 404 for an unknown or deleted server', async () => {
    const created = await create();
    await caller.do('DELETE', `/mcp-servers/${created.id}`);
    for (const id of [created.id, randomUUID()]) {
      await caller.fail('PUT', `/mcp-servers/${id}`, 404, fieldsOf());
      await caller.fail('POST', `/mcp-servers/${id}/check`, 404);
      await caller.fail('DELETE', `/mcp-servers/${id}`, 404);
    }
  });
});

describe('testing a connection', () => {
  const connection = (changes: Record<string, unknown> = {}) => fieldsOf({ name: undefined, ...changes });

  test('lists its tools and stores nothing', async () => {
    expect(await tryOut(connection())).toEqual({
      success: true,
      message: expect.stringMatching(/^127\.0\.0\.1:\d+ has 1 tool\. It took \d+\.\d s\.$/),
      tools: TOOLS,
    });
    expect(await list()).toHaveLength(1);
  });

  test('sends the stored secret only to the stored host', async () => {
    const created = await create();
    const stored = { secret: '', server_id: created.id };
    expect(await tryOut(connection(stored))).toMatchObject({ success: true });
    const before = emulator.requests.length;
    expect(await tryOut(connection({ ...stored, url: 'http://127.0.0.2:1/mcp' }))).toEqual({
      success: false,
      message: expect.stringContaining('only sent to the stored host'),
      tools: [],
    });
    expect(await tryOut(connection({ secret: '' }))).toMatchObject({
      success: false,
      message: 'Enter the bearer token.',
    });
    expect(emulator.requests).toHaveLength(before);
  });
});

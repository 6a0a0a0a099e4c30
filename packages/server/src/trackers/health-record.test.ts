import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSecrets } from '../platform/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { type EmulatedGitHub, emulatedGitHub, TOKEN } from './github/testing/emulated-github.ts';
import { never } from './github/testing/per-test.ts';
import { WRITING_UNCHECKED } from './health.ts';
import { Trackers } from './service.ts';
import { START } from './testing/emulated-clock.ts';

const FINE_GRAINED = 'github_pat_0123456789abcdefghijklmnop';
const ANOTHER = 'github_pat_another_one_of_the_same_person';
const NO_ORGANIZATIONS = 'ghp_may_write_but_not_list_organizations';
const REFUSAL = 'This token is not allowed to access the issue acme/app#1 in GitHub: it lacks Issues: write.';
const scope_rules = [{ rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: 'acme' } as const];

let database: TestDatabase;
let github: EmulatedGitHub;
let trackers: Trackers;
let accountId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const grants = [{ full_name: 'acme/app', permission: 'write', issues: 'read' }] as const;
  github = await emulatedGitHub([{ title: 'One', body: null }], {
    seed: {
      tokens: [
        { token: FINE_GRAINED, login: 'ada', repos: [...grants] },
        { token: ANOTHER, login: 'ada', repos: [...grants] },
        { token: NO_ORGANIZATIONS, login: 'ada', scopes: ['repo'] },
      ],
    },
  });
});
afterAll(() => database.drop());
afterAll(() => github.dispose());

beforeEach(async () => {
  accountId = randomUUID();
  await database.db.insertInto('account').values({ id: accountId }).execute();
  trackers = new Trackers({
    expectConfirmedEmail: async () => undefined,
    db: database.db,
    secrets: await openSecrets({ secretKey: randomBytes(32).toString('hex'), dataDir: tmpdir() }),
    now: () => START,
    openProvider: (_type, { apiKey }) => github.providerFor(apiKey),
    requestSync: async () => undefined,
    onTrackerRemoved: async () => undefined,
  });
});
afterEach(() => github.emulator.requests.clear());

async function connect(api_key: string): Promise<string> {
  const input = { name: 'GitHub', type: 'github', api_key, scope_rules, config: {} } as const;
  return (await trackers.create(accountId, { ...input, scope_rules: [...scope_rules] })).id;
}

async function healthOf(id: string) {
  const { health_status, health_message, missing_permissions } = await trackers.get(accountId, id);
  return [health_status, health_message, missing_permissions];
}

/** Checks the connection as every sync does at its start. */
async function checkAgain(id: string): Promise<void> {
  const { provider } = await trackers.open(accountId, id);
  await trackers.health.noteCheck(accountId, id, await provider.check(never()));
}

const UNCHECKED = ['warning', WRITING_UNCHECKED, []];
const REFUSED = ['warning', REFUSAL, ['Issues: write']];
const WELL = ['ok', null, []];

describe('a token that does not reveal whether it may write', () => {
  test('is not reported as healthy until a write has worked, and then stays so', async () => {
    const id = await connect(FINE_GRAINED);
    expect(await healthOf(id)).toEqual(UNCHECKED);
    await checkAgain(id);
    expect(await healthOf(id)).toEqual(UNCHECKED);
    await trackers.health.noteWrite(accountId, id);
    expect(await healthOf(id)).toEqual(WELL);
    await checkAgain(id);
    expect(await healthOf(id)).toEqual(WELL);
  });

  test('is reported as unchecked during a connection test, unless the stored token has written before', async () => {
    const connection = { tracker_type: 'github', api_key: FINE_GRAINED } as const;
    const tried = await trackers.connections.test(accountId, connection);
    expect(tried).toMatchObject({ success: true, message: `Connected as ada. ${WRITING_UNCHECKED}` });
    const tracker_id = await connect(FINE_GRAINED);
    const again = () =>
      trackers.connections.test(accountId, { ...connection, tracker_id, api_key: 'unchanged' });
    await trackers.health.noteRefusedWrite(accountId, tracker_id, REFUSAL);
    expect((await again()).message).toBe(`Connected as ada. ${REFUSAL}`);
    await trackers.health.noteWrite(accountId, tracker_id);
    expect((await again()).message).toBe('Connected as ada.');
  });
});

describe('a refused write', () => {
  test('is remembered over later checks until a write works', async () => {
    const id = await connect(FINE_GRAINED);
    await trackers.health.noteRefusedWrite(accountId, id, REFUSAL);
    expect(await healthOf(id)).toEqual(REFUSED);
    await checkAgain(id);
    expect(await healthOf(id)).toEqual(REFUSED);
    await trackers.health.noteWrite(accountId, id);
    expect(await healthOf(id)).toEqual(WELL);
  });

  test('is forgotten with a new key, but not with other edits', async () => {
    const id = await connect(FINE_GRAINED);
    await trackers.health.noteRefusedWrite(accountId, id, REFUSAL);
    await trackers.update(accountId, id, { name: 'Renamed', api_key: 'unchanged' });
    expect(await healthOf(id)).toEqual(REFUSED);
    await trackers.update(accountId, id, { name: 'Renamed', api_key: ANOTHER });
    expect(await healthOf(id)).toEqual(UNCHECKED);
    await checkAgain(id);
    expect(await healthOf(id)).toEqual(UNCHECKED);
  });

  test('is reported even if the token’s scopes allow writing', async () => {
    const id = await connect(TOKEN);
    expect(await healthOf(id)).toEqual(WELL);
    await trackers.health.noteRefusedWrite(accountId, id, REFUSAL);
    await checkAgain(id);
    expect(await healthOf(id)).toEqual(REFUSED);
  });
});

test('a successful write does not clear unrelated problems', async () => {
  const id = await connect(NO_ORGANIZATIONS);
  const lacking = ['warning', expect.stringContaining('read:org'), [expect.stringContaining('read:org')]];
  expect(await healthOf(id)).toEqual(lacking);
  await trackers.health.noteWrite(accountId, id);
  expect(await healthOf(id)).toEqual(lacking);
});

test('does nothing for a deleted tracker', async () => {
  const id = await connect(FINE_GRAINED);
  await trackers.delete(accountId, id);
  await trackers.health.noteWrite(accountId, id);
  await trackers.health.noteRefusedWrite(accountId, id, REFUSAL);
  expect(await trackers.list(accountId)).toEqual([]);
});

test('a tracker cannot be deleted while a registered user of it is busy', async () => {
  const id = await connect(TOKEN);
  const asked: string[] = [];
  const busy = new Set(['second']);
  for (const name of ['first', 'second']) {
    trackers.addBusyCheck(async (_db, account, tracker) => {
      asked.push([name, account === accountId, tracker === id].join());
      return busy.has(name);
    });
  }
  await expect(trackers.delete(accountId, id)).rejects.toMatchObject({
    category: 'conflict',
    code: 'tracker_busy',
  });
  expect(asked).toEqual(['first,true,true', 'second,true,true']);
  expect(await trackers.list(accountId)).toHaveLength(1);
  busy.clear();
  await trackers.delete(accountId, id);
  expect(await trackers.list(accountId)).toEqual([]);
});

import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AppError } from '../platform/errors.ts';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { Accounts } from './service.ts';
import { signAccessToken } from './tokens.ts';

const PASSWORD = 'correct horse battery';
let database: TestDatabase;
let now: Date;
let accounts: Accounts;
let revoked: string[];
const accessKey = randomBytes(32);

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  now = new Date('2026-03-01T12:00:00Z');
  revoked = [];
  accounts = new Accounts({
    db: database.db,
    accessKey,
    refreshKey: randomBytes(32),
    now: () => now,
    onSessionRevoked: async (transaction, accountId, sessionId) => {
      const { rows } = await sql`select revoked_at from session where id = ${sessionId}`.execute(transaction);
      expect(rows).toEqual([{ revoked_at: now }]);
      revoked.push(`${accountId} ${sessionId}`);
    },
  });
});

function later(ms: number): void {
  now = new Date(now.getTime() + ms);
}

async function newUser() {
  const name = `user-${randomUUID().slice(0, 8)}`;
  await accounts.register({ username: name, email: `${name}@example.com`, password: PASSWORD });
  return name;
}

async function failure(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error('expected an AppError', { cause: error });
  return error;
}

test('a taken username is refused whatever its letter case, and leaves no account behind', async () => {
  const name = await newUser();
  const before = await database.db.selectFrom('account').select('id').execute();
  const error = await failure(
    accounts.register({ username: name.toUpperCase(), email: 'other@example.com', password: PASSWORD }),
  );
  expect([error.status, error.fields?.[0]?.path]).toEqual([409, 'username']);
  expect(await database.db.selectFrom('account').select('id').execute()).toHaveLength(before.length);
});

test('a taken e-mail address is refused with its field', async () => {
  const name = await newUser();
  const error = await failure(
    accounts.register({ username: 'someone-else', email: `${name}@EXAMPLE.com`, password: PASSWORD }),
  );
  expect([error.status, error.fields?.[0]?.path]).toEqual([409, 'email']);
});

test('a wrong password and an unknown name get the same answer', async () => {
  const name = await newUser();
  const wrong = await failure(accounts.signIn({ username: name, password: 'wrong password' }, '192.0.2.1'));
  const unknown = await failure(accounts.signIn({ username: 'nobody', password: PASSWORD }, '192.0.2.1'));
  expect([wrong.status, wrong.code, wrong.detail]).toEqual([
    401,
    unknown.code,
    'Invalid username or password',
  ]);
  expect(unknown.detail).toBe(wrong.detail);
});

test('username and e-mail address both sign in', async () => {
  const name = await newUser();
  for (const username of [name, `${name}@example.com`, name.toUpperCase()]) {
    const pair = await accounts.signIn({ username, password: PASSWORD }, '192.0.2.1');
    expect((await accounts.authenticate(pair.access_token))?.userId).toBeDefined();
  }
});

test('the eleventh attempt after ten failures is refused even with the right password, until the window passed', async () => {
  const name = await newUser();
  for (let attempt = 0; attempt < 10; attempt += 1) {
    expect((await failure(accounts.signIn({ username: name, password: 'wrong' }, '192.0.2.1'))).status).toBe(
      401,
    );
    later(1000);
  }
  const limited = await failure(accounts.signIn({ username: name, password: PASSWORD }, '192.0.2.1'));
  expect([limited.status, limited.code]).toEqual([429, 'rate_limited']);
  await accounts.signIn({ username: name, password: PASSWORD }, '192.0.2.2');
  later((limited.retryAfterSeconds ?? 0) * 1000);
  await accounts.signIn({ username: name, password: PASSWORD }, '192.0.2.1');
});

test('failures under the username, in any case, and under the e-mail address of one user count together', async () => {
  const name = await newUser();
  const names = [name, `${name}@example.com`, name.toUpperCase()];
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const username = names[attempt % names.length] ?? name;
    expect((await failure(accounts.signIn({ username, password: 'wrong' }, '192.0.2.1'))).status).toBe(401);
  }
  for (const username of names) {
    const limited = await failure(accounts.signIn({ username, password: PASSWORD }, '192.0.2.1'));
    expect([username, limited.status]).toEqual([username, 429]);
  }
  await accounts.signIn({ username: await newUser(), password: PASSWORD }, '192.0.2.1');
});

test('a name that nobody has is limited with the same answers as one that somebody has', async () => {
  const answersTo = async (names: string[]) => {
    const answers: unknown[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const username = names[attempt % names.length] ?? '';
      const error = await failure(accounts.signIn({ username, password: 'wrong' }, '192.0.2.1'));
      answers.push([error.status, error.code, error.detail, error.retryAfterSeconds]);
    }
    return answers;
  };
  const name = await newUser();
  const answers = await answersTo([name, name.toUpperCase()]);
  expect(answers.at(-1)).toEqual([429, 'rate_limited', expect.any(String), 15 * 60]);
  expect(await answersTo(['Nobody-at-all', 'nobody-at-ALL'])).toEqual(answers);
});

test('failures under a name that reads like the id of a user are not that user’s', async () => {
  const username = await newUser();
  const { access_token } = await accounts.signIn({ username, password: PASSWORD }, '192.0.2.1');
  const id = (await accounts.authenticate(access_token))?.userId ?? '';
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await failure(accounts.signIn({ username: id, password: 'wrong' }, '192.0.2.1'));
  }
  await accounts.signIn({ username, password: PASSWORD }, '192.0.2.1');
});

test('attempts at the same time cannot slip past the limit', async () => {
  const name = await newUser();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      failure(accounts.signIn({ username: name, password: 'wrong' }, '192.0.2.9')),
    ),
  );
  expect(answers.filter((error) => error.status === 401).length).toBeLessThanOrEqual(10);
});

test('an access token ends after 15 minutes', async () => {
  const pair = await accounts.signIn({ username: await newUser(), password: PASSWORD }, '192.0.2.1');
  later(14 * 60_000);
  expect(await accounts.authenticate(pair.access_token)).not.toBeNull();
  later(2 * 60_000);
  expect(await accounts.authenticate(pair.access_token)).toBeNull();
});

test('a token signed with another key, or without a signature, is nobody', async () => {
  const claims = { userId: randomUUID(), accountId: randomUUID(), sessionId: randomUUID() };
  const forged = await signAccessToken(randomBytes(32), claims, now);
  const [, payload] = forged.split('.');
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
  for (const token of [forged, unsigned, 'garbage', '']) {
    expect(await accounts.authenticate(token)).toBeNull();
  }
});

test('refreshing rotates, and the repeated call within ten seconds gets the same successor', async () => {
  const first = await accounts.signIn({ username: await newUser(), password: PASSWORD }, '192.0.2.1');
  const [one, two] = await Promise.all([
    accounts.refresh(first.refresh_token),
    accounts.refresh(first.refresh_token),
  ]);
  expect(one.refresh_token).toBe(two.refresh_token);
  expect(one.refresh_token).not.toBe(first.refresh_token);
  later(9_000);
  expect((await accounts.refresh(first.refresh_token)).refresh_token).toBe(one.refresh_token);
});

test('a spent refresh token used later revokes the whole family at once', async () => {
  const first = await accounts.signIn({ username: await newUser(), password: PASSWORD }, '192.0.2.1');
  const second = await accounts.refresh(first.refresh_token);
  later(11_000);
  expect((await failure(accounts.refresh(first.refresh_token))).status).toBe(401);
  expect(await accounts.authenticate(second.access_token)).toBeNull();
  expect((await failure(accounts.refresh(second.refresh_token))).status).toBe(401);
});

test('a refresh token ends after 30 days', async () => {
  const pair = await accounts.signIn({ username: await newUser(), password: PASSWORD }, '192.0.2.1');
  later(31 * 24 * 3_600_000);
  expect((await failure(accounts.refresh(pair.refresh_token))).status).toBe(401);
});

test('signing out ends the session for its access token too, and other sessions go on', async () => {
  const username = await newUser();
  const here = await accounts.signIn({ username, password: PASSWORD }, '192.0.2.1');
  const there = await accounts.signIn({ username, password: PASSWORD }, '192.0.2.1');
  await accounts.signOut(here.refresh_token);
  expect(await accounts.authenticate(here.access_token)).toBeNull();
  expect(await accounts.authenticate(there.access_token)).not.toBeNull();
  await accounts.signOut('a token nobody knows');
});

test('every session that ends before its time is told of, once and with its end: by sign-out and by a reused token', async () => {
  const username = await newUser();
  const pairs = [];
  for (let session = 0; session < 3; session += 1) {
    pairs.push(await accounts.signIn({ username, password: PASSWORD }, '192.0.2.1'));
  }
  const [left, stolen] = pairs;
  const claims = await Promise.all(pairs.map(({ access_token }) => accounts.authenticate(access_token)));
  const [leftId, stolenId] = claims.map((claim) => `${claim?.accountId} ${claim?.sessionId}`);
  await accounts.refresh(stolen?.refresh_token ?? '');
  expect(revoked).toEqual([]);
  for (const _twice of [1, 2]) await accounts.signOut(left?.refresh_token ?? '');
  expect(revoked).toEqual([leftId]);
  later(11_000);
  for (const _twice of [1, 2]) await failure(accounts.refresh(stolen?.refresh_token ?? ''));
  expect(revoked).toEqual([leftId, stolenId]);
});

test('an invited person sets a password once, with the link and the address it was sent to', async () => {
  const { user, token } = await accounts.invite('invited@example.com');
  const request = { email: 'invited@example.com', username: 'invited', password: PASSWORD, token };
  expect(
    (await failure(accounts.signIn({ username: user.username, password: '' }, '192.0.2.1'))).status,
  ).toBe(401);
  for (const wrong of [{ token: 'guessed' }, { email: 'somebody@example.com' }]) {
    const error = await failure(accounts.completeOnboarding({ ...request, ...wrong }));
    expect([error.status, error.detail]).toEqual([400, 'Invalid or expired onboarding link.']);
  }
  const pair = await accounts.completeOnboarding(request);
  expect((await accounts.authenticate(pair.access_token))?.userId).toBe(user.id);
  expect((await failure(accounts.completeOnboarding(request))).status).toBe(400);
});

test('an onboarding link ends after seven days', async () => {
  const { token } = await accounts.invite('late@example.com');
  later(8 * 24 * 3_600_000);
  const request = { email: 'late@example.com', username: 'late-user', password: PASSWORD, token };
  expect((await failure(accounts.completeOnboarding(request))).status).toBe(400);
});

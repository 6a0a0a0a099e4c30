import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AccountsParts, failure, openAccounts } from './testing/accounts-parts.ts';
import { signAccessToken } from './tokens.ts';

let parts: AccountsParts;
beforeAll(async () => {
  parts = await openAccounts();
});
afterAll(() => parts.close());
beforeEach(() => {
  parts.revoked.length = 0;
});

test('an access token ends after 15 minutes', async () => {
  const pair = await parts.signIn(await parts.newUser());
  parts.later(14 * 60_000);
  expect(await parts.sessions.authenticate(pair.access_token)).not.toBeNull();
  parts.later(2 * 60_000);
  expect(await parts.sessions.authenticate(pair.access_token)).toBeNull();
});

test('a token signed with another key, or without a signature, is nobody', async () => {
  const claims = { userId: randomUUID(), accountId: randomUUID(), sessionId: randomUUID() };
  const forged = await signAccessToken(randomBytes(32), claims, parts.now());
  const [, payload] = forged.split('.');
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
  for (const token of [forged, unsigned, 'garbage', '']) {
    expect(await parts.sessions.authenticate(token)).toBeNull();
  }
});

test('refreshing rotates, and the repeated call within ten seconds gets the same successor', async () => {
  const first = await parts.signIn(await parts.newUser());
  const [one, two] = await Promise.all([
    parts.sessions.refresh(first.refresh_token),
    parts.sessions.refresh(first.refresh_token),
  ]);
  expect(one.refresh_token).toBe(two.refresh_token);
  expect(one.refresh_token).not.toBe(first.refresh_token);
  parts.later(9_000);
  expect((await parts.sessions.refresh(first.refresh_token)).refresh_token).toBe(one.refresh_token);
});

test('a spent refresh token used later revokes the whole family at once', async () => {
  const first = await parts.signIn(await parts.newUser());
  const second = await parts.sessions.refresh(first.refresh_token);
  parts.later(11_000);
  expect((await failure(parts.sessions.refresh(first.refresh_token))).status).toBe(401);
  expect(await parts.sessions.authenticate(second.access_token)).toBeNull();
  expect((await failure(parts.sessions.refresh(second.refresh_token))).status).toBe(401);
});

test('a refresh token ends after 30 days', async () => {
  const pair = await parts.signIn(await parts.newUser());
  parts.later(31 * 24 * 3_600_000);
  expect((await failure(parts.sessions.refresh(pair.refresh_token))).status).toBe(401);
});

test('signing out ends the session for its access token too, and other sessions go on', async () => {
  const username = await parts.newUser();
  const here = await parts.signIn(username);
  const there = await parts.signIn(username);
  await parts.sessions.signOut(here.refresh_token);
  expect(await parts.sessions.authenticate(here.access_token)).toBeNull();
  expect(await parts.sessions.authenticate(there.access_token)).not.toBeNull();
  await parts.sessions.signOut('a token nobody knows');
});

test('every session that ends before its time is told of, once and with its end: by sign-out and by a reused token', async () => {
  const username = await parts.newUser();
  const pairs = [];
  for (let session = 0; session < 3; session += 1) {
    pairs.push(await parts.signIn(username));
  }
  const [left, stolen] = pairs;
  const claims = await Promise.all(
    pairs.map(({ access_token }) => parts.sessions.authenticate(access_token)),
  );
  const [leftId, stolenId] = claims.map((claim) => `${claim?.accountId} ${claim?.sessionId}`);
  await parts.sessions.refresh(stolen?.refresh_token ?? '');
  expect(parts.revoked).toEqual([]);
  for (const _twice of [1, 2]) await parts.sessions.signOut(left?.refresh_token ?? '');
  expect(parts.revoked).toEqual([leftId]);
  parts.later(11_000);
  for (const _twice of [1, 2]) await failure(parts.sessions.refresh(stolen?.refresh_token ?? ''));
  expect(parts.revoked).toEqual([leftId, stolenId]);
});

test('a token that is used while its account is being removed has ended, and the removal goes on', async () => {
  const pair = await parts.signIn(await parts.newUser());
  const claims = await parts.sessions.authenticate(pair.access_token);
  const accountId = claims?.accountId ?? '';
  const { db } = parts.database;
  const refreshing = await db.transaction().execute(async (transaction) => {
    // As far as the removal is when the session's row is gone, and its tokens are next.
    await transaction
      .updateTable('session')
      .set({ revoked_at: parts.now() })
      .where('account_id', '=', accountId)
      .execute();
    const outcome = failure(parts.sessions.refresh(pair.refresh_token));
    await parts.whenHeldUp();
    await transaction.deleteFrom('account').where('id', '=', accountId).execute();
    return { outcome };
  });
  expect((await refreshing.outcome).status).toBe(401);
});

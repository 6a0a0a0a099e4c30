import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '../platform/clock.ts';
import { type AccountsParts, CLIENT, clientAt, failure, openAccounts } from './testing/accounts-parts.ts';
import { signAccessToken } from './tokens.ts';

let parts: AccountsParts;
beforeAll(async () => {
  parts = await openAccounts();
});
afterAll(() => parts.close());
beforeEach(() => {
  parts.revoked.length = 0;
});

test('an access token expires after 15 minutes', async () => {
  const pair = await parts.signIn(await parts.newUser());
  parts.later(14 * 60_000);
  expect(await parts.sessions.authenticate(pair.access_token)).not.toBeNull();
  parts.later(2 * 60_000);
  expect(await parts.sessions.authenticate(pair.access_token)).toBeNull();
});

test('a token signed with another key, or without a signature, is rejected', async () => {
  const claims = { userId: randomUUID(), accountId: randomUUID(), sessionId: randomUUID() };
  const forged = await signAccessToken(randomBytes(32), claims, parts.now());
  const [, payload] = forged.split('.');
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
  for (const token of [forged, unsigned, 'garbage', '']) {
    expect(await parts.sessions.authenticate(token)).toBeNull();
  }
});

test('refreshing rotates, and a repeated call within ten seconds gets the same successor', async () => {
  const first = await parts.signIn(await parts.newUser());
  const [one, two] = await Promise.all([
    parts.sessions.refresh(first.refresh_token, CLIENT),
    parts.sessions.refresh(first.refresh_token, CLIENT),
  ]);
  expect(one.refresh_token).toBe(two.refresh_token);
  expect(one.refresh_token).not.toBe(first.refresh_token);
  parts.later(9_000);
  expect((await parts.sessions.refresh(first.refresh_token, CLIENT)).refresh_token).toBe(one.refresh_token);
});

test('a spent refresh token used later revokes the whole session', async () => {
  const first = await parts.signIn(await parts.newUser());
  const second = await parts.sessions.refresh(first.refresh_token, CLIENT);
  parts.later(11_000);
  expect((await failure(parts.sessions.refresh(first.refresh_token, CLIENT))).category).toBe('unauthorized');
  expect(await parts.sessions.authenticate(second.access_token)).toBeNull();
  expect((await failure(parts.sessions.refresh(second.refresh_token, CLIENT))).category).toBe('unauthorized');
});

test('a refresh token expires after 30 days', async () => {
  const pair = await parts.signIn(await parts.newUser());
  parts.later(31 * 24 * 3_600_000);
  expect((await failure(parts.sessions.refresh(pair.refresh_token, CLIENT))).category).toBe('unauthorized');
});

test('signing out ends the session for its access token too, and keeps other sessions', async () => {
  const username = await parts.newUser();
  const here = await parts.signIn(username);
  const there = await parts.signIn(username);
  await parts.sessions.signOut(here.refresh_token, CLIENT);
  expect(await parts.sessions.authenticate(here.access_token)).toBeNull();
  expect(await parts.sessions.authenticate(there.access_token)).not.toBeNull();
  await parts.sessions.signOut('an unknown token', CLIENT);
});

test('every revoked session is reported once, for sign-out and for a reused token', async () => {
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
  await parts.sessions.refresh(stolen?.refresh_token ?? '', CLIENT);
  expect(parts.revoked).toEqual([]);
  for (const _twice of [1, 2]) await parts.sessions.signOut(left?.refresh_token ?? '', CLIENT);
  expect(parts.revoked).toEqual([leftId]);
  parts.later(11_000);
  for (const _twice of [1, 2]) await failure(parts.sessions.refresh(stolen?.refresh_token ?? '', CLIENT));
  expect(parts.revoked).toEqual([leftId, stolenId]);
});

test('a refresh during account deletion fails, and the deletion continues', async () => {
  const pair = await parts.signIn(await parts.newUser());
  const claims = await parts.sessions.authenticate(pair.access_token);
  const accountId = claims?.accountId ?? '';
  const { db } = parts.database;
  const refreshing = await db.transaction().execute(async (transaction) => {
    // Creates the state of a deletion that has deleted the session's row but not yet its tokens.
    await transaction
      .updateTable('session')
      .set({ revoked_at: parts.now() })
      .where('account_id', '=', accountId)
      .execute();
    const outcome = failure(parts.sessions.refresh(pair.refresh_token, CLIENT));
    await parts.whenHeldUp();
    await transaction.deleteFrom('account').where('id', '=', accountId).execute();
    return { outcome };
  });
  expect((await refreshing.outcome).category).toBe('unauthorized');
});

test('a session ends 90 days after its sign-in, however often it is used', async () => {
  let pair = await parts.signIn(await parts.newUser());
  for (let day = 0; day < 80; day += 20) {
    parts.later(20 * DAY_MS);
    pair = await parts.sessions.refresh(pair.refresh_token, CLIENT);
  }
  parts.later(10 * DAY_MS - 60_000);
  pair = await parts.sessions.refresh(pair.refresh_token, CLIENT);
  expect(pair.expires_in).toBe(60);
  parts.later(60_000);
  expect(await parts.sessions.authenticate(pair.access_token)).toBeNull();
  expect((await failure(parts.sessions.refresh(pair.refresh_token, CLIENT))).category).toBe('unauthorized');
});

test('sessions are listed with their origin, and end one by one or all but the current one', async () => {
  const name = await parts.newUser();
  const pairs = [];
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
    pairs.push(await parts.signIn(name, undefined, clientAt(address)));
  }
  const stranger = await parts.sessions.authenticate(
    (await parts.signIn(await parts.newUser())).access_token,
  );
  const claims = await Promise.all(pairs.map((pair) => parts.sessions.authenticate(pair.access_token)));
  const [mine, second] = claims;
  if (!mine || !second || !stranger) throw new Error('A session does not hold.');
  const addresses = async () => (await parts.sessions.list(mine)).map(({ address }) => address);
  expect((await addresses()).sort()).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3']);
  expect((await failure(parts.sessions.end(stranger, second.sessionId, CLIENT))).category).toBe('not_found');
  await parts.sessions.end(mine, second.sessionId, CLIENT);
  expect((await failure(parts.sessions.end(mine, second.sessionId, CLIENT))).category).toBe('not_found');
  expect((await addresses()).sort()).toEqual(['192.0.2.1', '192.0.2.3']);
  await parts.sessions.endOthers(mine, CLIENT);
  expect(await addresses()).toEqual(['192.0.2.1']);
  parts.later(31 * DAY_MS);
  expect(await addresses()).toEqual([]);
});

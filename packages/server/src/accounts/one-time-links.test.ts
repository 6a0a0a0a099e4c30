import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '../platform/clock.ts';
import { hashPassword } from './passwords.ts';
import { findByAddress } from './service.ts';
import {
  type AccountsParts,
  CLIENT,
  clientAt,
  failure,
  openAccounts,
  PASSWORD,
  tokenIn,
} from './testing/accounts-parts.ts';

const OTHER = 'another long secret';
let parts: AccountsParts;
beforeAll(async () => {
  parts = await openAccounts();
});
afterAll(() => parts.close());

/** Returns the user as they see themselves. */
async function userOf(username: string, password = PASSWORD) {
  const { access_token } = await parts.signIn(username, password);
  const claims = await parts.sessions.authenticate(access_token);
  if (!claims) throw new Error('The session does not hold.');
  return { ...claims, user: await parts.accounts.user(claims.accountId, claims.userId) };
}

/** Returns the token of the newest password reset email. */
async function askedForReset(username: string): Promise<string> {
  const email = `${username}@example.com`;
  await parts.mailsTo(email);
  await parts.passwordChanges.mailPasswordReset(email);
  const [mail, ...more] = await parts.mailsTo(email);
  expect([mail?.kind, mail?.subject, more]).toEqual(['reset_password', 'Reset your password', []]);
  expect(mail?.text).toContain('https://winnow.example.org/reset-password?token=');
  return tokenIn(mail);
}

async function verificationOf(username: string): Promise<string> {
  const [mail] = await parts.mailsTo(`${username}@example.com`);
  return tokenIn(mail);
}

const reset = (token: string) => parts.passwordChanges.resetPassword({ token, new_password: OTHER }, CLIENT);
const INVALID_RESET = ['bad_request', 'invalid_reset_token', 'Invalid or expired reset token.'];
const INVALID_VERIFICATION = [
  'bad_request',
  'invalid_verification_token',
  'Invalid or expired verification token.',
];

async function refusal(promise: Promise<unknown>) {
  const { category, code, detail } = await failure(promise);
  return [category, code, detail];
}

test('a reset link sets the password once', async () => {
  const name = await parts.newUser();
  const token = await askedForReset(name);
  await reset(token);
  expect((await failure(parts.signIn(name))).category).toBe('unauthorized');
  await parts.signIn(name, OTHER);
  expect(await refusal(reset(token))).toEqual(INVALID_RESET);
});

test('a reset link is valid for thirty minutes', async () => {
  const [inTime, late] = [await parts.newUser(), await parts.newUser()];
  const tokens = [await askedForReset(inTime), await askedForReset(late)];
  parts.later(30 * MINUTE_MS - 1);
  await reset(tokens[0] ?? '');
  parts.later(1);
  expect(await refusal(reset(tokens[1] ?? ''))).toEqual(INVALID_RESET);
  await parts.signIn(late);
});

test('a malformed token, one for another purpose and a replaced one reset nothing', async () => {
  const name = await parts.newUser();
  const verification = await verificationOf(name);
  const first = await askedForReset(name);
  const second = await askedForReset(name);
  for (const wrong of [
    '',
    'garbage',
    `${second}x`,
    second.slice(1),
    second.toUpperCase(),
    verification,
    first,
  ]) {
    expect([wrong, await refusal(reset(wrong))]).toEqual([wrong, INVALID_RESET]);
  }
  await parts.signIn(name);
  await reset(second);
});

test('a link only affects the user it was sent to', async () => {
  const [mine, theirs] = [await parts.newUser(), await parts.newUser()];
  await parts.accounts.verifyEmail(await verificationOf(mine), CLIENT);
  await reset(await askedForReset(mine));
  const { user } = await userOf(theirs);
  expect(user.email_verified_at).toBeNull();
});

test('concurrent uses of one link count as one', async () => {
  const token = await askedForReset(await parts.newUser());
  const outcomes = await Promise.allSettled([reset(token), reset(token), reset(token)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
});

test('a reset ends every session of the user, reports each, and ends none of others', async () => {
  const [mine, theirs] = [await parts.newUser(), await parts.newUser()];
  const pairs = [await parts.signIn(mine), await parts.signIn(mine)];
  const other = await parts.signIn(theirs);
  const claims = await Promise.all(
    pairs.map(({ access_token }) => parts.sessions.authenticate(access_token)),
  );
  parts.revoked.length = 0;
  await reset(await askedForReset(mine));
  for (const { access_token, refresh_token } of pairs) {
    expect(await parts.sessions.authenticate(access_token)).toBeNull();
    expect((await failure(parts.sessions.refresh(refresh_token, CLIENT))).category).toBe('unauthorized');
  }
  expect(parts.revoked.sort()).toEqual(claims.map((it) => `${it?.accountId} ${it?.sessionId}`).sort());
  expect(await parts.sessions.authenticate(other.access_token)).not.toBeNull();
});

test('a sign-in in progress during a password reset opens no session', async () => {
  const name = await parts.newUser();
  const { db } = parts.database;
  const signingIn = await db.transaction().execute(async (transaction) => {
    const user = transaction.updateTable('app_user').where('username', '=', name);
    await user.set({ full_name: 'Held' }).execute();
    const outcome = refusal(parts.signIn(name));
    await parts.whenHeldUp();
    await user.set({ password_hash: await hashPassword(OTHER) }).execute();
    return { outcome };
  });
  expect(await signingIn.outcome).toEqual(['unauthorized', 'unauthorized', 'Invalid username or password']);
});

test('a reset clears the failed attempts of a user who forgot the password', async () => {
  const name = await parts.newUser();
  for (let attempt = 0; attempt < 10; attempt += 1) await failure(parts.signIn(name, 'a wrong guess'));
  expect((await failure(parts.signIn(name))).category).toBe('rate_limited');
  await reset(await askedForReset(name));
  await parts.signIn(name, OTHER);
});

test('no email is sent to addresses without an account or to an account being deleted', async () => {
  await parts.invitations.invite('leaving@example.com');
  await parts.mailsTo('leaving@example.com');
  const { db } = parts.database;
  const { account_id: id } = await db
    .selectFrom('app_user')
    .select('account_id')
    .where('email', '=', 'leaving@example.com')
    .executeTakeFirstOrThrow();
  await db.updateTable('account').set({ leaving_at: parts.now() }).where('id', '=', id).execute();
  for (const address of ['leaving@example.com', 'nobody@example.com']) {
    await parts.passwordChanges.mailPasswordReset(address);
    expect(await parts.mailsTo(address)).toEqual([]);
  }
});

test('an address is found in any letter case', async () => {
  const name = await parts.newUser();
  await parts.mailsTo('');
  await parts.passwordChanges.mailPasswordReset(`${name.toUpperCase()}@Example.COM`);
  expect(await parts.mailsTo(`${name}@example.com`)).toHaveLength(1);
});

test('five emails an hour are sent to one address, and then the last link still works', async () => {
  const name = await parts.newUser();
  const email = `${name}@example.com`;
  const tokens: string[] = [];
  for (let mail = 0; mail < 5; mail += 1) tokens.push(await askedForReset(name));
  await parts.passwordChanges.mailPasswordReset(email);
  expect(await parts.mailsTo(email)).toEqual([]);
  await reset(tokens.at(-1) ?? '');
  parts.later(60 * MINUTE_MS);
  await askedForReset(name);
});

test('a link verifies the address once, within 24 hours', async () => {
  const name = await parts.newUser();
  const token = await verificationOf(name);
  parts.later(24 * 60 * MINUTE_MS - 1);
  await parts.accounts.verifyEmail(token, CLIENT);
  const { user } = await userOf(name);
  expect(user.email_verified_at).toEqual(parts.now());
  expect(await refusal(parts.accounts.verifyEmail(token, CLIENT))).toEqual(INVALID_VERIFICATION);

  const late = await parts.newUser();
  const lateToken = await verificationOf(late);
  parts.later(24 * 60 * MINUTE_MS);
  const wrong = [lateToken, 'garbage', '', await askedForReset(late)];
  for (const given of wrong) {
    expect(await refusal(parts.accounts.verifyEmail(given, CLIENT))).toEqual(INVALID_VERIFICATION);
  }
  expect((await userOf(late)).user.email_verified_at).toBeNull();
});

test('a resent link replaces the first; five an hour are sent, and none to a verified address', async () => {
  const name = await parts.newUser();
  const first = await verificationOf(name);
  const { accountId, userId } = await userOf(name);
  const resend = () => parts.accounts.resendVerification(accountId, userId);
  let newest = first;
  for (let mail = 0; mail < 5; mail += 1) {
    expect(await resend()).toBe(true);
    newest = await verificationOf(name);
  }
  const limited = await failure(resend());
  expect([limited.category, limited.code, limited.retryAfterSeconds]).toEqual([
    'rate_limited',
    'rate_limited',
    3600,
  ]);
  expect(await refusal(parts.accounts.verifyEmail(first, CLIENT))).toEqual(INVALID_VERIFICATION);
  await parts.accounts.verifyEmail(newest, CLIENT);
  expect(await resend()).toBe(false);
  expect(await parts.mailsTo(`${name}@example.com`)).toEqual([]);
  expect((await failure(parts.accounts.resendVerification(accountId, randomUUID()))).category).toBe(
    'not_found',
  );
});

test('a confirmed address proves ownership only if the link was opened on a device of the account', async () => {
  const here = await parts.newUser();
  const { deviceToken } = await parts.accounts.signIn({ username: here, password: PASSWORD }, CLIENT);
  await parts.accounts.verifyEmail(await verificationOf(here), clientAt('198.51.100.1', deviceToken));
  const elsewhere = await parts.newUser();
  await parts.accounts.verifyEmail(await verificationOf(elsewhere), CLIENT);
  const confirmed = async (name: string) =>
    (await findByAddress(parts.database.db, `${name}@example.com`))?.isOwnerConfirmed;
  expect([await confirmed(here), await confirmed(elsewhere)]).toEqual([true, false]);
  await reset(await askedForReset(elsewhere));
  expect(await confirmed(elsewhere)).toBe(true);
});

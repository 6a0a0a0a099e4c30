import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AccountsParts,
  CLIENT,
  failure,
  openAccounts,
  PASSWORD,
  tokenIn,
} from './testing/accounts-parts.ts';

let parts: AccountsParts;
beforeAll(async () => {
  parts = await openAccounts({ sendsMail: true });
});
afterAll(() => parts.close());

const register = (username: string, email: string) =>
  parts.registration.register({ username, email, password: PASSWORD }, CLIENT);

async function userOf(username: string) {
  const { access_token } = await parts.signIn(username);
  const claims = await parts.sessions.authenticate(access_token);
  if (!claims) throw new Error('The session does not hold.');
  return parts.accounts.user(claims.accountId, claims.userId);
}

test('registering with a taken address reveals nothing, and the owner is mailed', async () => {
  const owner = await parts.newUser();
  const address = `${owner}@example.com`;
  await parts.mailsTo('');
  const { user: mine } = await register('stranger', address.toUpperCase());
  expect(mine).toMatchObject({ username: 'stranger', email: address.toUpperCase(), email_verified_at: null });
  const [mail, ...more] = await parts.mailsTo(address);
  expect([mail?.subject, more]).toEqual(['You already have a Winnow account', []]);
  expect(JSON.stringify(mail)).not.toContain('stranger');
  // Signing in works as for any new account, and the name is taken.
  expect((await userOf('stranger')).id).toBe(mine.id);
  expect((await failure(register('stranger', 'free@example.com'))).fields?.[0]?.path).toBe('username');
  // The address identifies only its owner.
  expect((await userOf(address)).username).toBe(owner);
  await parts.passwordChanges.mailPasswordReset(address);
  const [reset] = await parts.mailsTo(address);
  const request = { token: tokenIn(reset), new_password: 'another long secret' };
  await parts.passwordChanges.resetPassword(request, CLIENT);
  await parts.signIn(owner, 'another long secret');
  await parts.signIn('stranger');
  // A new link confirms nothing, and is limited like any other.
  const resend = () => parts.accounts.resendVerification(mine.account_id, mine.id);
  expect(await resend()).toBe(true);
  const subjects = (await parts.mailsTo(address)).map(({ subject }) => subject);
  expect(subjects).toContain('You already have a Winnow account');
  for (let mail = 0; mail < 4; mail += 1) await resend();
  expect((await failure(resend())).status).toBe(429);
});

test('repeated registrations with one address send its owner five emails an hour', async () => {
  const address = `${await parts.newUser()}@example.com`;
  await parts.mailsTo('');
  for (let time = 0; time < 7; time += 1) await register(`repeated-${time}`, address);
  expect(await parts.mailsTo(address)).toHaveLength(4);
});

test('one of two concurrent registrations with an address gets it', async () => {
  await Promise.all([register('first', 'both@example.com'), register('second', 'both@example.com')]);
  const users = [await userOf('first'), await userOf('second')];
  expect(users.map(({ email_taken }) => email_taken).sort()).toEqual([false, true]);
});

test('without a confirmed address, some actions are refused until it is confirmed', async () => {
  const name = await parts.newUser();
  const [mail] = await parts.mailsTo(`${name}@example.com`);
  const { account_id: accountId } = await userOf(name);
  const refused = await failure(parts.accounts.expectConfirmedEmail(accountId));
  expect([refused.status, refused.code]).toEqual([403, 'email_unconfirmed']);
  await parts.accounts.verifyEmail(tokenIn(mail), CLIENT);
  await parts.accounts.expectConfirmedEmail(accountId);
});

import { randomUUID } from 'node:crypto';
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
  // A reset requested for the address reaches only its owner's account.
  await parts.passwordChanges.mailPasswordReset(address);
  const [reset] = await parts.mailsTo(address);
  const request = { token: tokenIn(reset), new_password: 'another long secret' };
  await parts.passwordChanges.resetPassword(request, CLIENT);
  await parts.signIn(owner, 'another long secret');
  await parts.signIn('stranger');
  // Another link can be requested, which confirms nothing and counts towards the usual limit.
  const resend = () => parts.accounts.resendVerification(mine.account_id, mine.id);
  expect(await resend()).toBe(true);
  const subjects = (await parts.mailsTo(address)).map(({ subject }) => subject);
  expect(subjects).toContain('You already have a Winnow account');
  for (let mail = 0; mail < 4; mail += 1) await resend();
  expect((await failure(resend())).category).toBe('rate_limited');
});

/** Registers an attacker with an address that is free, and another with one that is taken. */
async function attackers() {
  const names = { free: `free-${randomUUID().slice(0, 8)}`, taken: `taken-${randomUUID().slice(0, 8)}` };
  const emails = { free: `${names.free}@example.com`, taken: `${await parts.newUser()}@example.com` };
  for (const kind of ['free', 'taken'] as const) await register(names[kind], emails[kind]);
  return (['free', 'taken'] as const).map((kind) => ({ username: names[kind], email: emails[kind] }));
}

/** Returns the events of their account that the user can see. */
async function eventsOf(username: string): Promise<string[]> {
  const { account_id: accountId } = await userOf(username);
  const { events } = await parts.activity.list(parts.database.db, accountId, { limit: 100, skip: 0 });
  return events.map(({ kind }) => kind);
}

test('signing in with an unconfirmed address fails alike whether or not the address was taken', async () => {
  for (const { username, email } of await attackers()) {
    const { category, detail } = await failure(parts.signIn(email));
    expect([category, detail]).toEqual(['unauthorized', 'Invalid username or password']);
    await parts.signIn(username);
  }
});

test('a confirmed address signs in', async () => {
  const name = await parts.newUser();
  const address = `${name}@example.com`;
  const [mail] = await parts.mailsTo(address);
  expect((await failure(parts.signIn(address))).category).toBe('unauthorized');
  await parts.accounts.verifyEmail(tokenIn(mail), CLIENT);
  await parts.signIn(address.toUpperCase());
});

test('failures with an unconfirmed address do not count for the user who registered with it', async () => {
  for (const { username, email } of await attackers()) {
    for (let attempt = 0; attempt < 10; attempt += 1) await failure(parts.signIn(email, 'a wrong guess'));
    expect((await failure(parts.signIn(email))).category).toBe('rate_limited');
    await parts.signIn(username);
  }
});

test('events that an unconfirmed address caused are not shown to the user who registered with it', async () => {
  for (const { username, email } of await attackers()) {
    await parts.passwordChanges.mailPasswordReset(email);
    await failure(parts.signIn(email, 'a wrong guess'));
    await register(`again-${username}`.slice(0, 50), email);
    expect((await eventsOf(username)).toSorted()).toEqual(['registered', 'signed_in']);
  }
  expect(parts.logLines).toContainEqual(expect.objectContaining({ event: 'reset_requested' }));
});

test('events that a confirmed address caused are shown to its owner', async () => {
  const name = await parts.newUser();
  const address = `${name}@example.com`;
  const [mail] = await parts.mailsTo(address);
  await parts.accounts.verifyEmail(tokenIn(mail), CLIENT);
  await parts.passwordChanges.mailPasswordReset(address);
  await failure(parts.signIn(address, 'a wrong guess'));
  await register(`again-${name}`, address);
  expect(await eventsOf(name)).toEqual(
    expect.arrayContaining(['reset_requested', 'sign_in_failed', 'registration_repeated']),
  );
});

test('links for one address are counted together, whichever of its users requests them', async () => {
  for (const { username, email } of await attackers()) {
    const second = `second-${username}`;
    await register(second, email.toUpperCase());
    const resend = async (name: string) => {
      const { account_id: accountId, id } = await userOf(name);
      return parts.accounts.resendVerification(accountId, id);
    };
    for (let mail = 0; mail < 5; mail += 1) await resend(username);
    for (const name of [username, second])
      expect((await failure(resend(name))).category).toBe('rate_limited');
  }
});

test('deleting an account and registering again does not allow more emails to its address', async () => {
  const address = 'bombed@example.com';
  let resets = 0;
  for (const username of ['bomber-1', 'bomber-2']) {
    await register(username, address);
    await parts.mailsTo('');
    for (let request = 0; request < 4; request += 1) {
      await parts.passwordChanges.mailPasswordReset(address);
      resets += (await parts.mailsTo(address)).length;
    }
    await parts.database.db
      .deleteFrom('account')
      .where('id', '=', (await userOf(username)).account_id)
      .execute();
  }
  expect(resets).toBe(5);
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
  expect([refused.category, refused.code]).toEqual(['forbidden', 'email_unconfirmed']);
  await parts.accounts.verifyEmail(tokenIn(mail), CLIENT);
  await parts.accounts.expectConfirmedEmail(accountId);
});

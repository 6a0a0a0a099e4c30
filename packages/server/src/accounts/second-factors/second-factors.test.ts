import { generate } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AccountsParts,
  CLIENT,
  clientAt,
  openAccounts,
  PASSWORD,
  tokenIn,
} from '../testing/accounts-parts.ts';

let parts: AccountsParts;
beforeAll(async () => {
  parts = await openAccounts();
});
afterAll(async () => {
  await parts.database.drop();
});

/** A signed-in user with an authenticator app. */
async function newUserWithApp() {
  const name = await parts.newUser();
  const who = await whoSignedIn(await parts.signIn(name));
  const { secret } = await parts.secondFactors.start(who, PASSWORD, CLIENT);
  /** Returns the code that the app shows now, or `steps` codes later. */
  const codeOf = (steps = 0) =>
    generate({ secret, epoch: Math.floor(parts.now().getTime() / 1000) + 30 * steps });
  const recovery = await parts.secondFactors.confirm(who, await codeOf(-1), CLIENT);
  return { name, who, secret, codeOf, recovery };
}

async function whoSignedIn({ access_token }: { access_token: string }) {
  const claims = await parts.sessions.authenticate(access_token);
  if (claims === null) throw new Error('The session has ended.');
  return claims;
}

function signIn(username: string, code?: string, client = CLIENT) {
  const request = { username, password: PASSWORD, ...(code === undefined ? {} : { code }) };
  return parts.accounts.signIn(request, client);
}

async function kindsOf(accountId: string): Promise<string[]> {
  const { events } = await parts.activity.list(parts.database.db, accountId, { limit: 20, skip: 0 });
  return events.map(({ kind, detail }) => (detail === null ? kind : `${kind}: ${detail}`));
}

test('a sign-in needs a code from the first code on, and each code works once', async () => {
  const { name, who, codeOf } = await newUserWithApp();
  await expect(signIn(name)).rejects.toMatchObject({
    category: 'unauthorized',
    code: 'second_factor_required',
  });
  await expect(signIn(name, '000000')).rejects.toMatchObject({ code: 'wrong_code' });
  await expect(signIn(name, await codeOf(-1)), 'it added the app').rejects.toMatchObject({
    code: 'wrong_code',
  });
  const code = await codeOf();
  expect((await signIn(name, code)).tokens.access_token).toBeTruthy();
  await expect(signIn(name, code)).rejects.toMatchObject({ code: 'wrong_code' });
  expect((await signIn(name, await codeOf(1))).tokens.access_token).toBeTruthy();
  expect(await kindsOf(who.accountId)).toEqual(
    expect.arrayContaining(['second_factor_added', 'code_check_failed', 'signed_in']),
  );
});

test('one code sent twice at the same time opens one session', async () => {
  const { name, codeOf } = await newUserWithApp();
  const code = await codeOf();
  const outcomes = await Promise.allSettled([signIn(name, code), signIn(name, code)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a wrong password is refused before the code, and tells nothing about the app', async () => {
  const { name, codeOf } = await newUserWithApp();
  const code = await codeOf();
  const wrong = parts.accounts.signIn({ username: name, password: 'wrong', code }, CLIENT);
  await expect(wrong).rejects.toMatchObject({ code: 'unauthorized' });
  expect((await signIn(name, code)).tokens).toBeTruthy();
});

test('codes cannot be guessed, even at the address of the user, whose own device still signs in', async () => {
  const { name, codeOf } = await newUserWithApp();
  const { deviceToken } = await signIn(name, await codeOf());
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await expect(signIn(name, '000000', clientAt(`198.51.100.${attempt % 2}`))).rejects.toMatchObject({
      code: 'wrong_code',
    });
  }
  const right = await codeOf(1);
  for (const thief of [CLIENT, clientAt('198.51.100.7')]) {
    await expect(signIn(name, right, thief)).rejects.toMatchObject({ category: 'rate_limited' });
  }
  const own = clientAt(CLIENT.address, deviceToken);
  expect((await signIn(name, right, own)).tokens).toBeTruthy();
});

test('asking for the code does not count as a failure', async () => {
  const { name, codeOf } = await newUserWithApp();
  const office = clientAt('198.51.100.8');
  for (let attempt = 0; attempt < 40; attempt += 1) {
    await expect(signIn(name, undefined, office)).rejects.toMatchObject({ code: 'second_factor_required' });
  }
  expect((await signIn(name, await codeOf(), office)).tokens).toBeTruthy();
});

test('a recovery code replaces the app once, and is counted', async () => {
  const { name, who, recovery } = await newUserWithApp();
  const [first = '', second = ''] = recovery;
  expect((await signIn(name, first.toUpperCase().replaceAll('-', ' '))).tokens).toBeTruthy();
  await expect(signIn(name, first)).rejects.toMatchObject({ code: 'wrong_code' });
  expect(await parts.secondFactors.list(who)).toMatchObject({ recovery_codes_left: 9 });
  expect(await kindsOf(who.accountId)).toContain('recovery_code_used: 9 left');

  const renewed = await parts.secondFactors.renewCodes(who, second, CLIENT);
  expect(renewed).toHaveLength(10);
  await expect(signIn(name, recovery[2])).rejects.toMatchObject({ code: 'wrong_code' });
  expect((await signIn(name, renewed[0])).tokens).toBeTruthy();
});

test('adding an app requires the password and ends the other sessions', async () => {
  const name = await parts.newUser();
  const [mine, other] = [await parts.signIn(name), await parts.signIn(name)];
  const who = await whoSignedIn(mine);
  await expect(parts.secondFactors.start(who, 'wrong', CLIENT)).rejects.toMatchObject({
    code: 'wrong_password',
  });
  const replaced = await parts.secondFactors.start(who, PASSWORD, CLIENT);
  const { secret } = await parts.secondFactors.start(who, PASSWORD, CLIENT);
  const epoch = Math.floor(parts.now().getTime() / 1000);
  expect((await parts.signIn(name)).access_token, 'nothing is added yet').toBeTruthy();
  const confirm = (code: string) => parts.secondFactors.confirm(who, code, CLIENT);
  await expect(confirm(await generate({ secret: replaced.secret, epoch }))).rejects.toMatchObject({
    category: 'bad_request',
    code: 'wrong_code',
  });
  await confirm(await generate({ secret, epoch }));
  expect(await parts.sessions.authenticate(mine.access_token)).not.toBeNull();
  expect(await parts.sessions.authenticate(other.access_token)).toBeNull();
  await expect(parts.secondFactors.start(who, PASSWORD, CLIENT)).rejects.toMatchObject({
    code: 'authenticator_exists',
  });
  await expect(confirm('000000')).rejects.toMatchObject({ code: 'authenticator_exists' });
});

test('a stolen session cannot remove the app without a code, and its guesses are limited', async () => {
  const { name, who, codeOf } = await newUserWithApp();
  const thief = clientAt('198.51.100.9');
  const remove = (code: string, client = thief) => parts.secondFactors.remove(who, code, client);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await expect(remove('000000')).rejects.toMatchObject({ code: 'wrong_code' });
  }
  await expect(remove(await codeOf())).rejects.toMatchObject({ category: 'rate_limited' });
  const elsewhere = remove(await codeOf(), clientAt('198.51.100.10'));
  await expect(elsewhere, 'from another address').rejects.toMatchObject({ category: 'rate_limited' });
  parts.later(3_600_001);
  await remove(await codeOf(), CLIENT);
  expect(await parts.secondFactors.list(who)).toEqual({
    authenticator_added_at: null,
    recovery_codes_left: 0,
  });
  expect((await signIn(name)).tokens).toBeTruthy();
  await expect(remove('000000', CLIENT)).rejects.toMatchObject({ category: 'not_found' });
});

test('a right password does not give further guesses of codes', async () => {
  const { who } = await newUserWithApp();
  const thief = clientAt('198.51.100.11');
  let password = PASSWORD;
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await expect(parts.secondFactors.remove(who, '000000', thief)).rejects.toMatchObject({
      code: 'wrong_code',
    });
    const wanted = `another long secret ${attempt}`;
    const change = { current_password: password, new_password: wanted };
    await parts.passwordChanges.changePassword(who, change, thief);
    password = wanted;
  }
  await expect(parts.secondFactors.remove(who, '000000', thief)).rejects.toMatchObject({
    category: 'rate_limited',
  });
});

test('a reset by mail removes an app that a stranger added before the owner proved to be one', async () => {
  const { name, who, codeOf } = await newUserWithApp();
  const reset = async (password: string) => {
    const address = `${name}@example.com`;
    await parts.mailsTo('');
    await parts.passwordChanges.mailPasswordReset(address);
    const [mail] = await parts.mailsTo(address);
    const request = { token: tokenIn(mail), new_password: password };
    await parts.passwordChanges.resetPassword(request, clientAt('203.0.113.9'));
    return (code?: string) => parts.accounts.signIn({ username: name, password, code }, CLIENT);
  };
  const owner = await reset('another long secret');
  const session = await whoSignedIn((await owner()).tokens);
  expect(await kindsOf(who.accountId)).toContain('second_factor_removed');

  const { secret } = await parts.secondFactors.start(session, 'another long secret', CLIENT);
  const epoch = Math.floor(parts.now().getTime() / 1000);
  await parts.secondFactors.confirm(session, await generate({ secret, epoch }), CLIENT);
  const again = await reset('a third long secret');
  await expect(again(), 'the mailbox alone is not enough').rejects.toMatchObject({
    code: 'second_factor_required',
  });
  await expect(again(await codeOf())).rejects.toMatchObject({ code: 'wrong_code' });
});

test('the secret of one user does not open for another', async () => {
  const [one, other] = [await newUserWithApp(), await newUserWithApp()];
  await expect(signIn(other.name, await one.codeOf())).rejects.toMatchObject({ code: 'wrong_code' });
  await expect(signIn(other.name, one.recovery[0])).rejects.toMatchObject({ code: 'wrong_code' });
  const { db } = parts.database;
  const { sealed_secret } = await db
    .selectFrom('authenticator')
    .select('sealed_secret')
    .where('account_id', '=', one.who.accountId)
    .executeTakeFirstOrThrow();
  expect(sealed_secret.includes(one.secret)).toBe(false);
  await db
    .updateTable('authenticator')
    .set({ sealed_secret })
    .where('account_id', '=', other.who.accountId)
    .execute();
  await expect(signIn(other.name, await one.codeOf())).rejects.toMatchObject({ code: 'secret_unreadable' });
});

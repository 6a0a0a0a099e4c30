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
  const { secret } = await parts.secondFactors.start(who, { current_password: PASSWORD }, CLIENT);
  /** Returns the code that the app shows now, or `steps` codes later. */
  const codeOf = (steps = 0) =>
    generate({ secret, epoch: Math.floor(parts.now().getTime() / 1000) + 30 * steps });
  const recovery = (await parts.secondFactors.confirm(who, await codeOf(-1), CLIENT)) ?? [];
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

  const renewed = await parts.secondFactors.renewCodes(who, { code: second }, CLIENT);
  expect(renewed).toHaveLength(10);
  await expect(signIn(name, recovery[2])).rejects.toMatchObject({ code: 'wrong_code' });
  expect((await signIn(name, renewed[0])).tokens).toBeTruthy();
});

test('adding an app requires the password and ends the other sessions', async () => {
  const name = await parts.newUser();
  const [mine, other] = [await parts.signIn(name), await parts.signIn(name)];
  const who = await whoSignedIn(mine);
  await expect(parts.secondFactors.start(who, { current_password: 'wrong' }, CLIENT)).rejects.toMatchObject({
    code: 'wrong_password',
  });
  const replaced = await parts.secondFactors.start(who, { current_password: PASSWORD }, CLIENT);
  const { secret } = await parts.secondFactors.start(who, { current_password: PASSWORD }, CLIENT);
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
  await expect(parts.secondFactors.start(who, { current_password: PASSWORD }, CLIENT)).rejects.toMatchObject({
    code: 'authenticator_exists',
  });
  await expect(confirm('000000')).rejects.toMatchObject({ code: 'authenticator_exists' });
});

test('a stolen session cannot remove the app without a code, and its guesses are limited', async () => {
  const { name, who, codeOf } = await newUserWithApp();
  const thief = clientAt('198.51.100.9');
  const remove = (code: string, client = thief) => parts.secondFactors.remove(who, { code }, client);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await expect(remove('000000')).rejects.toMatchObject({ code: 'wrong_code' });
  }
  await expect(remove(await codeOf())).rejects.toMatchObject({ category: 'rate_limited' });
  const elsewhere = remove(await codeOf(), clientAt('198.51.100.10'));
  await expect(elsewhere, 'from another address').rejects.toMatchObject({ category: 'rate_limited' });
  parts.later(3_600_001);
  await remove(await codeOf(), CLIENT);
  expect(await parts.secondFactors.list(who)).toMatchObject({
    authenticator_added_at: null,
    recovery_codes_left: 0,
  });
  expect((await signIn(name)).tokens).toBeTruthy();
  await expect(remove('000000', CLIENT)).rejects.toMatchObject({ category: 'not_found' });
});

test('a right password does not give further guesses of codes', async () => {
  const { who, codeOf } = await newUserWithApp();
  const thief = clientAt('198.51.100.11');
  const change = (code?: string) => {
    const request = { current_password: PASSWORD, new_password: 'another long secret', code };
    return parts.passwordChanges.changePassword(who, request, thief);
  };
  await expect(change()).rejects.toMatchObject({ code: 'second_factor_required', category: 'bad_request' });
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await expect(change('000000')).rejects.toMatchObject({ code: 'wrong_code' });
    const removal = parts.secondFactors.remove(who, { code: '000000' }, thief);
    await expect(removal).rejects.toMatchObject({ code: 'wrong_code' });
  }
  await expect(change(await codeOf())).rejects.toMatchObject({ category: 'rate_limited' });
});

test('a new password needs a code', async () => {
  const { name, who, codeOf } = await newUserWithApp();
  const change = { current_password: PASSWORD, new_password: 'another long secret' };
  await parts.passwordChanges.changePassword(who, { ...change, code: await codeOf() }, CLIENT);
  await expect(signIn(name, await codeOf(1))).rejects.toMatchObject({ code: 'unauthorized' });
});

test('deleting the account needs a code', async () => {
  const { name, who, codeOf } = await newUserWithApp();
  const request = { username: name, current_password: PASSWORD };
  await expect(parts.removal.requestRemoval(who, request, CLIENT)).rejects.toMatchObject({
    code: 'second_factor_required',
  });
  await parts.removal.requestRemoval(who, { ...request, code: await codeOf() }, CLIENT);
  await expect(signIn(name, await codeOf(1))).rejects.toMatchObject({ code: 'unauthorized' });
});

test('a right password that no code follows is recorded and mailed once, the own sign-in is not', async () => {
  const { name, who, codeOf } = await newUserWithApp();
  const thief = clientAt('198.51.100.12');
  const report = async (client = CLIENT) => {
    parts.missingFactors.length = 0;
    await expect(signIn(name, undefined, client)).rejects.toMatchObject({ code: 'second_factor_required' });
    const [missing] = parts.missingFactors;
    if (missing === undefined) throw new Error('No report was requested.');
    return () => parts.factorChecks.reportMissing(missing);
  };
  await parts.mailsTo('');
  const own = await report();
  parts.later(20_000);
  await signIn(name, await codeOf());
  parts.later(600_000);
  await own();
  expect(await kindsOf(who.accountId)).not.toContain('factor_missing');

  const [first, second] = [await report(thief), await report(thief)];
  await signIn(name, await codeOf(), CLIENT);
  parts.later(600_000);
  await first();
  await second();
  const kinds = await kindsOf(who.accountId);
  expect(kinds.filter((kind) => kind === 'factor_missing')).toHaveLength(1);
  const mails = await parts.mailsTo(`${name}@example.com`);
  const warnings = mails.filter(({ subject }) => subject.includes('without a second factor'));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]?.text).toContain(thief.address);
});

test('an app needs a confirmed email address where addresses can be confirmed', async () => {
  const mailing = await openAccounts({ sendsMail: true });
  const name = await mailing.newUser();
  const { tokens } = await mailing.accounts.signIn({ username: name, password: PASSWORD }, CLIENT);
  const who = await mailing.sessions.authenticate(tokens.access_token);
  if (who === null) throw new Error('The session has ended.');
  const start = () => mailing.secondFactors.start(who, { current_password: PASSWORD }, CLIENT);
  await expect(start()).rejects.toMatchObject({ code: 'email_unconfirmed' });
  await mailing.database.db
    .updateTable('app_user')
    .set({ email_verified_at: mailing.now() })
    .where('username', '=', name)
    .execute();
  expect((await start()).secret).toBeTruthy();
  await mailing.close();
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
  expect(await kindsOf(who.accountId)).toContain('second_factors_removed');

  const { secret } = await parts.secondFactors.start(
    session,
    { current_password: 'another long secret' },
    CLIENT,
  );
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

import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR_MS } from '../platform/clock.ts';
import type { Client } from './client.ts';
import {
  type AccountsParts,
  CLIENT,
  clientAt,
  failure,
  openAccounts,
  PASSWORD,
  tokenIn,
} from './testing/accounts-parts.ts';

let parts: AccountsParts;
beforeAll(async () => {
  parts = await openAccounts();
});
afterAll(() => parts.close());

/**
 * Signs in with a wrong password under each name and returns the categories of the errors.
 * `addressOf` returns the IP address for the name at an index.
 */
async function guess(names: readonly string[], addressOf: (index: number) => string): Promise<string[]> {
  const categories: string[] = [];
  for (const [index, name] of names.entries()) {
    const guessed = parts.signIn(name, 'a wrong guess', clientAt(addressOf(index)));
    categories.push((await failure(guessed)).category);
  }
  return categories;
}

test('guessing one account from many addresses is slowed, and its owner can still sign in', async () => {
  const name = await parts.newUser();
  const { deviceToken } = await parts.accounts.signIn({ username: name, password: PASSWORD }, CLIENT);
  const categories = await guess(Array(22).fill(name), (index) => `203.0.113.${index}`);
  expect(categories).toEqual([...Array(20).fill('unauthorized'), 'rate_limited', 'rate_limited']);
  // At an unknown IP address even the right password is refused. The wait is less than an hour.
  const refused = await failure(parts.signIn(name, PASSWORD, clientAt('203.0.113.99')));
  expect([refused.category, (refused.retryAfterSeconds ?? 0) <= 3600]).toEqual(['rate_limited', true]);
  await parts.signIn(name);
  await parts.signIn(name, PASSWORD, clientAt('203.0.113.98', deviceToken));
  // A user without a known device gets one by a password reset.
  await parts.mailsTo('');
  await parts.passwordChanges.mailPasswordReset(`${name}@example.com`);
  const [mail] = await parts.mailsTo(`${name}@example.com`);
  const reset = { token: tokenIn(mail), new_password: 'another long secret' };
  const elsewhere = clientAt('203.0.113.97');
  const { deviceToken: fromReset } = await parts.passwordChanges.resetPassword(reset, elsewhere);
  const known = clientAt('203.0.113.96', fromReset);
  const { accountId } = await claimsOf(name, 'another long secret', known);
  const { events } = await parts.activity.list(parts.database.db, accountId, { limit: 100, skip: 0 });
  const counts = Object.groupBy(events, ({ kind }) => kind);
  expect(counts.sign_in_failed).toHaveLength(20);
  // An event is recorded once per hour, however many attempts were refused.
  expect(counts.sign_in_refused).toHaveLength(1);
});

test('guessing is limited to 60 a day, not just 20 an hour', async () => {
  const name = await parts.newUser();
  let failed = 0;
  for (let hour = 0; hour < 4; hour += 1) {
    const categories = await guess(Array(21).fill(name), (index) => `198.51.100.${index}`);
    failed += categories.filter((category) => category === 'unauthorized').length;
    parts.later(HOUR_MS);
  }
  expect(failed).toBe(60);
});

test('guessing many accounts from one address is slowed, except for users who use that address', async () => {
  const name = await parts.newUser();
  const names = Array.from({ length: 32 }, (_, index) => `somebody-${index}`);
  const categories = await guess(names, () => CLIENT.address);
  expect(categories.filter((category) => category === 'unauthorized')).toHaveLength(30);
  expect(categories.slice(-2)).toEqual(['rate_limited', 'rate_limited']);
  await parts.signIn(name);
});

test.each([
  ['a password change', changeWith],
  ['deleting the account', leaveWith],
])('guessing by %s with a stolen session is limited over all addresses', async (_, check) => {
  const name = await parts.newUser();
  const claims = await claimsOf(name, PASSWORD);
  const categories: string[] = [];
  for (let index = 0; index < 12; index += 1) {
    const guessed = check({ ...claims, name }, 'a wrong guess', clientAt(`198.51.100.${index}`));
    categories.push((await failure(guessed)).category);
  }
  expect(categories).toEqual([...Array(10).fill('bad_request'), 'rate_limited', 'rate_limited']);
  // Signing in is counted separately.
  await parts.signIn(name);
});

test('guessing with a stolen session is limited to 30 a day, and by all checks together', async () => {
  const name = await parts.newUser();
  const claims = { ...(await claimsOf(name, PASSWORD)), name };
  let failed = 0;
  for (let hour = 0; hour < 5; hour += 1) {
    for (let index = 0; index < 12; index += 1) {
      const check = index % 2 === 0 ? changeWith : leaveWith;
      const { category } = await failure(check(claims, 'a wrong guess', clientAt(`198.51.100.${index}`)));
      if (category === 'bad_request') failed += 1;
    }
    parts.later(HOUR_MS);
  }
  expect(failed).toBe(30);
});

test('a thief who guesses with a stolen session does not lock the owner out of their browser', async () => {
  const name = await parts.newUser();
  const { deviceToken } = await parts.accounts.signIn({ username: name, password: PASSWORD }, CLIENT);
  const claims = { ...(await claimsOf(name, PASSWORD)), name };
  for (let index = 0; index < 11; index += 1) {
    await failure(changeWith(claims, 'a wrong guess', clientAt(`198.51.100.${index}`)));
  }
  const stranger = await failure(changeWith(claims, PASSWORD, clientAt('198.51.100.50', 'x'.repeat(43))));
  expect([stranger.category, (stranger.retryAfterSeconds ?? 0) <= 3600]).toEqual(['rate_limited', true]);
  await changeWith(claims, PASSWORD, clientAt('203.0.113.50', deviceToken));
});

test('guessing with a stolen device cookie is limited too', async () => {
  const name = await parts.newUser();
  const { deviceToken } = await parts.accounts.signIn({ username: name, password: PASSWORD }, CLIENT);
  const claims = { ...(await claimsOf(name, PASSWORD)), name };
  const categories: string[] = [];
  for (let index = 0; index < 11; index += 1) {
    const client = clientAt(`198.51.100.${index}`, deviceToken);
    categories.push((await failure(changeWith(claims, 'a wrong guess', client))).category);
  }
  expect(categories).toEqual([...Array(10).fill('bad_request'), 'rate_limited']);
});

test('the right password clears earlier failures to confirm it', async () => {
  const name = await parts.newUser();
  const claims = { ...(await claimsOf(name, PASSWORD)), name };
  const [first, second] = [PASSWORD, 'another long secret'];
  for (let round = 0; round < 3; round += 1) {
    for (let index = 0; index < 9; index += 1) {
      await failure(changeWith(claims, 'a wrong guess', clientAt(`198.51.100.${index}`)));
    }
    const [current, next] = round % 2 === 0 ? [first, second] : [second, first];
    await changeWith(claims, current, clientAt('198.51.100.99'), next);
  }
});

type Owner = Awaited<ReturnType<typeof claimsOf>> & { name: string };

function changeWith(owner: Owner, current_password: string, client: Client, next = 'another long secret') {
  return parts.passwordChanges.changePassword(owner, { current_password, new_password: next }, client);
}

function leaveWith(owner: Owner, current_password: string, client: Client) {
  return parts.removal.requestRemoval(owner, { username: owner.name, current_password }, client);
}

async function claimsOf(name: string, password: string, client = CLIENT) {
  const { access_token } = await parts.signIn(name, password, client);
  const claims = await parts.sessions.authenticate(access_token);
  if (!claims) throw new Error('The session does not hold.');
  return claims;
}

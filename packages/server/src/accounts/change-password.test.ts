import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AccountsParts,
  CLIENT,
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

async function signedIn(name: string) {
  const pair = await parts.signIn(name);
  const claims = await parts.sessions.authenticate(pair.access_token);
  if (!claims) throw new Error('The session does not hold.');
  const change = (current_password: string) =>
    parts.passwordChanges.changePassword(claims, { current_password, new_password: OTHER }, CLIENT);
  return { ...pair, claims, change };
}

test('a wrong current password changes nothing and counts as a failed sign-in', async () => {
  const name = await parts.newUser();
  const { change } = await signedIn(name);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const { category, detail } = await failure(change('a wrong guess'));
    expect([category, detail]).toEqual(['bad_request', 'Current password is incorrect.']);
  }
  for (const refused of [change(PASSWORD), parts.signIn(name)]) {
    expect((await failure(refused)).category).toBe('rate_limited');
  }
  parts.later(15 * 60_000);
  await parts.signIn(name);
});

test("a change ends the user's other sessions and keeps this one", async () => {
  const name = await parts.newUser();
  const [here, there] = [await signedIn(name), await signedIn(name)];
  const somebody = await parts.signIn(await parts.newUser());
  parts.revoked.length = 0;
  await here.change(PASSWORD);
  expect(await parts.sessions.authenticate(here.access_token)).not.toBeNull();
  await parts.sessions.refresh(here.refresh_token, CLIENT);
  expect(await parts.sessions.authenticate(there.access_token)).toBeNull();
  expect(parts.revoked).toEqual([`${there.claims.accountId} ${there.claims.sessionId}`]);
  expect(await parts.sessions.authenticate(somebody.access_token)).not.toBeNull();
  expect((await failure(parts.signIn(name))).category).toBe('unauthorized');
  await parts.signIn(name, OTHER);
});

test('a change invalidates a reset link that was open', async () => {
  const name = await parts.newUser();
  await parts.mailsTo('');
  await parts.passwordChanges.mailPasswordReset(`${name}@example.com`);
  const [mail] = await parts.mailsTo(`${name}@example.com`);
  await (await signedIn(name)).change(PASSWORD);
  const reset = parts.passwordChanges.resetPassword({ token: tokenIn(mail), new_password: PASSWORD }, CLIENT);
  expect((await failure(reset)).category).toBe('bad_request');
});

test('only one of two concurrent changes succeeds', async () => {
  const name = await parts.newUser();
  const { change } = await signedIn(name);
  const outcomes = await Promise.allSettled([change(PASSWORD), change(PASSWORD)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

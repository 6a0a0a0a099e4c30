import { afterAll, beforeAll, expect, test } from 'vitest';
import { deviceNameOf, networkPrefixOf } from './client.ts';
import {
  type AccountsParts,
  CLIENT,
  clientAt,
  openAccounts,
  PASSWORD,
  tokenIn,
} from './testing/accounts-parts.ts';

let parts: AccountsParts;
beforeAll(async () => {
  parts = await openAccounts();
});
afterAll(() => parts.close());

const signIn = (username: string, client = CLIENT) =>
  parts.accounts.signIn({ username, password: PASSWORD }, client);

test('a sign-in from a new device is mailed with time, address and browser; others are not', async () => {
  const name = await parts.newUser();
  const mails = async () => (await parts.mailsTo(`${name}@example.com`)).map(({ kind }) => kind);
  await mails();
  // The first sign-in after registering, from another device and network.
  const phone = { ...clientAt('198.51.100.20'), userAgent: 'Phone' };
  const { deviceToken } = await signIn(name, phone);
  expect(await mails()).toEqual([]);
  // No email is sent for the same browser in the same network, or for a known device elsewhere.
  await signIn(name, { ...phone, address: '198.51.100.21' });
  await signIn(name, { ...clientAt('203.0.113.4', deviceToken), userAgent: 'Phone after its update' });
  expect(await mails()).toEqual([]);

  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  await signIn(name, { ...clientAt('203.0.113.200'), userAgent });
  const [mail, ...more] = await parts.mailsTo(`${name}@example.com`);
  expect([mail?.kind, mail?.subject, more]).toEqual(['new_device', 'New sign-in to your Winnow account', []]);
  expect(mail?.text).toMatch(
    /When: \w+ \d+, \d{4} at .* UTC\nIP address: 203\.0\.113\.200\nBrowser: Firefox on Linux/,
  );
  expect(mail?.text).toContain('https://winnow.example.org/forgot-password');
  expect(mail?.text).not.toContain(name);
});

test.each([
  ['a reset', true],
  ['a password change', false],
])('after %s only this browser is known, and sign-ins from others are mailed', async (_, isReset) => {
  const name = await parts.newUser();
  const address = `${name}@example.com`;
  const thief = { ...clientAt('198.51.100.66'), userAgent: 'Thief' };
  const owner = { ...clientAt('203.0.113.9'), userAgent: 'Owner' };
  const other = 'another long secret';
  const { deviceToken: stolen } = await signIn(name, thief);
  const { tokens, deviceToken: own } = await signIn(name, owner);
  const here = { ...owner, deviceToken: own };
  await parts.mailsTo('');
  if (isReset) {
    await parts.passwordChanges.mailPasswordReset(address);
    const [mail] = await parts.mailsTo(address);
    await parts.passwordChanges.resetPassword({ token: tokenIn(mail), new_password: other }, here);
  } else {
    const claims = await parts.sessions.authenticate(tokens.access_token);
    if (!claims) throw new Error('The session does not hold.');
    const request = { current_password: PASSWORD, new_password: other };
    await parts.passwordChanges.changePassword(claims, request, here);
  }
  await parts.mailsTo('');
  await parts.accounts.signIn({ username: name, password: other }, here);
  expect(await parts.mailsTo(address)).toEqual([]);
  // The thief uses the stolen cookie, and then their own browser in its network.
  for (const client of [{ ...clientAt('192.0.2.77'), deviceToken: stolen }, thief]) {
    await parts.accounts.signIn({ username: name, password: other }, client);
    expect((await parts.mailsTo(address)).map(({ kind }) => kind)).toEqual(['new_device']);
    // Restores the state, so that the first sign-in does not make the second device known.
    const { db } = parts.database;
    await db.deleteFrom('device').where('user_agent', 'in', ['Test browser', 'Thief']).execute();
  }
});

test("a user's device cookie does not identify a device of another user", async () => {
  const [mine, theirs] = [await parts.newUser(), await parts.newUser()];
  const { deviceToken } = await signIn(mine);
  await signIn(theirs);
  await parts.mailsTo('');
  await signIn(theirs, { ...clientAt('203.0.113.7', deviceToken), userAgent: 'Other browser' });
  expect(await parts.mailsTo(`${theirs}@example.com`)).toHaveLength(1);
});

test.each([
  ['curl/8.5.0', 'curl'],
  ['node', 'node'],
  ['', null],
  ['Visit https://evil.example', 'Visit'],
])('the user agent %j is displayed as %j', (userAgent, shown) => {
  expect(deviceNameOf(userAgent || null)).toBe(shown);
});

test.each([
  ['192.0.2.7', '192.0.2.200', true],
  ['192.0.2.7', '192.0.3.7', false],
  ['::ffff:192.0.2.7', '192.0.2.9', true],
  ['2001:db8:1:2::3', '2001:db8:1:ffff::1', true],
  ['2001:db8:1::', '2001:db8:2::', false],
])('%s and %s are one network: %s', (left, right, same) => {
  expect(networkPrefixOf(left) === networkPrefixOf(right)).toBe(same);
});

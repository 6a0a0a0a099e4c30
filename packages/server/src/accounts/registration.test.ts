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
  parts = await openAccounts();
});
afterAll(() => parts.close());

test('a taken username is refused in any letter case, and leaves no account behind', async () => {
  const name = await parts.newUser();
  const before = await parts.database.db.selectFrom('account').select('id').execute();
  const error = await failure(
    parts.registration.register(
      {
        username: name.toUpperCase(),
        email: 'other@example.com',
        password: PASSWORD,
      },
      CLIENT,
    ),
  );
  expect([error.category, error.fields?.[0]?.path]).toEqual(['conflict', 'username']);
  expect(await parts.database.db.selectFrom('account').select('id').execute()).toHaveLength(before.length);
});

test('a taken email address is not told to the caller, also without a mail server, and its owner is mailed', async () => {
  const name = await parts.newUser();
  await parts.mailsTo(`${name}@example.com`);
  const request = { username: 'someone-else', email: `${name}@EXAMPLE.com`, password: PASSWORD };
  const { user } = await parts.registration.register(request, CLIENT);
  expect(user).toMatchObject({ username: 'someone-else', state: 'active' });
  const mails = await parts.mailsTo(`${name}@example.com`);
  expect(mails.map(({ subject }) => subject)).toEqual(['You already have a Winnow account']);
});

test('a new user is mailed one link that verifies their address', async () => {
  const name = await parts.newUser();
  const mails = await parts.mailsTo(`${name}@example.com`);
  expect(mails.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['verify_email', 'Confirm your email address'],
  ]);
  const token = tokenIn(mails[0]);
  expect(mails[0]?.text).toContain(`\nhttps://winnow.example.org/verify-email?token=${token}\n`);
  expect(mails[0]?.html).toContain(`href="https://winnow.example.org/verify-email?token=${token}"`);
});

test('a user who could not be created is not mailed', async () => {
  const name = await parts.newUser();
  const other = { username: name, email: 'not-made@example.com', password: PASSWORD };
  await failure(parts.registration.register(other, CLIENT));
  expect(await parts.mailsTo('not-made@example.com')).toEqual([]);
});

test('no email contains words that someone else could have typed', async () => {
  const username = 'evil.example.com';
  await parts.registration.register({ username, email: 'victim@example.com', password: PASSWORD }, CLIENT);
  await parts.passwordChanges.mailPasswordReset('victim@example.com');
  const mails = await parts.mailsTo('victim@example.com');
  expect(mails).toHaveLength(2);
  expect(JSON.stringify(mails)).not.toContain('evil');
});

/** Invites an address. Returns the link and the values that the link contains. */
async function invited(email: string) {
  const link = await parts.invitations.invite(email);
  const { pathname, searchParams } = new URL(link);
  expect(pathname).toBe('/welcome');
  const { username = '', token = '', ...rest } = Object.fromEntries(searchParams);
  expect(rest).toEqual({ email });
  return { link, request: { username, email, password: PASSWORD, token } };
}

test('an invited user sets a password once, with the link and the address it was sent to', async () => {
  const { link, request } = await invited('grace+x@example.com');
  const [mail] = await parts.mailsTo('grace+x@example.com');
  expect([mail?.kind, mail?.text.includes(`\n${link}\n`)]).toEqual(['onboarding', true]);
  expect(request.username).toBe('gracex');
  expect((await failure(parts.signIn('grace+x@example.com', ''))).category).toBe('unauthorized');
  const chosen = { ...request, username: 'grace' };
  for (const wrong of [{ token: 'guessed' }, { email: 'somebody@example.com' }]) {
    const error = await failure(parts.accounts.completeOnboarding({ ...chosen, ...wrong }, CLIENT));
    expect([error.category, error.detail]).toEqual(['bad_request', 'Invalid or expired onboarding link.']);
  }
  const taken = { ...chosen, username: await parts.newUser() };
  expect((await failure(parts.accounts.completeOnboarding(taken, CLIENT))).category).toBe('conflict');
  const { tokens: pair } = await parts.accounts.completeOnboarding(chosen, CLIENT);
  expect(await parts.sessions.authenticate(pair.access_token)).not.toBeNull();
  expect((await failure(parts.accounts.completeOnboarding(chosen, CLIENT))).category).toBe('bad_request');
});

test.each([
  ['ada.b-c_1@example.com', 'ada.b-c_1'],
  ["o'neil+list@example.com", 'oneillist'],
  [`${'a'.repeat(60)}@example.com`, 'a'.repeat(50)],
  ['jo@example.com', ''],
  ['j+o@example.com', ''],
])('%s is proposed a valid username, or none', async (email, proposed) => {
  expect((await invited(email)).request.username).toBe(proposed);
});

test('an onboarding link expires after seven days', async () => {
  const { request } = await invited('late@example.com');
  parts.later(8 * 24 * 3_600_000);
  expect((await failure(parts.accounts.completeOnboarding(request, CLIENT))).category).toBe('bad_request');
});

test('a user who lost the invitation gets another by requesting a new password', async () => {
  const first = await invited('lost@example.com');
  await parts.mailsTo('lost@example.com');
  parts.later(8 * 24 * 3_600_000);
  await parts.passwordChanges.mailPasswordReset('Lost@example.com');
  const [mail, ...others] = await parts.mailsTo('lost@example.com');
  expect([mail?.kind, others]).toEqual(['onboarding', []]);
  expect((await failure(parts.accounts.completeOnboarding(first.request, CLIENT))).category).toBe(
    'bad_request',
  );
  await parts.accounts.completeOnboarding({ ...first.request, token: tokenIn(mail) }, CLIENT);
});

test('a second invitation sends another link and invalidates the first', async () => {
  const first = await invited('twice@example.com');
  const second = await invited('twice@example.com');
  expect(await parts.mailsTo('twice@example.com')).toHaveLength(1);
  expect((await failure(parts.accounts.completeOnboarding(first.request, CLIENT))).category).toBe(
    'bad_request',
  );
  await parts.accounts.completeOnboarding(second.request, CLIENT);
  expect((await failure(parts.invitations.invite('Twice@example.com'))).category).toBe('conflict');
});

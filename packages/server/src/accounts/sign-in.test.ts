import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountsParts, clientAt, failure, openAccounts, PASSWORD } from './testing/accounts-parts.ts';

let parts: AccountsParts;
beforeAll(async () => {
  parts = await openAccounts();
});
afterAll(() => parts.close());

test('a wrong password and an unknown name get the same response', async () => {
  const name = await parts.newUser();
  const wrong = await failure(parts.signIn(name, 'wrong password'));
  const unknown = await failure(parts.signIn('nobody'));
  expect([wrong.category, wrong.code, wrong.detail]).toEqual([
    'unauthorized',
    unknown.code,
    'Invalid username or password',
  ]);
  expect(unknown.detail).toBe(wrong.detail);
});

test('a failed sign-in with an unknown name is logged with its address, but without the name', async () => {
  parts.logLines.length = 0;
  const typed = 'a password typed as the name';
  await failure(parts.signIn(typed, 'wrong password', clientAt('203.0.113.7')));
  expect(parts.logLines).toEqual([
    expect.objectContaining({ event: 'sign_in_failed', unknownUser: true, address: '203.0.113.7' }),
  ]);
  expect(JSON.stringify(parts.logLines)).not.toContain(typed);
});

test('a failed sign-in with a known name is logged with the account and the address', async () => {
  const username = await parts.newUser();
  const { access_token } = await parts.signIn(username);
  const claims = await parts.sessions.authenticate(access_token);
  parts.logLines.length = 0;
  await failure(parts.signIn(username, 'wrong password', clientAt('203.0.113.8')));
  expect(parts.logLines).toEqual([
    expect.objectContaining({
      ...{ event: 'sign_in_failed', accountId: claims?.accountId, userId: claims?.userId },
      address: '203.0.113.8',
    }),
  ]);
  expect(parts.logLines[0]).not.toHaveProperty('unknownUser');
  expect(JSON.stringify(parts.logLines)).not.toContain('wrong password');
});

test('without a mail server, username and unconfirmed email address both sign in', async () => {
  const name = await parts.newUser();
  for (const username of [name, `${name}@example.com`, name.toUpperCase()]) {
    const pair = await parts.signIn(username);
    expect((await parts.sessions.authenticate(pair.access_token))?.userId).toBeDefined();
  }
});

test('the eleventh attempt after ten failures is refused even with the right password, until the window has passed', async () => {
  const name = await parts.newUser();
  for (let attempt = 0; attempt < 10; attempt += 1) {
    expect((await failure(parts.signIn(name, 'wrong'))).category).toBe('unauthorized');
    parts.later(1000);
  }
  const limited = await failure(parts.signIn(name));
  expect([limited.category, limited.code]).toEqual(['rate_limited', 'rate_limited']);
  await parts.accounts.signIn({ username: name, password: PASSWORD }, clientAt('192.0.2.2'));
  parts.later((limited.retryAfterSeconds ?? 0) * 1000);
  await parts.signIn(name);
});

test('failures with the username, in any case, and with the email address of one user count together', async () => {
  const name = await parts.newUser();
  const names = [name, `${name}@example.com`, name.toUpperCase()];
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const username = names[attempt % names.length] ?? name;
    expect((await failure(parts.signIn(username, 'wrong'))).category).toBe('unauthorized');
  }
  for (const username of names) {
    const limited = await failure(parts.signIn(username));
    expect([username, limited.category]).toEqual([username, 'rate_limited']);
  }
  await parts.signIn(await parts.newUser());
});

test('an unknown name is limited with the same responses as a known one', async () => {
  const answersTo = async (names: string[]) => {
    const answers: unknown[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const username = names[attempt % names.length] ?? '';
      const error = await failure(parts.signIn(username, 'wrong'));
      answers.push([error.category, error.code, error.detail, error.retryAfterSeconds]);
    }
    return answers;
  };
  const name = await parts.newUser();
  const answers = await answersTo([name, name.toUpperCase()]);
  expect(answers.at(-1)).toEqual(['rate_limited', 'rate_limited', expect.any(String), 15 * 60]);
  expect(await answersTo(['Nobody-at-all', 'nobody-at-ALL'])).toEqual(answers);
});

test("failures with a name that looks like a user's id do not count for that user", async () => {
  const username = await parts.newUser();
  const { access_token } = await parts.signIn(username);
  const id = (await parts.sessions.authenticate(access_token))?.userId ?? '';
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await failure(parts.signIn(id, 'wrong'));
  }
  await parts.signIn(username);
});

test('concurrent attempts cannot exceed the limit', async () => {
  const name = await parts.newUser();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      failure(parts.accounts.signIn({ username: name, password: 'wrong' }, clientAt('192.0.2.9'))),
    ),
  );
  expect(answers.filter((error) => error.category === 'unauthorized').length).toBeLessThanOrEqual(10);
});

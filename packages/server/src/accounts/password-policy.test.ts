import { expect, test } from 'vitest';
import { expectStrong, PasswordRater } from './password-policy.ts';
import { failure } from './testing/accounts-parts.ts';

const rater = new PasswordRater();
const rate = (password: string, identity: readonly string[]) => rater.rate(password, identity);
const check = (password: string) =>
  expectStrong(rate, { password, identity: ['ada-lovelace', null], path: 'new_password' });

test('a weak password is refused at its field with a hint, and a good one is accepted', async () => {
  for (const password of ['password', '12345678', 'lovelace1', 'winnow-2024']) {
    const { category, fields } = await failure(check(password));
    expect([password, category, fields]).toEqual([
      password,
      'invalid',
      [{ path: 'new_password', message: expect.stringMatching(/^This password is easy to guess\. .+\.$/) }],
    ]);
  }
  await check('correct horse battery');
});

test('concurrent ratings get their own results without blocking the event loop', async () => {
  const slow = '4@8({[</369&#!1|0$5+7%2/'.repeat(8);
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const ratings = await Promise.all([...Array(20).fill(slow), 'password'].map((text) => rate(text, [])));
  clearInterval(timer);
  expect(ratings.map(({ isAccepted }) => isAccepted)).toEqual([...Array(20).fill(true), false]);
  expect(turns).toBeGreaterThan(5);
});

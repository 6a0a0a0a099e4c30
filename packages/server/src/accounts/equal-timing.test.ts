import { verify } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { DECOY_HASH, hashPassword } from './passwords.ts';
import {
  type AccountsParts,
  CLIENT,
  clientAt,
  failure,
  openAccounts,
  PASSWORD,
  tokenIn,
} from './testing/accounts-parts.ts';

// Test files share loaded modules. This loads them again, so that they use the spied library.
vi.hoisted(() => vi.resetModules());
// The library works as usual; its calls are counted.
vi.mock('@node-rs/argon2', { spy: true });

/** An address that no user signed in from. */
const STRANGER = clientAt('198.51.100.7');
let parts: AccountsParts;
beforeAll(async () => {
  parts = await openAccounts({ sendsMail: true });
  await parts.invitations.invite('waiting@example.com');
});
afterAll(() => parts.close());
beforeEach(() => {
  vi.mocked(verify).mockClear();
});

test('signing in with a wrong password takes the same work whether or not the name has a user', async () => {
  const [known, unconfirmed] = [await parts.newUser(), await parts.newUser()];
  const [mail] = await parts.mailsTo(`${known}@example.com`);
  await parts.accounts.verifyEmail(tokenIn(mail), CLIENT);
  const works = [];
  for (const name of [
    known,
    `${known}@example.com`,
    `${unconfirmed}@example.com`,
    'nobody-at-all',
    'waiting@example.com',
  ]) {
    vi.mocked(verify).mockClear();
    const statements = await parts.statementsOf(() =>
      failure(parts.signIn(name, 'a wrong password', STRANGER)),
    );
    works.push({
      statements,
      hashes: vi.mocked(verify).mock.calls.map(([hash]) => parametersOf(String(hash))),
    });
  }
  expect(works[0]?.statements.length).toBeGreaterThan(2);
  expect(works[0]?.hashes).toHaveLength(1);
  for (const work of works) expect(work).toEqual(works[0]);
});

test('the decoy hash has the parameters of a real one', async () => {
  expect(parametersOf(DECOY_HASH)).toBe(parametersOf(await hashPassword('any password')));
});

test('requesting a reset takes the same work whether or not the address has a user', async () => {
  const known = `${await parts.newUser()}@example.com`;
  const works = [];
  for (const email of [known, 'nobody@example.com', 'waiting@example.com']) {
    works.push(await parts.statementsOf(() => parts.passwordChanges.forgotPassword(email)));
  }
  expect(works[0]).toHaveLength(1);
  for (const work of works) expect(work).toEqual(works[0]);
});

test('registering takes the same work whether or not the address has a user', async () => {
  const taken = `${await parts.newUser()}@example.com`;
  const works = [];
  for (const [index, email] of [taken, 'new@example.com', 'waiting@example.com'].entries()) {
    const request = { username: `newcomer-${index}`, email, password: PASSWORD };
    const statements = await parts.statementsOf(() => parts.registration.register(request, CLIENT));
    works.push(statements.length);
  }
  expect(works).toEqual([works[0], works[0], works[0]]);
});

/** Returns a PHC string without salt and hash: the parameters that decide the time. */
function parametersOf(hash: string): string {
  return hash.split('$').slice(0, 4).join('$');
}

import { tokenPair } from '@winnow/contract/account';
import { accountEventPage } from '@winnow/contract/account-activity';
import { type PasskeyAssertion, passkeyRequestOptions, passkeySetup } from '@winnow/contract/passkey';
import { firstRecoveryCodes, recoveryCodes, secondFactors } from '@winnow/contract/second-factor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLog } from '../../platform/log.ts';
import { type Caller, call, failureOf } from '../../testing/caller.ts';
import { type RunningWinnow, startWinnow } from '../../testing/running-winnow.ts';
import { PasskeyCeremonies } from '../passkeys/ceremonies.ts';
import { PasskeyChallenges } from '../passkeys/challenges.ts';
import { type Forgery, SoftwareAuthenticator } from '../testing/software-authenticator.ts';

const PATH = '/auth/second-factors';

let winnow: RunningWinnow;
/** Origin of the pages: a loopback address counts as localhost. */
let origin: string;
beforeAll(async () => {
  winnow = await startWinnow();
  origin = winnow.origin.replace('127.0.0.1', 'localhost');
});
afterAll(() => winnow.close());

/** A user with a passkey on one device. */
async function newUserWithPasskey() {
  const caller = await winnow.newCaller();
  const device = new SoftwareAuthenticator(origin);
  const codes = await add(caller, device, { current_password: caller.password });
  return { caller, device, codes: codes ?? [] };
}

async function add(caller: Caller, device: SoftwareAuthenticator, proof: unknown, forged?: Forgery) {
  const { options } = await caller.send('POST', `${PATH}/passkeys/options`, proof, passkeySetup);
  const body = { name: 'Test device', passkey: device.create(options, forged) };
  return (await caller.send('POST', `${PATH}/passkeys`, body, firstRecoveryCodes)).recovery_codes;
}

async function signInOptions() {
  const { body } = await call(winnow.origin, 'POST', '/api/v1/auth/passkeys/sign-in/options');
  return passkeyRequestOptions.parse(body);
}

function send(passkey: PasskeyAssertion) {
  return call(winnow.origin, 'POST', '/api/v1/auth/passkeys/sign-in', { body: { passkey } });
}

async function signIn(device: SoftwareAuthenticator, forged?: Forgery) {
  return send(device.get(await signInOptions(), forged));
}

function signInWithPassword(caller: Caller, more: object, password = caller.password) {
  return call(winnow.origin, 'POST', '/api/v1/auth/token/json', {
    body: { username: caller.name, password, ...more },
  });
}

async function proofOf(caller: Caller, device: SoftwareAuthenticator, forged?: Forgery) {
  const options = await caller.send('POST', `${PATH}/passkeys/proof`, undefined, passkeyRequestOptions);
  return device.get(options, forged);
}

async function kindsOf(caller: Caller): Promise<string[]> {
  const { events } = await caller.get('/auth/activity?limit=50', accountEventPage);
  return events.map(({ kind }) => kind);
}

describe('signing in', () => {
  test('a passkey signs in without the password, and is listed', async () => {
    const { caller, device } = await newUserWithPasskey();
    const answer = await signIn(device);
    expect(answer.status).toBe(200);
    expect(tokenPair.parse(answer.body).access_token).toBeTruthy();
    expect(answer.headers.get('set-cookie')).toContain('winnow_device=');
    const { passkeys, passkey_origin } = await caller.get(PATH, secondFactors);
    expect(passkey_origin).toBe(origin);
    expect(passkeys).toMatchObject([{ name: 'Test device', synced: true, password_required: false }]);
    expect(passkeys[0]?.last_used_at).not.toBeNull();
  });

  test.each<[string, (other: SoftwareAuthenticator) => Forgery]>([
    ['of a page of another site', () => ({ origin: 'https://winnow.example.net' })],
    ['of another port', () => ({ origin: 'http://localhost:1' })],
    ['for another site', () => ({ rpId: 'winnow.example.net' })],
    ['without user verification', () => ({ isUserVerified: false })],
    ['with the key of another passkey', ({ keys }) => ({ key: keys.privateKey })],
    ['with the user handle of another user', () => ({ userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' })],
    ['of another kind', () => ({ type: 'webauthn.create' })],
    ['of a challenge that we did not issue', () => ({ challenge: Buffer.alloc(54).toString('base64url') })],
    ['of an unknown passkey', ({ credentialId }) => ({ credentialId })],
  ])('refuses a signature %s', async (_, forgery) => {
    const { caller, device } = await newUserWithPasskey();
    const forged = forgery(new SoftwareAuthenticator(origin));
    expect(failureOf(await signIn(device, forged), 401).code).toBe('wrong_passkey');
    const isKnown = forged.credentialId === undefined;
    expect((await kindsOf(caller)).includes('passkey_check_failed')).toBe(isKnown);
    expect((await signIn(device)).status).toBe(200);
  });

  test('refuses a challenge that was used, also at the same time', async () => {
    const { device } = await newUserWithPasskey();
    const options = await signInOptions();
    expect((await send(device.get(options))).status).toBe(200);
    expect(failureOf(await send(device.get(options)), 401).code).toBe('wrong_passkey');
    const fresh = await signInOptions();
    const both = await Promise.all([send(device.get(fresh)), send(device.get(fresh))]);
    expect(both.filter(({ status }) => status === 200).length).toBeLessThan(2);
  });

  test('refuses a changed challenge, whose expiry is later', async () => {
    const { device } = await newUserWithPasskey();
    const options = await signInOptions();
    const bytes = Buffer.from(options.challenge, 'base64url');
    bytes.writeUInt8((bytes.readUInt8(17) + 1) % 256, 17);
    const challenge = bytes.toString('base64url');
    expect(failureOf(await send(device.get(options, { challenge })), 401).code).toBe('wrong_passkey');
  });

  test('refuses a challenge that was issued for a change, or for a new passkey', async () => {
    const { caller, device } = await newUserWithPasskey();
    const asProof = await proofOf(caller, device);
    expect(failureOf(await send(asProof), 401).code).toBe('wrong_passkey');
    const proof = { passkey: await proofOf(caller, device) };
    const { options } = await caller.send('POST', `${PATH}/passkeys/options`, proof, passkeySetup);
    const forged = { challenge: options.challenge };
    expect(failureOf(await signIn(device, forged), 401).code).toBe('wrong_passkey');
  });

  test('refuses a counter that goes back, and records that the passkey may be copied', async () => {
    const { caller, device } = await newUserWithPasskey();
    device.signCount = 10;
    expect((await signIn(device)).status).toBe(200);
    for (const signCount of [11, 5, 0]) {
      expect(failureOf(await signIn(device, { signCount }), 401).code).toBe('passkey_copied');
    }
    const other = new SoftwareAuthenticator(origin);
    const forged = { signCount: 5, key: other.keys.privateKey };
    expect(failureOf(await signIn(device, forged), 401).code).toBe('wrong_passkey');
    const kinds = await kindsOf(caller);
    expect(kinds.filter((kind) => kind === 'passkey_copied')).toHaveLength(3);
  });

  test('limits the attempts with a passkey', async () => {
    const { device } = await newUserWithPasskey();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      failureOf(await signIn(device, { isUserVerified: false }), 401);
    }
    failureOf(await signIn(device), 429);
  });
});

describe('the password of a user with passkeys', () => {
  test('needs a passkey or a recovery code', async () => {
    const { caller, device, codes } = await newUserWithPasskey();
    expect(codes).toHaveLength(10);
    expect(failureOf(await signInWithPassword(caller, {}), 401).code).toBe('passkey_required');
    const passkey = device.get(await signInOptions());
    expect((await signInWithPassword(caller, { passkey })).status).toBe(200);
    const [code] = codes;
    expect((await signInWithPassword(caller, { code })).status).toBe(200);
    expect(failureOf(await signInWithPassword(caller, { code }), 401).code).toBe('wrong_code');
  });

  test('does not accept the passkey of another user', async () => {
    const { caller } = await newUserWithPasskey();
    const { device: foreign } = await newUserWithPasskey();
    const passkey = foreign.get(await signInOptions());
    expect(failureOf(await signInWithPassword(caller, { passkey }), 401).code).toBe('wrong_passkey');
  });

  test('is needed once with each passkey after it was changed', async () => {
    const { caller, device } = await newUserWithPasskey();
    const change = { current_password: caller.password, new_password: 'another long secret' };
    const path = '/auth/users/me/password';
    expect((await caller.fail('PUT', path, 400, change)).code).toBe('passkey_required');
    await caller.do('PUT', path, { ...change, passkey: await proofOf(caller, device) });
    expect(failureOf(await signIn(device), 401).code).toBe('password_required');
    const passkey = device.get(await signInOptions());
    expect((await signInWithPassword(caller, { passkey }, 'another long secret')).status).toBe(200);
    expect((await signIn(device)).status).toBe(200);
  });
});

describe('passkeys of a signed-in user', () => {
  test('a first passkey needs the password, ends other sessions and cannot be added twice', async () => {
    const caller = await winnow.newCaller();
    const other = tokenPair.parse((await signInWithPassword(caller, {})).body);
    const device = new SoftwareAuthenticator(origin);
    const path = `${PATH}/passkeys/options`;
    expect((await caller.fail('POST', path, 400, {})).code).toBe('password_required');
    expect((await caller.fail('POST', path, 400, { current_password: 'wrong' })).code).toBe('wrong_password');
    await add(caller, device, { current_password: caller.password });
    failureOf(await call(winnow.origin, 'GET', '/api/v1/auth/users/me', { token: other.access_token }), 401);

    const stranger = await winnow.newCaller();
    const { options } = await stranger.send(
      'POST',
      path,
      { current_password: stranger.password },
      passkeySetup,
    );
    const body = { name: 'Same id', passkey: device.create(options) };
    expect((await stranger.fail('POST', `${PATH}/passkeys`, 409, body)).code).toBe('passkey_exists');
  });

  test.each<[string, Forgery]>([
    ['of another site', { origin: 'https://winnow.example.net' }],
    ['for another site', { rpId: 'winnow.example.net' }],
    ['without user verification', { isUserVerified: false }],
    ['of another kind', { type: 'webauthn.get' }],
    ['with a certificate', { certificate: Buffer.of(0x30, 0) }],
  ])('refuses a new passkey %s', async (_, forged) => {
    const caller = await winnow.newCaller();
    const proof = { current_password: caller.password };
    const { options } = await caller.send('POST', `${PATH}/passkeys/options`, proof, passkeySetup);
    const passkey = new SoftwareAuthenticator(origin).create(options, forged);
    const failure = await caller.fail('POST', `${PATH}/passkeys`, 400, { name: 'Forged', passkey });
    expect(failure.code).toBe('wrong_passkey');
    expect((await caller.get(PATH, secondFactors)).passkeys).toEqual([]);
  });

  test('refuses a new passkey with the challenge of another user, or one that was used', async () => {
    const [caller, stranger] = [await winnow.newCaller(), await winnow.newCaller()];
    const proof = { current_password: caller.password };
    const { options } = await caller.send('POST', `${PATH}/passkeys/options`, proof, passkeySetup);
    const body = { name: 'Mine', passkey: new SoftwareAuthenticator(origin).create(options) };
    expect((await stranger.fail('POST', `${PATH}/passkeys`, 400, body)).code).toBe('wrong_passkey');
    await caller.send('POST', `${PATH}/passkeys`, body, firstRecoveryCodes);
    const second = { name: 'Mine', passkey: new SoftwareAuthenticator(origin).create(options) };
    expect((await caller.fail('POST', `${PATH}/passkeys`, 400, second)).code).toBe('wrong_passkey');
  });

  test('a stolen session and the password change nothing', async () => {
    const { caller, device } = await newUserWithPasskey();
    const { device: foreign } = await newUserWithPasskey();
    const [passkey] = (await caller.get(PATH, secondFactors)).passkeys;
    const one = `${PATH}/passkeys/${passkey?.id}`;
    const stolen = { current_password: caller.password };
    const calls = [
      ['POST', `${PATH}/passkeys/options`, stolen],
      ['POST', `${PATH}/authenticator`, stolen],
      ['POST', `${PATH}/recovery-codes`, stolen],
      ['PUT', one, { ...stolen, name: 'Other' }],
      ['POST', `${one}/remove`, stolen],
    ] as const;
    for (const [method, path, body] of calls) {
      expect((await caller.fail(method, path, 400, body)).code, path).toBe('passkey_required');
    }
    const forged = { passkey: await proofOf(caller, foreign) };
    expect((await caller.fail('POST', `${one}/remove`, 400, forged)).code).toBe('wrong_passkey');
    const ofSignIn = { passkey: device.get(await signInOptions()) };
    expect((await caller.fail('POST', `${one}/remove`, 400, ofSignIn)).code).toBe('wrong_passkey');
    const proof = { passkey: await proofOf(caller, device) };
    await caller.do('PUT', one, { ...proof, name: 'Renamed' });
    expect((await caller.fail('PUT', one, 400, { ...proof, name: 'Again' })).code).toBe('wrong_passkey');
    expect((await caller.get(PATH, secondFactors)).passkeys).toMatchObject([{ name: 'Renamed' }]);
  });

  test('a proof does not hold in another session', async () => {
    const { caller, device } = await newUserWithPasskey();
    const passkey = await proofOf(caller, device);
    const { access_token: token } = tokenPair.parse((await signIn(device)).body);
    const answer = await call(winnow.origin, 'POST', `/api/v1${PATH}/recovery-codes`, {
      token,
      body: { passkey },
    });
    expect(failureOf(answer, 400).code).toBe('wrong_passkey');
    const mine = { passkey: await proofOf(caller, device) };
    expect(
      (await caller.send('POST', `${PATH}/recovery-codes`, mine, recoveryCodes)).recovery_codes,
    ).toHaveLength(10);
  });

  test('removing the last passkey removes the recovery codes, and the password alone signs in', async () => {
    const { caller, device, codes } = await newUserWithPasskey();
    const second = new SoftwareAuthenticator(origin);
    expect(await add(caller, second, { passkey: await proofOf(caller, device) })).toBeNull();
    const { passkeys } = await caller.get(PATH, secondFactors);
    const [first, last] = passkeys.map(({ id }) => `${PATH}/passkeys/${id}/remove`);
    await caller.do('POST', first ?? '', { code: codes[0] });
    expect(failureOf(await signIn(device), 401).code).toBe('wrong_passkey');
    expect(await caller.get(PATH, secondFactors)).toMatchObject({ recovery_codes_left: 9 });
    await caller.fail('POST', first ?? '', 404, { code: codes[1] });
    await caller.do('POST', last ?? '', { passkey: await proofOf(caller, second) });
    expect(await caller.get(PATH, secondFactors)).toMatchObject({ passkeys: [], recovery_codes_left: 0 });
    expect((await signInWithPassword(caller, {})).status).toBe(200);
    expect(await kindsOf(caller)).toEqual(
      expect.arrayContaining(['passkey_added', 'passkey_removed', 'recovery_code_used']),
    );
  });

  test('a user has at most 20 passkeys', async () => {
    const { caller, device } = await newUserWithPasskey();
    const { db } = winnow.database;
    const row = await db
      .selectFrom('passkey')
      .selectAll()
      .where('account_id', '=', await caller.accountId())
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 19 }, () => {
      const { credentialId } = new SoftwareAuthenticator(origin);
      return { ...row, id: crypto.randomUUID(), credential_id: credentialId };
    });
    await db.insertInto('passkey').values(copies).execute();
    const proof = { passkey: await proofOf(caller, device) };
    const failure = await caller.fail('POST', `${PATH}/passkeys/options`, 409, proof);
    expect(failure.code).toBe('too_many_passkeys');
  });
});

test('passkeys are not available if the public address is an IP address', () => {
  const { db } = winnow.database;
  const ceremonies = new PasskeyCeremonies({
    challenges: new PasskeyChallenges({ db, key: Buffer.alloc(32), now: () => new Date() }),
    publicUrl: () => 'https://192.0.2.7',
    log: openLog({ level: 'fatal', destination: { write: () => undefined } }),
  });
  expect(() => ceremonies.requestOptions({ purpose: 'sign_in' }, [])).toThrow(
    expect.objectContaining({ code: 'passkeys_unavailable', category: 'conflict' }),
  );
});

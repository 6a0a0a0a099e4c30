import type { AccountEventKind } from '@winnow/contract/account-activity';
import type { PasskeyAssertion } from '@winnow/contract/passkey';
import type { IdentityProof } from '@winnow/contract/second-factor';
import { AppError, badRequest, notFound, unauthorized } from '../../platform/errors.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Db } from '../../schema/tables.ts';
import type { AccountActivity } from '../activity.ts';
import type { Client } from '../client.ts';
import { hasDeviceCookie } from '../devices.ts';
import { clearFailedLogins, countCode, type LoginAttempt } from '../login-limit.ts';
import type { PasskeyCeremonies, VerifiedUse } from '../passkeys/ceremonies.ts';
import { findPasskey, listPasskeys, notePasskeyUse, type PasskeyRow } from '../passkeys/store.ts';
import { checkPassword } from '../password-check.ts';
import type { SecurityMails } from '../security-emails.ts';
import { findUser, lockUnchangedPassword, type User } from '../store.ts';
import { recoveryCodeHash, timeStepOf } from './codes.ts';
import type { MissingFactor } from './job.ts';
import * as store from './store.ts';

const WRONG_CODE = 'This code is wrong, or was used before. Enter the next one.';
export const WRONG_PASSKEY = 'This passkey was not accepted. Try again.';

export interface FactorChecksOptions {
  db: Db;
  secrets: Secrets;
  ceremonies: PasskeyCeremonies;
  activity: AccountActivity;
  securityMails: SecurityMails;
  now: () => Date;
  /** Requests a later call of {@link FactorChecks.reportMissing}. */
  requestMissingReport: (sign_in: MissingFactor) => Promise<void>;
}

/** A second factor that a request contains. */
export interface Factor {
  /** Code of the authenticator app, or a recovery code. */
  code?: string | undefined;
  passkey?: PasskeyAssertion | undefined;
}

/** The request that needs a second factor. */
export type FactorUse =
  /** A sign-in whose password was right. */
  | { kind: 'password' }
  /** A sign-in with a passkey alone. */
  | { kind: 'passkey_alone' }
  /** A change by a signed-in user. */
  | { kind: 'change'; sessionId: string };

/** A signed-in user who makes a change. */
export interface SignedInUser {
  accountId: string;
  userId: string;
  sessionId: string;
}

/** Returns the encryption context of an authenticator's secret. */
export function secretContext(accountId: string, id: string): string {
  return `authenticator:${accountId}:${id}`;
}

/**
 * Seals the secret of a user's app again after a move to another own account. The id of the account
 * is part of the encryption context.
 */
export async function resealAuthenticator(
  transaction: Db,
  secrets: Secrets,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const owner = { account_id: to, id: userId };
  const app = await store.lockAuthenticator(transaction, owner);
  if (app === undefined) return;
  const secret = secrets.open(app.sealed_secret, secretContext(from, app.id));
  await store.updateSealedSecret(transaction, owner, secrets.seal(secret, secretContext(to, app.id)));
}

/** Checks second factors: codes of an authenticator app, recovery codes and passkeys. */
export class FactorChecks {
  readonly #options: FactorChecksOptions;

  constructor(options: FactorChecksOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` in a transaction. `work` locks the user's row, then calls `expectFactor`. That
   * returns false if the user has no second factor, and throws an error if the factor is missing or
   * wrong. The status of the error is 401 for a sign-in, 400 for a change. Each factor is counted
   * like a code: see {@link countCode}.
   */
  async run<T>(
    user: User,
    factor: Factor,
    { use, client }: { use: FactorUse; client: Client },
    work: (transaction: Db, expectFactor: () => Promise<boolean>) => Promise<T>,
  ): Promise<T> {
    const { db } = this.#options;
    const isGiven = factor.code !== undefined || factor.passkey !== undefined;
    const attempt = isGiven ? await this.#count(user, client) : null;
    try {
      const { code, passkey } = factor;
      const verified = passkey === undefined ? null : await this.#verify(user, passkey, use);
      const check = { code, verified, attempt, use, client };
      return await db
        .transaction()
        .execute((transaction) => work(transaction, () => this.#expect(transaction, user, check)));
    } catch (error) {
      if (error instanceof AppError) await this.#report(user, error.code, { use, client });
      throw error;
    }
  }

  /**
   * Runs a change of a signed-in user in a transaction with the user's row locked. A user with a
   * second factor must prove it, any other user the password. Throws 400 if that fails, 429 after
   * too many attempts.
   */
  async change<T>(
    { accountId, userId, sessionId }: SignedInUser,
    { current_password, ...factor }: IdentityProof,
    client: Client,
    change: (transaction: Db, user: User) => Promise<T>,
  ): Promise<T> {
    const user = await findUser(this.#options.db, accountId, userId);
    if (user === undefined) throw notFound();
    const hasFactor = await this.hasFactor(user);
    if (!hasFactor && current_password === undefined) throw passwordMissing();
    const passwordAttempt =
      hasFactor || current_password === undefined
        ? null
        : await checkPassword(this.#options, user, current_password, client);
    const use = { kind: 'change', sessionId } as const;
    return this.run(user, factor, { use, client }, async (transaction, expectFactor) => {
      if (!(await lockUnchangedPassword(transaction, user))) throw unauthorized();
      if (!(await expectFactor())) {
        if (passwordAttempt === null) throw passwordMissing();
        await clearFailedLogins(transaction, passwordAttempt);
      }
      return change(transaction, user);
    });
  }

  /** True if sign-ins with the user's password need a second factor. */
  async hasFactor(user: User): Promise<boolean> {
    const { addedAt } = await store.readFactors(this.#options.db, user);
    return addedAt !== null || (await listPasskeys(this.#options.db, user)).length > 0;
  }

  /**
   * Throws 400 if the user has a second factor, and the request of a signed-in user contains none.
   * Call it before the password is counted, so that asking for the factor is no failure.
   */
  async expectGiven(user: User, { code, passkey }: Factor): Promise<void> {
    if (code !== undefined || passkey !== undefined) return;
    const { addedAt } = await store.readFactors(this.#options.db, user);
    const passkeys = await listPasskeys(this.#options.db, user);
    if (addedAt !== null || passkeys.length > 0) throw factorMissing(badRequest, addedAt !== null);
  }

  /** Finds the user of a passkey. */
  async ownerOf(assertion: PasskeyAssertion): Promise<User | undefined> {
    const { db } = this.#options;
    const passkey = await findPasskey(db, Buffer.from(assertion.id, 'base64url'));
    return passkey && findUser(db, passkey.account_id, passkey.user_id);
  }

  /**
   * Records and mails that the password was entered without a second factor, at most once an hour.
   * Does nothing if the same browser signed in since.
   */
  async reportMissing({ account_id, user_id, at, address, user_agent }: MissingFactor): Promise<void> {
    const { activity, db, securityMails } = this.#options;
    const user = await findUser(db, account_id, user_id);
    if (user === undefined) return;
    const client = { address, userAgent: user_agent };
    const asked = new Date(at);
    if (await store.hasSignedInSince(db, user, { ...client, since: asked })) return;
    const event = { userId: user_id, kind: 'factor_missing', at: asked, client } as const;
    await db.transaction().execute(async (transaction) => {
      if (!(await activity.recordOncePerHour(transaction, event))) return;
      await securityMails.send(transaction, user, { kind: 'factor_missing' }, client, asked);
    });
  }

  /** Returns the time step of a right code of the app; null for a wrong one. */
  stepOf({ account_id }: User, app: store.Authenticator, code: string): number | null {
    const secret = this.#options.secrets.open(app.sealed_secret, secretContext(account_id, app.id));
    return timeStepOf(code, { secret, lastStep: app.last_step, now: this.#options.now() });
  }

  async #count(user: User, client: Client): Promise<LoginAttempt> {
    const { db, now } = this.#options;
    const isOwnDevice = await hasDeviceCookie(db, { account_id: user.account_id, user_id: user.id }, client);
    return countCode(db, user.id, isOwnDevice ? client.deviceToken : null, now());
  }

  async #verify(user: User, assertion: PasskeyAssertion, use: FactorUse): Promise<VerifiedUse> {
    const { ceremonies, db } = this.#options;
    const refused = refusalOf(use)(WRONG_PASSKEY, 'wrong_passkey');
    const passkey = await findPasskey(db, Buffer.from(assertion.id, 'base64url'));
    if (passkey === undefined || !isOf(passkey, user)) throw refused;
    const verified = await ceremonies.verifyUse(
      assertion,
      passkey,
      use.kind === 'change'
        ? { purpose: 'prove', userId: user.id, sessionId: use.sessionId }
        : { purpose: 'sign_in' },
    );
    if (verified === null) throw refused;
    return verified;
  }

  async #expect(
    transaction: Db,
    user: User,
    check: {
      code: string | undefined;
      verified: VerifiedUse | null;
      attempt: LoginAttempt | null;
      use: FactorUse;
      client: Client;
    },
  ): Promise<boolean> {
    const { attempt, client, code, use, verified } = check;
    const app = await store.lockAuthenticator(transaction, user);
    const added = app?.added_at == null ? null : app;
    const passkeys = await listPasskeys(transaction, user);
    const hasFactor = added !== null || passkeys.length > 0;
    if (hasFactor) {
      if (verified !== null) await this.#notePasskeyUse(transaction, verified, use, passkeys);
      else if (code === undefined) throw factorMissing(refusalOf(use), added !== null);
      else if (!(await this.#redeem(transaction, user, { app: added, code, client }))) {
        throw refusalOf(use)(WRONG_CODE, 'wrong_code');
      }
    }
    if (attempt !== null) await clearFailedLogins(transaction, attempt);
    return hasFactor;
  }

  async #notePasskeyUse(
    transaction: Db,
    { passkey, signCount, synced }: VerifiedUse,
    use: FactorUse,
    present: readonly PasskeyRow[],
  ): Promise<void> {
    const refusal = refusalOf(use);
    const current = present.find(({ id }) => id === passkey.id);
    // It was removed, or the password was changed, while the signature was checked.
    if (current === undefined) throw refusal(WRONG_PASSKEY, 'wrong_passkey');
    if (use.kind === 'passkey_alone' && current.password_required) {
      throw refusal('Your password was changed. Sign in with it and this passkey once.', 'password_required');
    }
    const noted = await notePasskeyUse(transaction, passkey, {
      ...{ signCount, synced, at: this.#options.now() },
      withPassword: use.kind === 'password',
    });
    if (noted) return;
    throw refusal(
      'This passkey may have been copied, so it is refused. Use another way to sign in.',
      'passkey_copied',
    );
  }

  /** Uses up a code of the app, or a recovery code. Returns false for a wrong or used code. */
  async #redeem(
    transaction: Db,
    user: User,
    { app, code, client }: { app: store.Authenticator | null; code: string; client: Client },
  ): Promise<boolean> {
    const { activity, securityMails } = this.#options;
    const lastStep = app === null ? null : this.stepOf(user, app, code);
    if (app !== null && lastStep !== null) {
      await store.noteCodeUse(transaction, user, { id: app.id, lastStep });
      return true;
    }
    if (!(await store.useRecoveryCode(transaction, user, recoveryCodeHash(code)))) return false;
    const { codesLeft } = await store.readFactors(transaction, user);
    const detail = `${codesLeft} left`;
    await activity.record(transaction, { userId: user.id, kind: 'recovery_code_used', client, detail });
    await securityMails.send(transaction, user, { kind: 'recovery_code_used', left: codesLeft }, client);
    return true;
  }

  async #report(
    user: User,
    code: string,
    { use, client }: { use: FactorUse; client: Client },
  ): Promise<void> {
    const { activity, db, now, requestMissingReport } = this.#options;
    const kind = EVENTS.get(code);
    if (kind !== undefined) await activity.record(db, { userId: user.id, kind, client });
    const isMissing = code === 'second_factor_required' || code === 'passkey_required';
    if (!isMissing || use.kind !== 'password') return;
    await requestMissingReport({
      ...{ account_id: user.account_id, user_id: user.id, at: now().toISOString() },
      ...{ address: client.address, user_agent: client.userAgent },
    });
  }
}

/** Events by the code of the error. */
const EVENTS: ReadonlyMap<string, AccountEventKind> = new Map([
  ['wrong_code', 'code_check_failed'],
  ['wrong_passkey', 'passkey_check_failed'],
  ['passkey_copied', 'passkey_copied'],
]);

type Refusal = (detail: string, code: string) => AppError;

function refusalOf({ kind }: FactorUse): Refusal {
  return kind === 'change' ? badRequest : unauthorized;
}

function factorMissing(refusal: Refusal, hasApp: boolean): AppError {
  return hasApp
    ? refusal('Enter the code of your authenticator app.', 'second_factor_required')
    : refusal('Use your passkey, or enter a recovery code.', 'passkey_required');
}

function passwordMissing(): AppError {
  return badRequest('Enter your current password.', 'password_required');
}

/** Returns an error with status 400 for a wrong code of a signed-in user. */
export function wrongCode(): AppError {
  return badRequest(WRONG_CODE, 'wrong_code');
}

/** Returns an error with status 400 for a new passkey that is not valid. */
export function wrongPasskey(): AppError {
  return badRequest(WRONG_PASSKEY, 'wrong_passkey');
}

function isOf({ account_id, user_id }: PasskeyRow, user: User): boolean {
  return account_id === user.account_id && user_id === user.id;
}

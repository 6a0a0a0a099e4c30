import { randomUUID } from 'node:crypto';
import type { AuthenticatorSetup, SecondFactors as Factors } from '@winnow/contract/second-factor';
import { AppError, badRequest, conflict, notFound, unauthorized } from '../../platform/errors.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Db } from '../../schema/tables.ts';
import type { AccountActivity } from '../activity.ts';
import type { Client } from '../client.ts';
import { hasDeviceCookie } from '../devices.ts';
import { clearFailedLogins, countCode } from '../login-limit.ts';
import { checkPassword, wrongPassword } from '../password-check.ts';
import type { SecurityMails } from '../security-emails.ts';
import type { Sessions } from '../sessions.ts';
import { findHomeUser, findUser, lockUnchangedPassword, type User } from '../store.ts';
import {
  authenticatorUri,
  newAuthenticatorSecret,
  newRecoveryCodes,
  recoveryCodeHash,
  timeStepOf,
} from './codes.ts';
import * as store from './store.ts';

const WRONG_CODE = 'This code is wrong, or was used before. Enter the next one.';

export interface SecondFactorsOptions {
  db: Db;
  secrets: Secrets;
  sessions: Sessions;
  activity: AccountActivity;
  securityMails: SecurityMails;
  now: () => Date;
}

/** A signed-in user who changes second factors. */
interface SignedInUser {
  accountId: string;
  userId: string;
  sessionId: string;
}

/** Returns the encryption context of an authenticator's secret. */
export function secretContext(accountId: string, id: string): string {
  return `authenticator:${accountId}:${id}`;
}

/** Authenticator apps (TOTP, RFC 6238) and recovery codes, which a sign-in requires once added. */
export class SecondFactors {
  readonly #options: SecondFactorsOptions;

  constructor(options: SecondFactorsOptions) {
    this.#options = options;
  }

  async list({ accountId, userId }: Pick<SignedInUser, 'accountId' | 'userId'>): Promise<Factors> {
    const { addedAt, codesLeft } = await store.readFactors(this.#options.db, {
      account_id: accountId,
      id: userId,
    });
    return { authenticator_added_at: addedAt?.toISOString() ?? null, recovery_codes_left: codesLeft };
  }

  /**
   * Creates the secret of a new authenticator app. Sign-ins require it only after {@link confirm}.
   * Throws 400 for a wrong password, 409 if the user has an app, 429 after too many attempts.
   */
  async start(
    { accountId, userId }: SignedInUser,
    password: string,
    client: Client,
  ): Promise<AuthenticatorSetup> {
    const { db, secrets } = this.#options;
    const user = await this.#user(accountId, userId);
    const attempt = await checkPassword(this.#options, user, password, client);
    const secret = newAuthenticatorSecret();
    const id = randomUUID();
    await db.transaction().execute(async (transaction) => {
      if (!(await lockUnchangedPassword(transaction, user))) throw wrongPassword();
      await clearFailedLogins(transaction, attempt);
      const present = await store.lockAuthenticator(transaction, user);
      if (present !== undefined && present.added_at !== null) throw alreadyAdded();
      const sealed_secret = secrets.seal(secret, secretContext(accountId, id));
      await store.insertAuthenticator(transaction, user, { id, sealed_secret });
    });
    return { secret, uri: authenticatorUri(secret, user.username) };
  }

  /**
   * Adds the authenticator app by its first code, and ends the user's other sessions, which began
   * without it. Returns the recovery codes. Throws 400 for a wrong code, 404 without {@link start},
   * 409 if the app was added before, 429 after too many attempts.
   */
  async confirm(who: SignedInUser, code: string, client: Client): Promise<string[]> {
    const { activity, now, securityMails, sessions } = this.#options;
    return this.#change(who, client, async (transaction, user) => {
      const app = await store.lockAuthenticator(transaction, user);
      if (app === undefined) throw notFound();
      if (app.added_at !== null) throw alreadyAdded();
      const lastStep = this.#stepOf(user, app, code);
      if (lastStep === null) throw wrongCode();
      await store.noteCodeUse(transaction, user, { id: app.id, lastStep, addedAt: now() });
      const codes = await this.#newCodes(transaction, user);
      await activity.record(transaction, { userId: user.id, kind: 'second_factor_added', client });
      await securityMails.send(transaction, user, { kind: 'second_factor_added' }, client);
      await sessions.signOutEverywhere(transaction, user.account_id, user.id, who.sessionId);
      return codes;
    });
  }

  /**
   * Replaces the recovery codes. Throws 400 for a wrong code, 404 without an app, 429 after too
   * many attempts.
   */
  async renewCodes(who: SignedInUser, code: string, client: Client): Promise<string[]> {
    const { activity, securityMails } = this.#options;
    return this.#change(who, client, async (transaction, user) => {
      await this.#redeem(transaction, user, code, client);
      await activity.record(transaction, { userId: user.id, kind: 'recovery_codes_renewed', client });
      await securityMails.send(transaction, user, { kind: 'recovery_codes_renewed' }, client);
      return this.#newCodes(transaction, user);
    });
  }

  /**
   * Removes the app and the recovery codes. Throws 400 for a wrong code, 404 without an app, 429
   * after too many attempts.
   */
  async remove(who: SignedInUser, code: string, client: Client): Promise<void> {
    const { activity, securityMails } = this.#options;
    await this.#change(who, client, async (transaction, user) => {
      await this.#redeem(transaction, user, code, client);
      await store.deleteFactors(transaction, user);
      await activity.record(transaction, { userId: user.id, kind: 'second_factor_removed', client });
      await securityMails.send(transaction, user, { kind: 'second_factor_removed' }, client);
    });
  }

  /**
   * Checks the code of a sign-in whose password was right. Passes a user without an app. Call it
   * with the user's row locked, in the transaction that opens the session.
   * Throws 401 with the code `second_factor_required` without a code, `wrong_code` for a wrong one.
   */
  async expectCode(transaction: Db, user: User, code: string | undefined, client: Client): Promise<void> {
    const app = await store.lockAuthenticator(transaction, user);
    if (app === undefined || app.added_at === null) return;
    if (code === undefined) {
      throw unauthorized('Enter the code of your authenticator app.', 'second_factor_required');
    }
    if (!(await this.#redeemWith(transaction, user, { app, code, client }))) {
      throw unauthorized(WRONG_CODE, 'wrong_code');
    }
  }

  /** Runs a change with the user's row locked. Counts a wrong code like one of a sign-in. */
  async #change<T>(
    { accountId, userId }: SignedInUser,
    client: Client,
    change: (transaction: Db, user: User) => Promise<T>,
  ): Promise<T> {
    const { activity, db, now } = this.#options;
    const user = await this.#user(accountId, userId);
    const isOwnDevice = await hasDeviceCookie(db, { account_id: accountId, user_id: userId }, client);
    const deviceToken = isOwnDevice ? client.deviceToken : null;
    const attempt = await countCode(db, userId, deviceToken, now());
    return db
      .transaction()
      .execute(async (transaction) => {
        if (!(await lockUnchangedPassword(transaction, user))) throw unauthorized();
        await clearFailedLogins(transaction, attempt);
        return change(transaction, user);
      })
      .catch(async (error: unknown) => {
        if (error instanceof AppError && error.code === 'wrong_code') {
          await activity.record(db, { userId, kind: 'code_check_failed', client });
        }
        throw error;
      });
  }

  async #redeem(transaction: Db, user: User, code: string, client: Client): Promise<void> {
    const app = await store.lockAuthenticator(transaction, user);
    if (app === undefined || app.added_at === null) throw notFound();
    if (!(await this.#redeemWith(transaction, user, { app, code, client }))) throw wrongCode();
  }

  /** Uses up a code of the app, or a recovery code. Returns false for a wrong or used code. */
  async #redeemWith(
    transaction: Db,
    user: User,
    { app, code, client }: { app: store.Authenticator; code: string; client: Client },
  ): Promise<boolean> {
    const { activity, securityMails } = this.#options;
    const lastStep = this.#stepOf(user, app, code);
    if (lastStep !== null) {
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

  #stepOf({ account_id }: User, app: store.Authenticator, code: string): number | null {
    const secret = this.#options.secrets.open(app.sealed_secret, secretContext(account_id, app.id));
    return timeStepOf(code, { secret, lastStep: app.last_step, now: this.#options.now() });
  }

  async #newCodes(transaction: Db, user: User): Promise<string[]> {
    const codes = newRecoveryCodes();
    await store.replaceRecoveryCodes(transaction, user, codes.map(recoveryCodeHash));
    return codes;
  }

  async #user(accountId: string, userId: string): Promise<User> {
    const user = await findUser(this.#options.db, accountId, userId);
    if (user === undefined) throw notFound();
    return user;
  }
}

/**
 * Removes the second factors of an account's owner, who has lost them, and records it. Returns
 * false if there was no authenticator app.
 */
export async function removeByOperator(
  { db, activity }: { db: Db; activity: AccountActivity },
  accountId: string,
): Promise<boolean> {
  const user = await findHomeUser(db, accountId);
  if (user === undefined) return false;
  return db.transaction().execute(async (transaction) => {
    if (!(await store.deleteFactors(transaction, user))) return false;
    const detail = 'By the operator of this server';
    const event = { userId: user.id, kind: 'second_factor_removed', client: null, detail } as const;
    await activity.record(transaction, event);
    return true;
  });
}

/** Returns an error with status 400 for a wrong code of a signed-in user. */
function wrongCode() {
  return badRequest(WRONG_CODE, 'wrong_code');
}

function alreadyAdded() {
  return conflict('authenticator_exists', 'You already have an authenticator app. Remove it first.');
}

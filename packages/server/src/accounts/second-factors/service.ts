import { randomUUID } from 'node:crypto';
import { EMAIL_UNCONFIRMED } from '@winnow/contract/account';
import type {
  AuthenticatorSetup,
  SecondFactors as Factors,
  IdentityProof,
} from '@winnow/contract/second-factor';
import { AppError, conflict, forbidden, notFound, unauthorized } from '../../platform/errors.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Db } from '../../schema/tables.ts';
import type { AccountActivity } from '../activity.ts';
import type { Client } from '../client.ts';
import { hasDeviceCookie } from '../devices.ts';
import { clearFailedLogins, countCode } from '../login-limit.ts';
import type { PasskeyCeremonies } from '../passkeys/ceremonies.ts';
import { listPasskeys } from '../passkeys/store.ts';
import type { SecurityMails } from '../security-emails.ts';
import type { Sessions } from '../sessions.ts';
import { findUser, lockUnchangedPassword, type User } from '../store.ts';
import { authenticatorUri, newAuthenticatorSecret, newRecoveryCodes, recoveryCodeHash } from './codes.ts';
import { type FactorChecks, type SignedInUser, secretContext, wrongCode } from './factor-checks.ts';
import { presentPasskey } from './present.ts';
import * as store from './store.ts';

export interface SecondFactorsOptions {
  db: Db;
  secrets: Secrets;
  sessions: Sessions;
  activity: AccountActivity;
  securityMails: SecurityMails;
  checks: FactorChecks;
  ceremonies: PasskeyCeremonies;
  now: () => Date;
  /** True if emails leave the installation. Adding a factor then needs a confirmed address. */
  requiresConfirmedEmail: boolean;
}

/** Authenticator apps (TOTP, RFC 6238) and recovery codes of users. */
export class SecondFactors {
  readonly #options: SecondFactorsOptions;

  constructor(options: SecondFactorsOptions) {
    this.#options = options;
  }

  async list({ accountId, userId }: Pick<SignedInUser, 'accountId' | 'userId'>): Promise<Factors> {
    const { ceremonies, db } = this.#options;
    const user = { account_id: accountId, id: userId };
    const { addedAt, codesLeft } = await store.readFactors(db, user);
    return {
      authenticator_added_at: addedAt?.toISOString() ?? null,
      passkeys: (await listPasskeys(db, user)).map(presentPasskey),
      passkey_origin: ceremonies.relyingParty()?.origin ?? null,
      recovery_codes_left: codesLeft,
    };
  }

  /**
   * Creates the secret of a new authenticator app. Sign-ins require it only after {@link confirm}.
   * Throws 400 for a wrong proof, 403 for an unconfirmed email address, 409 if the user has an app,
   * 429 after too many attempts.
   */
  async start(who: SignedInUser, proof: IdentityProof, client: Client): Promise<AuthenticatorSetup> {
    const { checks, secrets } = this.#options;
    await this.expectConfirmedEmail(who);
    const { addedAt } = await this.#read(who);
    if (addedAt !== null) throw alreadyAdded();
    const secret = newAuthenticatorSecret();
    const id = randomUUID();
    return checks.change(who, proof, client, async (transaction, user) => {
      const present = await store.lockAuthenticator(transaction, user);
      if (present?.added_at != null) throw alreadyAdded();
      const sealed_secret = secrets.seal(secret, secretContext(user.account_id, id));
      await store.insertAuthenticator(transaction, user, { id, sealed_secret });
      return { secret, uri: authenticatorUri(secret, user.username) };
    });
  }

  /**
   * Adds the authenticator app by its first code, and ends the user's other sessions, which began
   * without it. Returns recovery codes, or null if the user has passkeys and therefore has codes.
   * Throws 400 for a wrong code, 404 without {@link start}, 409 if the app was added before, 429
   * after too many attempts.
   */
  async confirm(who: SignedInUser, code: string, client: Client): Promise<string[] | null> {
    const { activity, checks, db, now, securityMails, sessions } = this.#options;
    const { accountId, userId, sessionId } = who;
    const user = await findUser(db, accountId, userId);
    if (user === undefined) throw notFound();
    const isOwnDevice = await hasDeviceCookie(db, { account_id: accountId, user_id: userId }, client);
    const attempt = await countCode(db, userId, isOwnDevice ? client.deviceToken : null, now());
    return db
      .transaction()
      .execute(async (transaction) => {
        if (!(await lockUnchangedPassword(transaction, user))) throw unauthorized();
        await clearFailedLogins(transaction, attempt);
        const app = await store.lockAuthenticator(transaction, user);
        if (app === undefined) throw notFound();
        if (app.added_at !== null) throw alreadyAdded();
        const lastStep = checks.stepOf(user, app, code);
        if (lastStep === null) throw wrongCode();
        const isFirst = (await listPasskeys(transaction, user)).length === 0;
        await store.noteCodeUse(transaction, user, { id: app.id, lastStep, addedAt: now() });
        await activity.record(transaction, { userId, kind: 'second_factor_added', client });
        await securityMails.send(transaction, user, { kind: 'second_factor_added' }, client);
        await sessions.signOutEverywhere(transaction, accountId, userId, sessionId);
        return isFirst ? replaceRecoveryCodes(transaction, user) : null;
      })
      .catch(async (error: unknown) => {
        if (error instanceof AppError && error.code === 'wrong_code') {
          await activity.record(db, { userId, kind: 'code_check_failed', client });
        }
        throw error;
      });
  }

  /**
   * Replaces the recovery codes. Throws 400 for a wrong proof, 404 without a second factor, 429
   * after too many attempts.
   */
  async renewCodes(who: SignedInUser, proof: IdentityProof, client: Client): Promise<string[]> {
    const { activity, checks, db, securityMails } = this.#options;
    const present = await this.#read(who);
    const passkeys = await listPasskeys(db, { account_id: who.accountId, id: who.userId });
    if (present.addedAt === null && passkeys.length === 0) throw notFound();
    return checks.change(who, proof, client, async (transaction, user) => {
      await activity.record(transaction, { userId: user.id, kind: 'recovery_codes_renewed', client });
      await securityMails.send(transaction, user, { kind: 'recovery_codes_renewed' }, client);
      return replaceRecoveryCodes(transaction, user);
    });
  }

  /**
   * Removes the app, and without passkeys also the recovery codes. Throws 400 for a wrong proof,
   * 404 without an app, 429 after too many attempts.
   */
  async remove(who: SignedInUser, proof: IdentityProof, client: Client): Promise<void> {
    const { activity, checks, securityMails } = this.#options;
    if ((await this.#read(who)).addedAt === null) throw notFound();
    await checks.change(who, proof, client, async (transaction, user) => {
      if (!(await store.deleteAuthenticator(transaction, user))) throw notFound();
      const isLast = (await listPasskeys(transaction, user)).length === 0;
      if (isLast) await store.deleteRecoveryCodes(transaction, user);
      await activity.record(transaction, { userId: user.id, kind: 'second_factor_removed', client });
      await securityMails.send(transaction, user, { kind: 'second_factor_removed', isLast }, client);
    });
  }

  /**
   * Throws `forbidden` if addresses can be confirmed, and the user's is not. The notices about
   * second factors must reach the user.
   */
  async expectConfirmedEmail({ accountId, userId }: SignedInUser): Promise<void> {
    const { db, requiresConfirmedEmail } = this.#options;
    if (!requiresConfirmedEmail) return;
    const user = await findUser(db, accountId, userId);
    if (user?.email_verified_at == null) throw forbidden(EMAIL_UNCONFIRMED, 'email_unconfirmed');
  }

  #read({ accountId, userId }: SignedInUser) {
    return store.readFactors(this.#options.db, { account_id: accountId, id: userId });
  }
}

/** Creates recovery codes instead of those that the user has. Returns the new ones. */
export async function replaceRecoveryCodes(transaction: Db, user: User): Promise<string[]> {
  const codes = newRecoveryCodes();
  await store.replaceRecoveryCodes(transaction, user, codes.map(recoveryCodeHash));
  return codes;
}

function alreadyAdded() {
  return conflict('authenticator_exists', 'You already have an authenticator app. Remove it first.');
}

import {
  EMAIL_UNCONFIRMED,
  INVALID_ONBOARDING_LINK,
  INVALID_VERIFICATION_TOKEN,
  type LoginRequest,
  type OnboardingRequest,
  type TokenPair,
} from '@winnow/contract/account';
import type { PasskeyAssertion } from '@winnow/contract/passkey';
import { AppError, badRequest, forbidden, notFound, rateLimited, unauthorized } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import type { AccountActivity } from './activity.ts';
import { countAttempt } from './attempt-store.ts';
import type { Client } from './client.ts';
import { hasDeviceCookie, rememberDevice, traitsOf } from './devices.ts';
import {
  clearFailedLogins,
  countLogin,
  emailCounter,
  type LoginAttempt,
  type LoginSubject,
} from './login-limit.ts';
import type { MailedLinks } from './mailed-links.ts';
import { nameConflict } from './name-conflicts.ts';
import { expectStrong, type RateStrength } from './password-policy.ts';
import { hashPassword, passwordMatches } from './passwords.ts';
import {
  type Factor,
  type FactorChecks,
  type FactorUse,
  WRONG_PASSKEY,
} from './second-factors/factor-checks.ts';
import type { SecurityMails } from './security-emails.ts';
import type { Sessions } from './sessions.ts';
import * as store from './store.ts';
import { findName } from './workspaces/store.ts';

export interface AccountsOptions {
  db: Db;
  sessions: Sessions;
  links: MailedLinks;
  activity: AccountActivity;
  securityMails: SecurityMails;
  factorChecks: FactorChecks;
  rateStrength: RateStrength;
  now: () => Date;
  /**
   * True if emails leave the installation. Then some actions, and signing in by email address,
   * require a confirmed address.
   */
  requiresConfirmedEmail: boolean;
}

/** A new session and the device token for its browser. */
export interface OpenedSession {
  tokens: TokenPair;
  deviceToken: string;
}

/** Finds the account of an email address, ignoring case; null if there is none. */
export async function findByAddress(db: Db, address: string) {
  const user = await store.findUserByEmail(db, address);
  if (!user) return null;
  const { account_id: accountId, id: userId, username, email, state, owner_confirmed_at } = user;
  return {
    accountId,
    userId,
    username,
    email,
    isPending: state === 'pending',
    /** True if the account's owner is known to receive mail at this address. */
    isOwnerConfirmed: owner_confirmed_at !== null,
  };
}

/** Returns the display name of a workspace. Throws 404 if it does not exist. */
export async function nameOfAccount(db: Db, accountId: string): Promise<string> {
  const name = await findName(db, accountId);
  if (name === undefined) throw notFound();
  return name;
}

/** Users and their authentication. */
export class Accounts {
  readonly #options: AccountsOptions;

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  /**
   * Sets name and password of an invited user and signs in. Throws 400 for an invalid link, 409 for
   * a taken username, 422 for a weak password.
   */
  async completeOnboarding(request: OnboardingRequest, client: Client): Promise<OpenedSession> {
    const { activity, db, links, now, rateStrength, sessions } = this.#options;
    const { email, username, password } = request;
    await expectStrong(rateStrength, { password, identity: [username, email], path: 'password' });
    const passwordHash = await hashPassword(password);
    const invalidLink = () => badRequest(INVALID_ONBOARDING_LINK, 'invalid_onboarding_link');
    return db.transaction().execute(async (transaction) => {
      const owner = await links.redeem(transaction, 'onboarding', request.token);
      if (!owner) throw invalidLink();
      const invited = await store.findUser(transaction, owner.account_id, owner.user_id);
      if (invited?.email.toLowerCase() !== email.toLowerCase()) throw invalidLink();
      const user = await store
        .activateUser(transaction, owner.account_id, owner.user_id, {
          username,
          password_hash: passwordHash,
          now: now(),
        })
        .catch((error: unknown) => {
          throw nameConflict(error) ?? error;
        });
      if (!user) throw invalidLink();
      const { token } = await rememberDevice(transaction, user, client, now());
      await activity.record(transaction, { userId: user.id, kind: 'registered', client });
      return { tokens: await sessions.open(transaction, user, client), deviceToken: token };
    });
  }

  /**
   * Signs in with username or email address. Throws 401 for a wrong name or password, in the same
   * time for both. Throws 429 beyond the limits of {@link countLogin}, which also count unknown
   * names. A sign-in from a new device is mailed to the user. A user with a second factor also
   * needs a code or a passkey: see {@link FactorChecks.run}. These have further limits, also at an
   * address that the user signed in from.
   * An unconfirmed address cannot be used for signing in if addresses can be confirmed. Otherwise,
   * a person who registers with an address could learn by signing in whether it was taken.
   */
  async signIn(request: LoginRequest, client: Client): Promise<OpenedSession> {
    const { activity, db, requiresConfirmedEmail } = this.#options;
    const device = traitsOf(client);
    const user = await store.findUserByLogin(db, request.username, { device, requiresConfirmedEmail });
    const userId = user?.id ?? store.NO_USER;
    const attempt = await this.#countLogin(client, {
      userId,
      subject: user ? { userId } : { unknownName: request.username },
      isTrusted: user?.isTrusted ?? false,
    });
    const matches = await passwordMatches(user?.password_hash ?? null, request.password);
    if (!user || !matches || user.state !== 'active') {
      await activity.record(db, { userId, kind: 'sign_in_failed', client });
      throw wrongLogin();
    }
    const factor = { code: request.code, passkey: request.passkey };
    return this.#open(user, factor, { use: { kind: 'password' }, attempt, client });
  }

  /**
   * Signs in with a passkey alone, which verified its user. Throws 401 for a passkey that is
   * unknown or not valid, or that needs the password since that was changed. Throws 429 after too
   * many attempts. An unknown passkey counts like an unknown name.
   */
  async signInWithPasskey(passkey: PasskeyAssertion, client: Client): Promise<OpenedSession> {
    const { db, factorChecks } = this.#options;
    const user = await factorChecks.ownerOf(passkey);
    const attempt = await this.#countLogin(client, {
      userId: user?.id ?? store.NO_USER,
      subject: { unknownName: passkey.id },
      isTrusted:
        user !== undefined &&
        (await hasDeviceCookie(db, { account_id: user.account_id, user_id: user.id }, client)),
    });
    if (user?.state !== 'active') throw unauthorized(WRONG_PASSKEY, 'wrong_passkey');
    return this.#open(user, { passkey }, { use: { kind: 'passkey_alone' }, attempt, client });
  }

  async #countLogin(
    client: Client,
    { userId, subject, isTrusted }: { userId: string; subject: LoginSubject; isTrusted: boolean },
  ): Promise<LoginAttempt> {
    const { activity, db, now } = this.#options;
    // Only a known device's own failures limit it, so that others cannot lock it out.
    const origin = { caller: client.caller, isTrusted };
    return countLogin(db, subject, origin, now()).catch(async (error: unknown) => {
      if (error instanceof AppError) {
        await activity.recordOncePerHour(db, { userId, kind: 'sign_in_refused', client });
      }
      throw error;
    });
  }

  async #open(
    user: store.User,
    factor: Factor,
    { use, attempt, client }: { use: FactorUse; attempt: LoginAttempt; client: Client },
  ): Promise<OpenedSession> {
    const { activity, db, factorChecks, now, securityMails, sessions } = this.#options;
    const userId = user.id;
    return factorChecks
      .run(user, factor, { use, client }, async (transaction, expectFactor) => {
        // A password reset in between has ended all sessions. The old password must not open a new
        // one.
        if (!(await store.noteSignIn(transaction, user, attempt, now()))) throw wrongLogin();
        await expectFactor();
        const { token, wasKnown } = await rememberDevice(transaction, user, client, now());
        const isNew = !wasKnown && user.last_sign_in_at !== null;
        const detail = use.kind === 'passkey_alone' ? { detail: 'With a passkey' } : {};
        const kind = isNew ? 'new_device' : 'signed_in';
        await activity.record(transaction, { userId, kind, client, ...detail });
        if (isNew) await securityMails.send(transaction, user, { kind: 'new_device' }, client);
        return { tokens: await sessions.open(transaction, user, client), deviceToken: token };
      })
      .catch(async (error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        const isRefused = error.category === 'rate_limited';
        // The password was right and nothing was guessed. So the attempt is no failure, and does
        // not prolong the wait for the password.
        if (isRefused || error.code === 'second_factor_required' || error.code === 'passkey_required') {
          await clearFailedLogins(db, { ...attempt, subjects: [] });
        }
        if (isRefused) await activity.recordOncePerHour(db, { userId, kind: 'sign_in_refused', client });
        throw error;
      });
  }

  /**
   * Confirms the email address to which this token was mailed. On a known device of the account,
   * this also proves that the reader of the email owns the account. On any other device, the
   * account may belong to another person who knows its password. Throws 400 for an invalid token.
   */
  async verifyEmail(token: string, client: Client): Promise<void> {
    const { activity, db, links, now } = this.#options;
    await db.transaction().execute(async (transaction) => {
      const owner = await links.redeem(transaction, 'verify_email', token);
      if (!owner) throw badRequest(INVALID_VERIFICATION_TOKEN, 'invalid_verification_token');
      const ownerConfirmed = await hasDeviceCookie(transaction, owner, client);
      const user = { account_id: owner.account_id, id: owner.user_id };
      await store.markEmailVerified(transaction, user, { now: now(), ownerConfirmed });
      await activity.record(transaction, { userId: owner.user_id, kind: 'email_verified', client });
    });
  }

  /**
   * Throws `forbidden` if a confirmed email address is required and no owner of the workspace has
   * one.
   */
  async expectConfirmedEmail(accountId: string): Promise<void> {
    const { db, requiresConfirmedEmail } = this.#options;
    if (!requiresConfirmedEmail) return;
    const owners = await store.listOwners(db, accountId);
    if (owners.some(({ email_verified_at }) => email_verified_at !== null)) return;
    throw forbidden(EMAIL_UNCONFIRMED, 'email_unconfirmed');
  }

  /**
   * Mails another confirmation link. Returns false if the address is already confirmed. Throws 429
   * after five emails to the address within an hour, even if other users requested them.
   */
  async resendVerification(accountId: string, userId: string): Promise<boolean> {
    const { db, links, now } = this.#options;
    return db.transaction().execute(async (transaction) => {
      const user = await store.findUser(transaction, accountId, userId);
      if (!user) throw notFound();
      if (user.email_verified_at !== null) return false;
      const counter = emailCounter('verify_email', user.email);
      const { waitSeconds } = await countAttempt(transaction, [counter], now());
      if (waitSeconds > 0) throw rateLimited(waitSeconds);
      const holder = user.email_taken ? await store.findUserByEmail(transaction, user.email) : undefined;
      if (holder !== undefined) {
        await links.mailAddressTaken(transaction, holder.email);
        return true;
      }
      // The address was taken at registration. Its owner has since deleted that account.
      if (user.email_taken) await store.claimEmail(transaction, user);
      await links.mail(transaction, user, 'verify_email');
      return true;
    });
  }

  /** Returns a user of this account. Throws 404 if the user does not exist. */
  async user(accountId: string, userId: string): Promise<store.User> {
    const user = await store.findUser(this.#options.db, accountId, userId);
    if (!user) throw notFound();
    return user;
  }

  /**
   * Returns the email address of a workspace's longest-standing owner. Throws 404 if the workspace
   * does not exist.
   */
  async emailOf(accountId: string): Promise<string> {
    const [owner] = await store.listOwners(this.#options.db, accountId);
    if (!owner) throw notFound();
    return owner.email;
  }

  /** Changes the full name of a user; an empty name removes it. */
  async rename(accountId: string, userId: string, fullName: string | null): Promise<store.User> {
    const user = await store.updateFullName(this.#options.db, accountId, userId, fullName || null);
    if (!user) throw notFound();
    return user;
  }
}

function wrongLogin(): AppError {
  return unauthorized('Invalid username or password');
}

import {
  INVALID_ONBOARDING_LINK,
  INVALID_RESET_TOKEN,
  INVALID_VERIFICATION_TOKEN,
  type LoginRequest,
  type OnboardingRequest,
  type PasswordChange,
  type ResetPasswordRequest,
  type TokenPair,
} from '@winnow/contract/account';
import { badRequest, notFound, rateLimited, unauthorized } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { deleteAllKeys, lockKeys } from './api-keys/store.ts';
import { type AttemptLimit, attemptSubject, countAttempt, forgetAttempts } from './attempts.ts';
import { isLeaving } from './leaving/store.ts';
import type { MailedLinks } from './links.ts';
import { countLogin, loginOfNobody, loginOfUser } from './login-limit.ts';
import { hashPassword, passwordMatches } from './passwords.ts';
import type { Sessions } from './sessions.ts';
import * as store from './store.ts';
import { takenName } from './taken-name.ts';

/** Mails of one kind that somebody can have sent to one address. */
const MAILS: AttemptLimit = { allowed: 5, windowMs: 60 * 60 * 1000 };

export interface AccountsOptions {
  db: Db;
  sessions: Sessions;
  links: MailedLinks;
  now: () => Date;
  /** Has {@link Accounts.mailPasswordReset} called soon. */
  requestPasswordReset: (email: string) => Promise<void>;
  /** Ends what acts by itself, last in the transaction in which an account turns out to be somebody's who may not have set it up. */
  onClaimed: (transaction: Db, accountId: string) => Promise<void>;
  /** Has payments looked at again that were made with an address, once whoever reads its mail has chosen the password. */
  requestPayments: (transaction: Db, email: string) => Promise<void>;
}

/** Whose e-mail address this is, in any letter case; null when it is nobody's. */
export async function findByAddress(db: Db, address: string) {
  const user = await store.findUserByEmail(db, address);
  if (!user) return null;
  const { account_id: accountId, username, email, state, email_verified_at } = user;
  return {
    accountId,
    username,
    email,
    isPending: state === 'pending',
    isVerified: email_verified_at !== null,
  };
}

/** What an account is called: after whose it is. 404 when there is no such account. */
export async function nameOfAccount(db: Db, accountId: string): Promise<string> {
  const user = await store.findOwner(db, accountId);
  if (!user) throw notFound();
  return user.full_name || user.username;
}

/** Users, and how they prove who they are. */
export class Accounts {
  readonly #db: Db;
  readonly #sessions: Sessions;
  readonly #links: MailedLinks;
  readonly #now: () => Date;
  readonly #requestPasswordReset: AccountsOptions['requestPasswordReset'];
  readonly #onClaimed: AccountsOptions['onClaimed'];
  readonly #requestPayments: AccountsOptions['requestPayments'];

  constructor(options: AccountsOptions) {
    this.#db = options.db;
    this.#sessions = options.sessions;
    this.#links = options.links;
    this.#now = options.now;
    this.#requestPasswordReset = options.requestPasswordReset;
    this.#onClaimed = options.onClaimed;
    this.#requestPayments = options.requestPayments;
  }

  /** Sets name and password of an invited user and signs in. 400 for any link that is not that user's open one. */
  async completeOnboarding(request: OnboardingRequest): Promise<TokenPair> {
    const passwordHash = await hashPassword(request.password);
    const invalidLink = () => badRequest(INVALID_ONBOARDING_LINK, 'invalid_onboarding_link');
    return this.#db.transaction().execute(async (transaction) => {
      const owner = await this.#links.redeem(transaction, 'onboarding', request.token);
      if (!owner) throw invalidLink();
      const invited = await store.findUser(transaction, owner.account_id, owner.user_id);
      if (invited?.email.toLowerCase() !== request.email.toLowerCase()) throw invalidLink();
      const user = await store
        .activateUser(transaction, owner.account_id, owner.user_id, {
          username: request.username,
          password_hash: passwordHash,
          now: this.#now(),
        })
        .catch((error: unknown) => {
          throw takenName(error) ?? error;
        });
      if (!user) throw invalidLink();
      return this.#sessions.open(transaction, user);
    });
  }

  /**
   * Signs in with username or e-mail address. 401 for a wrong name or password (in the same time for both), 429 after
   * ten failures in 15 minutes for one user, however named, from one address; a name that nobody has counts likewise.
   */
  async signIn(request: LoginRequest, remoteAddress: string): Promise<TokenPair> {
    // Looked up before the attempt is counted, so that a name which nobody has takes as long.
    const user = await store.findUserByLogin(this.#db, request.username);
    const attempt = user
      ? loginOfUser(user.id, remoteAddress)
      : loginOfNobody(request.username, remoteAddress);
    await countLogin(this.#db, attempt, this.#now());
    const matches = await passwordMatches(user?.password_hash ?? null, request.password);
    const wrong = () => unauthorized('Invalid username or password');
    if (!user || !matches || user.state !== 'active') throw wrong();
    return this.#db.transaction().execute(async (transaction) => {
      // A reset meanwhile has ended every session, and must not be followed by one for the former password.
      if (!(await store.holdPassword(transaction, user))) throw wrong();
      await forgetAttempts(transaction, attempt);
      return this.#sessions.open(transaction, user);
    });
  }

  /** Mails a link that sets a new password to whoever has this address: the same call, whether or not anybody has. */
  async forgotPassword(email: string): Promise<void> {
    await this.#requestPasswordReset(email);
  }

  /**
   * Does what {@link forgotPassword} promised; whoever never had a password gets the link of their invitation again. Does
   * nothing for an address without a user, for one who is leaving, or asked for too often.
   */
  async mailPasswordReset(email: string): Promise<void> {
    const user = await store.findUserByEmail(this.#db, email);
    if (!user || (await isLeaving(this.#db, user.account_id))) return;
    const purpose = user.state === 'pending' ? 'onboarding' : 'reset_password';
    await this.#db.transaction().execute(async (transaction) => {
      if ((await this.#countMail(transaction, user, purpose)) > 0) return;
      await this.#links.mail(transaction, user, purpose);
    });
  }

  /**
   * Sets the password of whoever was mailed this token, and ends all their sessions. Where nobody had shown to read that
   * mail before, somebody else may have set the account up: its keys end too, and what acts by itself is turned off. 400
   * for any other token.
   */
  async resetPassword(request: ResetPasswordRequest, remoteAddress: string): Promise<void> {
    const passwordHash = await hashPassword(request.new_password);
    await this.#db.transaction().execute(async (transaction) => {
      const owner = await this.#links.redeem(transaction, 'reset_password', request.token);
      if (!owner) throw badRequest(INVALID_RESET_TOKEN, 'invalid_reset_token');
      const { account_id: accountId, user_id: userId } = owner;
      const user = await store.updatePassword(transaction, accountId, userId, passwordHash);
      await forgetAttempts(transaction, loginOfUser(userId, remoteAddress));
      const isClaimed = user?.email_verified_at === null;
      if (isClaimed) await this.#claim(transaction, user);
      if (user) await this.#requestPayments(transaction, user.email);
      await this.#sessions.signOutEverywhere(transaction, accountId, userId);
      if (isClaimed) await this.#onClaimed(transaction, accountId);
    });
  }

  /**
   * Gives a signed-in user another password and ends their other sessions. 400 when the current one is wrong, which
   * counts like a failure to sign in.
   */
  async changePassword(
    { accountId, userId, sessionId }: { accountId: string; userId: string; sessionId: string },
    request: PasswordChange,
    remoteAddress: string,
  ): Promise<void> {
    const user = await this.user(accountId, userId);
    const attempt = loginOfUser(userId, remoteAddress);
    await countLogin(this.#db, attempt, this.#now());
    const wrong = () => badRequest('Current password is incorrect.', 'wrong_password');
    if (!(await passwordMatches(user.password_hash, request.current_password))) throw wrong();
    const passwordHash = await hashPassword(request.new_password);
    await this.#db.transaction().execute(async (transaction) => {
      // Whoever has a link from before must not undo this with it.
      await store.deleteOneTimeToken(transaction, accountId, userId, 'reset_password');
      if (!(await store.holdPassword(transaction, user))) throw wrong();
      await store.updatePassword(transaction, accountId, userId, passwordHash);
      await forgetAttempts(transaction, attempt);
      await this.#sessions.signOutEverywhere(transaction, accountId, userId, sessionId);
    });
  }

  /** Notes that whoever was mailed this token reads that address. 400 for any other token. */
  async verifyEmail(token: string): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      const owner = await this.#links.redeem(transaction, 'verify_email', token);
      if (!owner) throw badRequest(INVALID_VERIFICATION_TOKEN, 'invalid_verification_token');
      await store.markEmailVerified(transaction, owner.account_id, owner.user_id, this.#now());
    });
  }

  /** Mails another link that verifies the user's address; false when it is verified already. 429 when asked too often. */
  async resendVerification(accountId: string, userId: string): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const user = await store.findUser(transaction, accountId, userId);
      if (!user) throw notFound();
      if (user.email_verified_at !== null) return false;
      const waitSeconds = await this.#countMail(transaction, user, 'verify_email');
      if (waitSeconds > 0) throw rateLimited(waitSeconds);
      await this.#links.mail(transaction, user, 'verify_email');
      return true;
    });
  }

  /** The user of this account; 404 when there is none. */
  async user(accountId: string, userId: string): Promise<store.User> {
    const user = await store.findUser(this.#db, accountId, userId);
    if (!user) throw notFound();
    return user;
  }

  /** The e-mail address of whoever an account belongs to; 404 when there is no such account. */
  async emailOf(accountId: string): Promise<string> {
    const user = await store.findOwner(this.#db, accountId);
    if (!user) throw notFound();
    return user.email;
  }

  /** Gives a user another full name; an empty one is none. */
  async rename(accountId: string, userId: string, fullName: string | null): Promise<store.User> {
    const user = await store.updateFullName(this.#db, accountId, userId, fullName || null);
    if (!user) throw notFound();
    return user;
  }

  /** Takes an account out of the hands of whoever made it without reading the mail of its address. */
  async #claim(transaction: Db, { account_id: accountId, id }: store.User): Promise<void> {
    await store.markEmailVerified(transaction, accountId, id, this.#now());
    await lockKeys(transaction, accountId);
    await deleteAllKeys(transaction, accountId);
  }

  #countMail(transaction: Db, user: store.User, purpose: store.LinkPurpose): Promise<number> {
    return countAttempt(transaction, attemptSubject('mail', purpose, user.id), MAILS, this.#now());
  }
}

import {
  type EndedAccess,
  INVALID_RESET_TOKEN,
  type PasswordChange,
  type ResetPasswordRequest,
} from '@winnow/contract/account';
import { badRequest, notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import type { AccountActivity } from './activity.ts';
import { deleteAllKeys, lockKeys } from './api-keys/store.ts';
import { attemptSubject, countAttempt, forgetAttempts } from './attempts.ts';
import type { Client } from './client.ts';
import { forgetOtherDevices, rememberDevice } from './devices.ts';
import { isLeaving } from './leaving/store.ts';
import type { MailedLinks } from './links.ts';
import { countLogin, forgiveLogin, loginAtAddress, MAILS_OF_ONE_KIND } from './login-limit.ts';
import { expectStrong, type RateStrength } from './password-policy.ts';
import { hashPassword, passwordMatches } from './passwords.ts';
import type { SecurityMails } from './security-mails.ts';
import type { Sessions } from './sessions.ts';
import * as store from './store.ts';

/** Ends what acts for an account by itself, and returns what that was. Runs last in its transaction. */
export type EndAutomation = (
  transaction: Db,
  accountId: string,
  /** `all` where someone else may have set the account up; else what writes. */
  which: 'all' | 'writing',
) => Promise<Pick<EndedAccess, 'flows' | 'default_model'>>;

export interface PasswordChangesOptions {
  db: Db;
  sessions: Sessions;
  links: MailedLinks;
  activity: AccountActivity;
  securityMails: SecurityMails;
  rateStrength: RateStrength;
  now: () => Date;
  /** Has {@link PasswordChanges.mailPasswordReset} called soon. */
  requestPasswordReset: (email: string) => Promise<void>;
  endAutomation: EndAutomation;
  /** Has payments checked again that were made with an address, once its reader has chosen the password. */
  requestPayments: (transaction: Db, email: string) => Promise<void>;
}

const NO_AUTOMATION = { flows: [], default_model: false };

/** New passwords, and what ends with the old ones. */
export class PasswordChanges {
  readonly #options: PasswordChangesOptions;

  constructor(options: PasswordChangesOptions) {
    this.#options = options;
  }

  /** Requests a mail with a link that sets a new password. Does the same for an address that no user has. */
  async forgotPassword(email: string): Promise<void> {
    await this.#options.requestPasswordReset(email);
  }

  /**
   * Does what {@link forgotPassword} promised. A user who never had a password gets the link of the invitation again. Does
   * nothing for an address without a user, for one who is leaving, and beyond five mails an hour.
   */
  async mailPasswordReset(email: string): Promise<void> {
    const { activity, db, links, now } = this.#options;
    const user = await store.findUserByEmail(db, email);
    if (!user || (await isLeaving(db, user.account_id))) return;
    const purpose = user.state === 'pending' ? 'onboarding' : 'reset_password';
    await db.transaction().execute(async (transaction) => {
      const counter = { subject: attemptSubject('mail', purpose, user.id), limit: MAILS_OF_ONE_KIND };
      if ((await countAttempt(transaction, [counter], now())).waitSeconds > 0) return;
      await links.mail(transaction, user, purpose);
      await activity.record(transaction, { userId: user.id, kind: 'reset_requested', client: null });
    });
  }

  /**
   * Sets the password of the user who was mailed this token. In the same transaction all sessions and API keys end, other
   * devices are forgotten, and flows that write are switched off. Where the account is first shown to belong to the reader of its mail, someone else may have
   * set it up: all flows are switched off, and the default model is reset. Returns what was ended, and the token for the
   * device cookie of this browser. 400 for any other token, 422 for a weak password.
   */
  async resetPassword(
    request: ResetPasswordRequest,
    client: Client,
  ): Promise<{ ended: EndedAccess; deviceToken: string }> {
    const { activity, db, endAutomation, links, now, requestPayments, securityMails, sessions } =
      this.#options;
    const invalidToken = () => badRequest(INVALID_RESET_TOKEN, 'invalid_reset_token');
    const found = await links.find(db, 'reset_password', request.token);
    if (!found) throw invalidToken();
    await this.#expectStrong(found.account_id, found.user_id, request.new_password);
    const passwordHash = await hashPassword(request.new_password);
    return db.transaction().execute(async (transaction) => {
      const owner = await links.redeem(transaction, 'reset_password', request.token);
      if (!owner) throw invalidToken();
      const { account_id: accountId, user_id: userId } = owner;
      const user = await store.updatePassword(transaction, accountId, userId, passwordHash);
      if (!user) throw invalidToken();
      const isClaimed = user.owner_confirmed_at === null;
      await store.markEmailVerified(transaction, user, { now: now(), ownerConfirmed: true });
      await forgetAttempts(transaction, { subject: loginAtAddress(userId, client.caller) });
      const { token } = await rememberDevice(transaction, user, client, now());
      await forgetOtherDevices(transaction, user, token);
      await lockKeys(transaction, accountId);
      const keys = await deleteAllKeys(transaction, accountId);
      await requestPayments(transaction, user.email);
      await activity.record(transaction, { userId, kind: 'password_reset', client });
      const signedOut = await sessions.signOutEverywhere(transaction, accountId, userId);
      const automation = await endAutomation(transaction, accountId, isClaimed ? 'all' : 'writing');
      const ended = { sessions: signedOut, api_keys: keys, ...automation };
      await securityMails.send(transaction, user, { kind: 'password_reset', ended }, client);
      return { ended, deviceToken: token };
    });
  }

  /**
   * Gives a signed-in user another password, ends their other sessions, forgets their other devices and, if they chose so,
   * ends API keys and flows that write. 400 if the current password is wrong, which counts like a failed sign-in, 422 for a
   * weak new one.
   */
  async changePassword(
    { accountId, userId, sessionId }: { accountId: string; userId: string; sessionId: string },
    { current_password, new_password, revoke_api_keys = false, switch_off_flows = false }: PasswordChange,
    client: Client,
  ): Promise<void> {
    const { activity, db, endAutomation, now, securityMails, sessions } = this.#options;
    const user = await this.#expectStrong(accountId, userId, new_password);
    const where = { caller: client.caller, isTrusted: true };
    const attempt = await countLogin(db, { userId }, where, now());
    const wrong = () => badRequest('Current password is incorrect.', 'wrong_password');
    if (!(await passwordMatches(user.password_hash, current_password))) {
      await activity.record(db, { userId, kind: 'password_check_failed', client });
      throw wrong();
    }
    const passwordHash = await hashPassword(new_password);
    await db.transaction().execute(async (transaction) => {
      // A link that was mailed before must not undo this change.
      await store.deleteOneTimeToken(transaction, accountId, userId, 'reset_password');
      if (!(await store.holdPassword(transaction, user))) throw wrong();
      await store.updatePassword(transaction, accountId, userId, passwordHash);
      await forgiveLogin(transaction, attempt);
      await forgetOtherDevices(transaction, user, client.deviceToken);
      await lockKeys(transaction, accountId);
      const keys = revoke_api_keys ? await deleteAllKeys(transaction, accountId) : [];
      await activity.record(transaction, { userId, kind: 'password_changed', client });
      const signedOut = await sessions.signOutEverywhere(transaction, accountId, userId, sessionId);
      const automation = switch_off_flows
        ? await endAutomation(transaction, accountId, 'writing')
        : NO_AUTOMATION;
      const ended = { sessions: signedOut, api_keys: keys, ...automation };
      await securityMails.send(transaction, user, { kind: 'password_changed', ended }, client);
    });
  }

  /** Throws 422 for a password that is easy to guess for this user, and returns the user. */
  async #expectStrong(accountId: string, userId: string, password: string): Promise<store.User> {
    const user = await store.findUser(this.#options.db, accountId, userId);
    if (!user) throw notFound();
    const identity = [user.username, user.email, user.full_name];
    await expectStrong(this.#options.rateStrength, { password, identity, path: 'new_password' });
    return user;
  }
}

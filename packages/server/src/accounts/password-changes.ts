import {
  type EndedAccess,
  INVALID_RESET_TOKEN,
  type PasswordChange,
  type ResetPasswordRequest,
} from '@winnow/contract/account';
import { badRequest, notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import type { AccountActivity } from './activity.ts';
import { deleteKeysOf, lockKeys } from './api-keys/store.ts';
import { countAttempt, deleteAttempts } from './attempt-store.ts';
import type { Client } from './client.ts';
import { isBeingDeleted } from './deletion/store.ts';
import { forgetOtherDevices, rememberDevice } from './devices.ts';
import { clearFailedLogins, emailCounter, loginAtAddressSubject } from './login-limit.ts';
import type { MailedLinks } from './mailed-links.ts';
import { requirePasswordOnce } from './passkeys/store.ts';
import { checkPassword, wrongPassword } from './password-check.ts';
import { expectStrong, type RateStrength } from './password-policy.ts';
import { hashPassword } from './passwords.ts';
import type { FactorChecks } from './second-factors/factor-checks.ts';
import { deleteFactors } from './second-factors/store.ts';
import type { SecurityMails } from './security-emails.ts';
import type { Sessions } from './sessions.ts';
import * as store from './store.ts';

/** Selects the automation to stop. */
interface EndedAutomation {
  /**
   * `all` if another person may have set up the account. `outgoing` for flows that write, or that
   * use custom models or MCP servers.
   */
  flows: 'all' | 'outgoing';
  /**
   * Default models to replace by the built-in analyst: any; only those with an address that a user
   * entered; or none.
   */
  defaultModel: 'any' | 'custom' | 'none';
}

/**
 * Stops automation that acts for a user in any workspace, and returns what was stopped. The default
 * model is that of the user's own workspace. Runs last in its transaction.
 */
type EndAutomation = (
  transaction: Db,
  user: Pick<store.User, 'account_id' | 'id'>,
  which: EndedAutomation,
) => Promise<Pick<EndedAccess, 'flows' | 'default_model'>>;

export interface PasswordChangesOptions {
  db: Db;
  sessions: Sessions;
  links: MailedLinks;
  activity: AccountActivity;
  securityMails: SecurityMails;
  factorChecks: FactorChecks;
  rateStrength: RateStrength;
  now: () => Date;
  /** Queues a call of {@link PasswordChanges.mailPasswordReset}. */
  requestPasswordReset: (email: string) => Promise<void>;
  endAutomation: EndAutomation;
  /**
   * Schedules a check for payments made with this address. Called after a reset, which proves that
   * the user reads the address's mail.
   */
  requestPayments: (transaction: Db, email: string) => Promise<void>;
}

const NO_AUTOMATION = { flows: [], default_model: false };

/** Changes and resets passwords, and ends the access that was gained with the previous one. */
export class PasswordChanges {
  readonly #options: PasswordChangesOptions;

  constructor(options: PasswordChangesOptions) {
    this.#options = options;
  }

  /** Requests an email with a reset link. Does the same work for an address that no user has. */
  async forgotPassword(email: string): Promise<void> {
    await this.#options.requestPasswordReset(email);
  }

  /**
   * Sends the email that {@link forgotPassword} requested. Invited users without a password get
   * their invitation link again. Does nothing for unknown addresses, for accounts being deleted, or
   * after five emails within an hour.
   */
  async mailPasswordReset(email: string): Promise<void> {
    const { activity, db, links, now } = this.#options;
    const user = await store.findUserByEmail(db, email);
    if (!user || (await isBeingDeleted(db, user.account_id))) return;
    const purpose = user.state === 'pending' ? 'onboarding' : 'reset_password';
    await db.transaction().execute(async (transaction) => {
      const counter = emailCounter(purpose, user.email);
      if ((await countAttempt(transaction, [counter], now())).waitSeconds > 0) return;
      await links.mail(transaction, user, purpose);
      await activity.record(transaction, {
        ...{ userId: user.id, kind: 'reset_requested', client: null },
        isHidden: user.email_verified_at === null,
      });
    });
  }

  /**
   * Sets the password of the user who was mailed this token. In the same transaction, ends all
   * sessions, deletes all API keys and forgets other devices. A thief who knew the password may
   * have entered the addresses of custom models and MCP servers. So flows that write, or that use
   * these, are switched off, and a custom default model is replaced by the built-in analyst.
   * If the user has never proved to own the account before, another person may have set it up. Then
   * all flows are switched off, any default model is replaced, and all second factors are removed.
   * Passkeys that stay need the new password once, because a thief may have added one.
   * Returns the ended access, and the device token for this browser. Throws 400 for an invalid
   * token, 422 for a weak password.
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
      await deleteAttempts(transaction, { subjects: [loginAtAddressSubject(userId, client.caller)] });
      const { token } = await rememberDevice(transaction, user, client, now());
      await forgetOtherDevices(transaction, user, token);
      await lockKeys(transaction, accountId);
      const keys = await deleteKeysOf(transaction, userId);
      await requestPayments(transaction, user.email);
      await activity.record(transaction, { userId, kind: 'password_reset', client });
      // Another person may have added second factors, before the owner could prove to be one.
      if (isClaimed && (await deleteFactors(transaction, user))) {
        await activity.record(transaction, { userId, kind: 'second_factors_removed', client });
      }
      await requirePasswordOnce(transaction, user);
      const signedOut = await sessions.signOutEverywhere(transaction, accountId, userId);
      const automation = await endAutomation(transaction, user, {
        flows: isClaimed ? 'all' : 'outgoing',
        defaultModel: isClaimed ? 'any' : 'custom',
      });
      const ended = { sessions: signedOut, api_keys: keys, ...automation };
      await securityMails.send(transaction, user, { kind: 'password_reset', ended }, client);
      return { ended, deviceToken: token };
    });
  }

  /**
   * Changes the password of a signed-in user, ends their other sessions and forgets their other
   * devices. On request, also deletes all API keys, and switches off flows that write or use custom
   * models or MCP servers. A user with a second factor must prove it too. Afterwards, each passkey
   * needs the new password once.
   * Throws 400 if the current password is wrong, which also counts as a failed sign-in at this IP
   * address. Throws 422 for a weak new password. Throws 429 beyond the limits of {@link
   * checkPassword}.
   */
  async changePassword(
    { accountId, userId, sessionId }: { accountId: string; userId: string; sessionId: string },
    request: PasswordChange,
    client: Client,
  ): Promise<void> {
    const { activity, endAutomation, factorChecks, securityMails, sessions } = this.#options;
    const { current_password, new_password, revoke_api_keys = false, switch_off_flows = false } = request;
    const factor = { code: request.code, passkey: request.passkey };
    const user = await this.#expectStrong(accountId, userId, new_password);
    await factorChecks.expectGiven(user, factor);
    const attempt = await checkPassword(this.#options, user, current_password, client);
    const passwordHash = await hashPassword(new_password);
    const how = { use: { kind: 'change', sessionId }, client } as const;
    await factorChecks.run(user, factor, how, async (transaction, expectFactor) => {
      // A reset link that was mailed before must not change the password again.
      await store.deleteOneTimeToken(transaction, accountId, userId, 'reset_password');
      if (!(await store.lockUnchangedPassword(transaction, user))) throw wrongPassword();
      await expectFactor();
      await requirePasswordOnce(transaction, user);
      await store.updatePassword(transaction, accountId, userId, passwordHash);
      await clearFailedLogins(transaction, attempt);
      await forgetOtherDevices(transaction, user, client.deviceToken);
      await lockKeys(transaction, accountId);
      const keys = revoke_api_keys ? await deleteKeysOf(transaction, userId) : [];
      await activity.record(transaction, { userId, kind: 'password_changed', client });
      const signedOut = await sessions.signOutEverywhere(transaction, accountId, userId, sessionId);
      const automation = switch_off_flows
        ? await endAutomation(transaction, user, { flows: 'outgoing', defaultModel: 'none' })
        : NO_AUTOMATION;
      const ended = { sessions: signedOut, api_keys: keys, ...automation };
      await securityMails.send(transaction, user, { kind: 'password_changed', ended }, client);
    });
  }

  /** Throws `invalid` for a password that is easy to guess for this user. Returns the user. */
  async #expectStrong(accountId: string, userId: string, password: string): Promise<store.User> {
    const user = await store.findUser(this.#options.db, accountId, userId);
    if (!user) throw notFound();
    const identity = [user.username, user.email, user.full_name];
    await expectStrong(this.#options.rateStrength, { password, identity, path: 'new_password' });
    return user;
  }
}

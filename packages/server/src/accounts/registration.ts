import { randomUUID } from 'node:crypto';
import type { RegisterRequest } from '@winnow/contract/account';
import type { Db } from '../schema/tables.ts';
import { violates } from '../schema/violations.ts';
import type { AccountActivity } from './activity.ts';
import { countAttempt } from './attempt-store.ts';
import type { Client } from './client.ts';
import { rememberDevice } from './devices.ts';
import { emailCounter } from './login-limit.ts';
import type { MailedLinks } from './mailed-links.ts';
import { nameConflict } from './name-conflicts.ts';
import { expectStrong, type RateStrength } from './password-policy.ts';
import { hashPassword } from './passwords.ts';
import * as store from './store.ts';

export interface RegistrationOptions {
  db: Db;
  links: MailedLinks;
  activity: AccountActivity;
  now: () => Date;
  rateStrength: RateStrength;
}

/** Registers visitors. */
export class Registration {
  readonly #options: RegistrationOptions;

  constructor(options: RegistrationOptions) {
    this.#options = options;
  }

  /**
   * Creates an account with one user, and mails them a link that confirms their address. Throws 409
   * for a taken username, 422 for a weak password.
   * A taken email address is no error, because the caller must not learn who has an account. The
   * user is created the same way and can sign in by username. The owner of the address is notified.
   * The new user cannot confirm the address while the owner's account exists.
   */
  async register(
    request: RegisterRequest,
    client: Client,
  ): Promise<{ user: store.User; deviceToken: string }> {
    const { username, email, password } = request;
    const { rateStrength } = this.#options;
    await expectStrong(rateStrength, { password, identity: [username, email], path: 'password' });
    const values = { username, email, password_hash: await hashPassword(password), state: 'active' } as const;
    return this.#create(values, client).catch((error: unknown) => {
      // If two registrations with one address run at the same time, the second fails. When it is
      // repeated here, it finds that the address is taken.
      if (violates(error, 'app_user_email')) return this.#create(values, client);
      throw nameConflict(error) ?? error;
    });
  }

  #create(
    values: Pick<store.User, 'username' | 'email' | 'password_hash' | 'state'>,
    client: Client,
  ): Promise<{ user: store.User; deviceToken: string }> {
    const { activity, db, now } = this.#options;
    return db.transaction().execute(async (transaction) => {
      const holder = await store.findUserByEmail(transaction, values.email);
      const ids = { account_id: randomUUID(), id: randomUUID() };
      const email_taken = holder !== undefined;
      const user = await store.insertUser(transaction, { ...ids, ...values, email_taken });
      await this.#mail(transaction, user, holder, client);
      const { token } = await rememberDevice(transaction, user, client, now());
      await activity.record(transaction, { userId: user.id, kind: 'registered', client });
      return { user, deviceToken: token };
    });
  }

  /**
   * Sends the email. Runs as many statements for a taken address as for a free one. Otherwise the
   * response time would reveal which addresses have an account.
   */
  async #mail(
    transaction: Db,
    user: store.User,
    holder: store.User | undefined,
    client: Client,
  ): Promise<void> {
    const { activity, links, now } = this.#options;
    const counter = emailCounter('register', user.email);
    const { waitSeconds } = await countAttempt(transaction, [counter], now());
    if (waitSeconds > 0) return;
    if (holder === undefined) {
      await links.mail(transaction, user, 'verify_email');
    } else if (holder.state === 'pending') {
      await links.mail(transaction, holder, 'onboarding');
    } else {
      await activity.record(transaction, {
        ...{ userId: holder.id, kind: 'registration_repeated', client },
        isHidden: holder.email_verified_at === null,
      });
      await links.mailAddressTaken(transaction, holder.email);
    }
  }
}

import { randomUUID } from 'node:crypto';
import type { RegisterRequest } from '@winnow/contract/account';
import type { Db } from '../schema/tables.ts';
import type { MailedLinks } from './links.ts';
import { hashPassword } from './passwords.ts';
import * as store from './store.ts';
import { takenName } from './taken-name.ts';

/** How accounts come to be: by registering, or by an invitation. */
export class Registration {
  readonly #db: Db;
  readonly #links: MailedLinks;

  constructor(options: { db: Db; links: MailedLinks }) {
    this.#db = options.db;
    this.#links = options.links;
  }

  /**
   * Makes an account with one user, and mails them a link that verifies their address. 409 with the field when the
   * username or e-mail address is taken.
   */
  async register(request: RegisterRequest): Promise<store.User> {
    const { username, email, password } = request;
    const password_hash = await hashPassword(password);
    return this.#db.transaction().execute(async (transaction) => {
      const user = await insertUser(transaction, { username, email, password_hash, state: 'active' });
      await this.#links.mail(transaction, user, 'verify_email');
      return user;
    });
  }

  /**
   * Makes an account that waits for its owner, mails them the link with which they set a password within seven days,
   * and answers it. Inviting again mails another link. 409 when the address has an account that does not wait.
   */
  async invite(email: string): Promise<string> {
    const { link } = await this.#db
      .transaction()
      .execute((transaction) => this.inviteWithin(transaction, email));
    return link;
  }

  /** Invites when and only when the transaction is committed. Answers the account too. */
  async inviteWithin(transaction: Db, email: string): Promise<{ accountId: string; link: string }> {
    const known = await store.findUserByEmail(transaction, email);
    const username = `pending-${randomUUID()}`;
    const user =
      known?.state === 'pending'
        ? known
        : await insertUser(transaction, { username, email, password_hash: null, state: 'pending' });
    return { accountId: user.account_id, link: await this.#links.mail(transaction, user, 'onboarding') };
  }
}

async function insertUser(
  transaction: Db,
  values: Pick<store.User, 'username' | 'email' | 'password_hash' | 'state'>,
): Promise<store.User> {
  const ids = { account_id: randomUUID(), id: randomUUID() };
  return store.insertUser(transaction, { ...ids, ...values }).catch((error: unknown) => {
    throw takenName(error) ?? error;
  });
}

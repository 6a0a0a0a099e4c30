import { randomUUID } from 'node:crypto';
import type { Db } from '../schema/tables.ts';
import type { MailedLinks } from './mailed-links.ts';
import { nameConflict } from './name-conflicts.ts';
import * as store from './store.ts';

/** Creates accounts for invited people, who then set their own passwords. */
export class Invitations {
  readonly #db: Db;
  readonly #links: MailedLinks;

  constructor(options: { db: Db; links: MailedLinks }) {
    this.#db = options.db;
    this.#links = options.links;
  }

  /**
   * Creates a pending account and mails its owner a link for setting a password, valid for seven
   * days. Returns the link. A repeated invitation mails a new link. Throws 409 if the address has
   * an active account.
   */
  async invite(email: string): Promise<string> {
    const { link } = await this.#db
      .transaction()
      .execute((transaction) => this.inviteInTransaction(transaction, email));
    return link;
  }

  /** Like {@link invite}, within a transaction. Returns the account as well. */
  async inviteInTransaction(transaction: Db, email: string): Promise<{ accountId: string; link: string }> {
    const known = await store.findUserByEmail(transaction, email);
    const ids = { account_id: randomUUID(), id: randomUUID() };
    const username = `pending-${randomUUID()}`;
    const waiting = { ...ids, username, email, password_hash: null, state: 'pending' } as const;
    const user =
      known?.state === 'pending'
        ? known
        : await store.insertUser(transaction, waiting).catch((error: unknown) => {
            throw nameConflict(error) ?? error;
          });
    return { accountId: user.account_id, link: await this.#links.mail(transaction, user, 'onboarding') };
  }
}

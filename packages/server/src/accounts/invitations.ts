import { randomUUID } from 'node:crypto';
import type { Db } from '../schema/tables.ts';
import type { MailedLinks } from './links.ts';
import * as store from './store.ts';
import { takenName } from './taken-name.ts';

/** Accounts that wait for their owner. */
export class Invitations {
  readonly #db: Db;
  readonly #links: MailedLinks;

  constructor(options: { db: Db; links: MailedLinks }) {
    this.#db = options.db;
    this.#links = options.links;
  }

  /**
   * Creates an account that waits for its owner, mails them the link with which they set a password within seven days, and
   * returns it. A second invitation mails another link. 409 if the address has an account that does not wait.
   */
  async invite(email: string): Promise<string> {
    const { link } = await this.#db
      .transaction()
      .execute((transaction) => this.inviteWithin(transaction, email));
    return link;
  }

  /** Invites when the transaction commits. Returns the account as well. */
  async inviteWithin(transaction: Db, email: string): Promise<{ accountId: string; link: string }> {
    const known = await store.findUserByEmail(transaction, email);
    const ids = { account_id: randomUUID(), id: randomUUID() };
    const username = `pending-${randomUUID()}`;
    const waiting = { ...ids, username, email, password_hash: null, state: 'pending' } as const;
    const user =
      known?.state === 'pending'
        ? known
        : await store.insertUser(transaction, waiting).catch((error: unknown) => {
            throw takenName(error) ?? error;
          });
    return { accountId: user.account_id, link: await this.#links.mail(transaction, user, 'onboarding') };
  }
}

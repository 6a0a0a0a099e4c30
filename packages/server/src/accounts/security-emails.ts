import { HOUR_MS } from '../platform/clock.ts';
import type { MailQueue } from '../platform/mail/mail-queue.ts';
import type { Db } from '../schema/tables.ts';
import { type AttemptLimit, attemptSubject, countAttempt } from './attempt-store.ts';
import type { Client } from './client.ts';
import { type SecurityNotice, securityEmail } from './security-email-texts.ts';
import type { User } from './store.ts';

/** Limit of emails to the owner of an account. */
const OWNER_EMAIL_LIMIT: AttemptLimit = { allowed: 20, windowMs: HOUR_MS };
/** Limit of emails to an unconfirmed address, which may belong to someone else. */
const UNCONFIRMED_EMAIL_LIMIT: AttemptLimit = { allowed: 5, windowMs: HOUR_MS };

/** Notifies users by email of security changes to their account. */
export class SecurityMails {
  readonly #options: { mails: MailQueue; publicUrl: () => string; now: () => Date };

  constructor(options: { mails: MailQueue; publicUrl: () => string; now: () => Date }) {
    this.#options = options;
  }

  /**
   * Mails a notice when the transaction commits, unless the address belongs to someone else.
   * `client` is null if no request of a browser caused the change.
   */
  async send(
    transaction: Db,
    user: User,
    notice: SecurityNotice,
    client: Pick<Client, 'address' | 'userAgent'> | null,
    at = this.#options.now(),
  ): Promise<void> {
    const { mails, publicUrl, now } = this.#options;
    if (user.email_taken) return;
    const isOwnerConfirmed = user.owner_confirmed_at !== null;
    const limit = isOwnerConfirmed ? OWNER_EMAIL_LIMIT : UNCONFIRMED_EMAIL_LIMIT;
    // Emails are counted by address: deleting an account and registering again must not allow more.
    const subject = attemptSubject('mail', 'security', user.email.toLowerCase());
    if ((await countAttempt(transaction, [{ subject, limit }], now())).waitSeconds > 0) return;
    const letter = securityEmail(notice, { at, client, publicUrl: publicUrl(), isOwnerConfirmed });
    await mails.add({ to: user.email, kind: notice.kind, ...letter }, { db: transaction });
  }
}

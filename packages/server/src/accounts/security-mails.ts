import type { MailQueue } from '../platform/mail/mail-queue.ts';
import type { Db } from '../schema/tables.ts';
import { type AttemptLimit, attemptSubject, countAttempt } from './attempts.ts';
import type { Client } from './client.ts';
import { letterAbout, type SecurityNotice } from './security-letters.ts';
import type { User } from './store.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Mails to the owner of an account. */
const TO_OWNER: AttemptLimit = { allowed: 20, windowMs: HOUR_MS };
/** Mails to an address that whoever registered may have made up. */
const TO_UNCONFIRMED: AttemptLimit = { allowed: 5, windowMs: HOUR_MS };

/** Tells users by email what changed in the security of their account. */
export class SecurityMails {
  readonly #options: { mails: MailQueue; publicUrl: () => string; now: () => Date };

  constructor(options: { mails: MailQueue; publicUrl: () => string; now: () => Date }) {
    this.#options = options;
  }

  /** Mails a notice to the user's address when the transaction commits, unless that address is someone else's. */
  async send(transaction: Db, user: User, notice: SecurityNotice, client: Client): Promise<void> {
    const { mails, publicUrl, now } = this.#options;
    if (user.email_taken) return;
    const isOwnerConfirmed = user.owner_confirmed_at !== null;
    const limit = isOwnerConfirmed ? TO_OWNER : TO_UNCONFIRMED;
    const subject = attemptSubject('mail', 'security', user.id);
    if ((await countAttempt(transaction, [{ subject, limit }], now())).waitSeconds > 0) return;
    const letter = letterAbout(notice, { at: now(), client, publicUrl: publicUrl(), isOwnerConfirmed });
    await mails.add({ to: user.email, kind: notice.kind, ...letter }, { db: transaction });
  }
}

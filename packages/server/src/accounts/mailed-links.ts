import { username as usernameRule } from '@winnow/contract/account';
import { DAY_MS, MINUTE_MS } from '../platform/clock.ts';
import type { MailQueue } from '../platform/mail/mail-queue.ts';
import type { Db } from '../schema/tables.ts';
import { addressTakenEmail, linkEmail } from './link-email-texts.ts';
import * as store from './store.ts';
import { randomToken, tokenHash } from './tokens.ts';

/** Path of each link and lifetime of its token. */
const LINKS: Readonly<Record<store.LinkPurpose, { path: string; validMs: number }>> = {
  onboarding: { path: '/welcome', validMs: 7 * DAY_MS },
  verify_email: { path: '/verify-email', validMs: DAY_MS },
  reset_password: { path: '/reset-password', validMs: 30 * MINUTE_MS },
};

/**
 * Creates links that are mailed to an address, to verify that the user reads its mail. A user has
 * at most one open link per purpose, and each link works once.
 */
export class MailedLinks {
  readonly #mails: MailQueue;
  readonly #publicUrl: () => string;
  readonly #now: () => Date;

  constructor(options: { mails: MailQueue; publicUrl: () => string; now: () => Date }) {
    this.#mails = options.mails;
    this.#publicUrl = options.publicUrl;
    this.#now = options.now;
  }

  /** Replaces the user's open link and mails the new one. Returns the link. */
  async mail(transaction: Db, user: store.User, purpose: store.LinkPurpose): Promise<string> {
    const { path, validMs } = LINKS[purpose];
    const token = randomToken();
    const expiresAt = new Date(this.#now().getTime() + validMs);
    await store.replaceOneTimeToken(transaction, {
      account_id: user.account_id,
      user_id: user.id,
      purpose,
      token_hash: tokenHash(token),
      expires_at: expiresAt,
    });
    const link = new URL(path, this.#publicUrl());
    link.search = new URLSearchParams({
      ...(purpose === 'onboarding' ? { ...proposedUsername(user.email), email: user.email } : {}),
      token,
    }).toString();
    await this.#mails.add(
      { to: user.email, kind: purpose, ...linkEmail(purpose, link.href) },
      { db: transaction, key: `${purpose}:${user.id}`, notAfter: expiresAt },
    );
    return link.href;
  }

  /** Notifies the owner of an address that someone registered with it. */
  async mailAddressTaken(transaction: Db, to: string): Promise<void> {
    const url = new URL('/forgot-password', this.#publicUrl()).href;
    await this.#mails.add({ to, kind: 'email_taken', ...addressTakenEmail(url) }, { db: transaction });
  }

  /** Finds the user of an open link by its token, without marking the link as used. */
  find(db: Db, purpose: store.LinkPurpose, token: string) {
    return store.findOneTimeToken(db, tokenHash(token), purpose, this.#now());
  }

  /**
   * Marks a link as used and returns its user. Returns undefined if the token is unknown, used,
   * replaced, expired or for another purpose.
   */
  redeem(transaction: Db, purpose: store.LinkPurpose, token: string) {
    return store.consumeOneTimeToken(transaction, tokenHash(token), purpose, this.#now());
  }
}

/**
 * Derives a username from the part of an address before `@`. Returns an empty object if too few
 * characters remain. Invited users may choose another one.
 */
function proposedUsername(email: string): { username?: string } {
  const [local = ''] = email.split('@', 1);
  const allowed = [...local].filter((character) => usernameRule.safeParse(character.repeat(3)).success);
  const proposed = usernameRule.safeParse(allowed.slice(0, 50).join(''));
  return proposed.success ? { username: proposed.data } : {};
}

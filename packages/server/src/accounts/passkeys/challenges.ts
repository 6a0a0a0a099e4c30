import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { PASSKEY_TIMEOUT_MS } from '@winnow/contract/passkey';
import type { Db } from '../../schema/tables.ts';
import { attemptSubject, countAttempt } from '../attempt-store.ts';

/** The use of a passkey's signature. */
export type ChallengeUse =
  /** Signs in, alone or after the password. The user is not known yet. */
  | { purpose: 'sign_in' }
  /** Adds a passkey, or confirms a change of a signed-in user. */
  | { purpose: 'add' | 'prove'; userId: string; sessionId: string };

const NONCE_BYTES = 16;
/** A time in milliseconds, which fits 48 bits. */
const TIME_BYTES = 6;
const MAC_BYTES = 32;

/**
 * Challenges that a passkey signs. A challenge contains a random number, its expiry and a MAC over
 * both and its use. Issuing one therefore stores nothing, and anonymous visitors cannot fill the
 * database. A used challenge is stored until it expires.
 */
export class PasskeyChallenges {
  readonly #options: { db: Db; key: Buffer; now: () => Date };

  constructor(options: { db: Db; key: Buffer; now: () => Date }) {
    this.#options = options;
  }

  issue(use: ChallengeUse): string {
    const expiry = Buffer.alloc(TIME_BYTES);
    expiry.writeUIntBE(this.#options.now().getTime() + PASSKEY_TIMEOUT_MS, 0, TIME_BYTES);
    const head = Buffer.concat([randomBytes(NONCE_BYTES), expiry]);
    return Buffer.concat([head, this.#mac(head, use)]).toString('base64url');
  }

  /**
   * Uses up a challenge. Returns false if it was used, has expired or was issued for another use.
   * If two requests send one challenge at the same time, both may fail.
   */
  async redeem(challenge: string, use: ChallengeUse): Promise<boolean> {
    const { db, now } = this.#options;
    const bytes = Buffer.from(challenge, 'base64url');
    if (bytes.length !== NONCE_BYTES + TIME_BYTES + MAC_BYTES) return false;
    const head = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
    if (!timingSafeEqual(bytes.subarray(head.length), this.#mac(head, use))) return false;
    if (head.readUIntBE(NONCE_BYTES, TIME_BYTES) <= now().getTime()) return false;
    const counter = {
      subject: attemptSubject('passkey challenge', head.toString('hex')),
      limit: { allowed: 1, windowMs: PASSKEY_TIMEOUT_MS },
    };
    return (await countAttempt(db, [counter], now())).waitSeconds === 0;
  }

  #mac(head: Buffer, use: ChallengeUse): Buffer {
    const holder = use.purpose === 'sign_in' ? [] : [use.userId, use.sessionId];
    return createHmac('sha256', this.#options.key)
      .update(JSON.stringify([use.purpose, ...holder]))
      .update(head)
      .digest();
  }
}

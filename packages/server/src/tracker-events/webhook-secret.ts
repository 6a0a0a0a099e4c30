import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { conflict, notFound } from '../platform/errors.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Db } from '../schema/tables.ts';
import type { TrackerTable } from '../schema/tracker-tables.ts';
import * as store from './store.ts';

const SECRET_BYTES = 32;
/**
 * Time for which the previous secret is still accepted, so that users can update webhooks that they
 * created manually.
 */
const PREVIOUS_SECRET_ACCEPTED_MS = 24 * 60 * 60_000;
const STILL_PENDING =
  'The secret was replaced recently, and the previous one is still accepted. Replace it again after that one expires.';

/** A tracker's webhook secrets as stored. */
export type StoredSecret = Pick<
  Selectable<TrackerTable>,
  | 'account_id'
  | 'id'
  | 'sealed_webhook_secret'
  | 'sealed_former_webhook_secret'
  | 'webhook_secret_replaced_at'
>;

/** The webhook secret of a tracker, decrypted. */
export interface WebhookSecret {
  secret: string;
  /** Version of the secret. Each replacement increases it by one. */
  version: number;
  /** Time until which the previous secret is accepted. Null if it is not accepted. */
  formerAcceptedUntil: Date | null;
}

/**
 * Manages the webhook secrets of trackers. Each tracker has one random secret, which is stored
 * encrypted.
 */
export class WebhookSecrets {
  readonly #db: Db;
  readonly #secrets: Secrets;
  readonly #now: () => Date;

  constructor(db: Db, secrets: Secrets, now: () => Date) {
    this.#db = db;
    this.#secrets = secrets;
    this.#now = now;
  }

  /**
   * Returns the secret of a tracker. Creates it at the first call.
   * @throws {AppError} `not_found` if the tracker does not exist
   */
  async secretOf(accountId: string, trackerId: string): Promise<WebhookSecret> {
    const stored = await store.createSecretIfMissing(
      this.#db,
      accountId,
      trackerId,
      this.#fresh(accountId, trackerId),
    );
    if (!stored?.sealed_webhook_secret) throw notFound();
    return {
      secret: this.#open(stored, stored.sealed_webhook_secret),
      version: stored.webhook_secret_version,
      formerAcceptedUntil: this.#formerAcceptedUntil(stored),
    };
  }

  /**
   * Creates a new secret. The previous secret is accepted for another day.
   * @throws {AppError} `conflict` if the secret before the current one is still accepted, because
   * webhooks may use either
   */
  async replace(db: Db, accountId: string, trackerId: string): Promise<void> {
    const sealed = this.#fresh(accountId, trackerId);
    const at = this.#now();
    const formerSince = new Date(at.getTime() - PREVIOUS_SECRET_ACCEPTED_MS);
    if (await store.replaceSecret(db, accountId, trackerId, sealed, { at, formerSince })) return;
    throw conflict('webhook_secret_pending', STILL_PENDING);
  }

  /**
   * Returns the secrets that a tracker accepts, the current secret first. Empty if it has no secret
   * yet.
   */
  accepted(stored: StoredSecret): string[] {
    const { sealed_webhook_secret: present, sealed_former_webhook_secret: former } = stored;
    const isFormerAccepted = this.#formerAcceptedUntil(stored) !== null;
    return [present, isFormerAccepted ? former : null].flatMap((sealed) =>
      sealed === null ? [] : [this.#open(stored, sealed)],
    );
  }

  #formerAcceptedUntil({
    sealed_former_webhook_secret: former,
    webhook_secret_replaced_at: replacedAt,
  }: StoredSecret): Date | null {
    if (former === null || replacedAt === null) return null;
    const until = new Date(replacedAt.getTime() + PREVIOUS_SECRET_ACCEPTED_MS);
    return this.#now() < until ? until : null;
  }

  #fresh(accountId: string, trackerId: string): Buffer {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    return this.#secrets.seal(secret, contextOf(accountId, trackerId));
  }

  #open({ account_id, id }: StoredSecret, sealed: Buffer): string {
    return this.#secrets.open(sealed, contextOf(account_id, id));
  }
}

/** Returns the encryption context of a tracker's webhook secrets. */
export function contextOf(accountId: string, trackerId: string): string {
  return `webhook:${accountId}:${trackerId}`;
}

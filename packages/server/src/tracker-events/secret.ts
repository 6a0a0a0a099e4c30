import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { conflict, notFound } from '../platform/errors.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Db } from '../schema/tables.ts';
import type { TrackerTable } from '../schema/tracker-tables.ts';
import * as store from './store.ts';

const SECRET_BYTES = 32;
/** How long a secret that was replaced is accepted: whoever made a webhook by hand has to paste the new one. */
const FORMER_ACCEPTED_MS = 24 * 60 * 60_000;
const STILL_PENDING =
  'The secret was replaced a short while ago, and the former one is still accepted. Replace it again once that one has ended.';

/** A tracker's secret as it is stored. */
export type StoredSecret = Pick<
  Selectable<TrackerTable>,
  | 'account_id'
  | 'id'
  | 'sealed_webhook_secret'
  | 'sealed_former_webhook_secret'
  | 'webhook_secret_replaced_at'
>;

/** The secret of a tracker. */
export interface WebhookSecret {
  secret: string;
  /** Grows each time it is replaced. */
  version: number;
  /** Until when the one before is accepted as well; null when it is not. */
  formerAcceptedUntil: Date | null;
}

/** What trackers prove themselves with when they call us: one random secret for each, sealed. */
export class WebhookSecrets {
  readonly #db: Db;
  readonly #secrets: Secrets;
  readonly #now: () => Date;

  constructor(db: Db, secrets: Secrets, now: () => Date) {
    this.#db = db;
    this.#secrets = secrets;
    this.#now = now;
  }

  /** The secret of a tracker, made when it is first needed. 404 when the tracker is gone. */
  async of(accountId: string, trackerId: string): Promise<WebhookSecret> {
    const kept = await store.keepSecret(this.#db, accountId, trackerId, this.#fresh(accountId, trackerId));
    if (!kept?.sealed_webhook_secret) throw notFound();
    return {
      secret: this.#open(kept, kept.sealed_webhook_secret),
      version: kept.webhook_secret_version,
      formerAcceptedUntil: this.#formerAcceptedUntil(kept),
    };
  }

  /**
   * Makes another secret; the former one is accepted for a while. 409 while the one before that is accepted still: a
   * webhook may have either of the two.
   */
  async replace(db: Db, accountId: string, trackerId: string): Promise<void> {
    const sealed = this.#fresh(accountId, trackerId);
    const at = this.#now();
    const formerSince = new Date(at.getTime() - FORMER_ACCEPTED_MS);
    if (await store.replaceSecret(db, accountId, trackerId, sealed, { at, formerSince })) return;
    throw conflict('webhook_secret_pending', STILL_PENDING);
  }

  /** The secrets that are accepted of a tracker, the present one first; none before one was made. */
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
    const until = new Date(replacedAt.getTime() + FORMER_ACCEPTED_MS);
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

/** What the secrets of a tracker's webhooks are sealed for. */
export function contextOf(accountId: string, trackerId: string): string {
  return `webhook:${accountId}:${trackerId}`;
}

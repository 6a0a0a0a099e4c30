import { randomBytes } from 'node:crypto';
import { notFound } from '../platform/errors.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Db } from '../schema/tables.ts';
import * as store from './store.ts';

const SECRET_BYTES = 32;

/** What trackers prove themselves with when they call us: one random secret for each, sealed. */
export class WebhookSecrets {
  readonly #db: Db;
  readonly #secrets: Secrets;

  constructor(db: Db, secrets: Secrets) {
    this.#db = db;
    this.#secrets = secrets;
  }

  /** The secret of a tracker, made when it is first needed. 404 when the tracker is gone. */
  async of(accountId: string, trackerId: string): Promise<string> {
    const fresh = randomBytes(SECRET_BYTES).toString('base64url');
    const sealed = this.#secrets.seal(fresh, contextOf(accountId, trackerId));
    const kept = await store.keepSecret(this.#db, accountId, trackerId, sealed);
    if (kept === undefined) throw notFound();
    return this.#secrets.open(kept, contextOf(accountId, trackerId));
  }

  open(accountId: string, trackerId: string, sealed: Buffer): string {
    return this.#secrets.open(sealed, contextOf(accountId, trackerId));
  }
}

function contextOf(accountId: string, trackerId: string): string {
  return `webhook:${accountId}:${trackerId}`;
}

import { acceptKey } from '../platform/install-key.ts';
import { type Secrets, SecretUnreadable } from '../platform/secrets.ts';
import type { Db } from '../schema/tables.ts';
import * as store from './sealed-value-store.ts';
import { SEALED_COLUMNS, SEALED_FIELDS, type SealedColumn, type SealedField } from './sealed-values.ts';

export interface Keys {
  readonly from: Secrets;
  readonly to: Secrets;
}

/**
 * Result of resealing: numbers of secrets sealed with the new key. `unreadable` counts secrets that
 * the previous key could not open; they stay unchanged.
 */
export interface Resealed {
  values: number;
  unreadable: number;
}

/**
 * Seals all secrets with another key, in one transaction, and makes that key the database's key.
 * Ends every session, because session tokens are derived from the key.
 */
export async function resealAll(db: Db, keys: Keys, now: Date): Promise<Resealed> {
  const sum: Resealed = { values: 0, unreadable: 0 };
  await db.transaction().execute(async (transaction) => {
    for (const column of SEALED_COLUMNS) await resealColumn(transaction, keys, column, sum);
    for (const field of SEALED_FIELDS) await resealField(transaction, keys, field, sum);
    await acceptKey(transaction, keys.to);
    await store.endAllSessions(transaction, now);
  });
  return sum;
}

async function resealColumn(db: Db, keys: Keys, sealed: SealedColumn, sum: Resealed) {
  for (const { accountId, id, value } of await store.lockColumn(db, sealed)) {
    const anew = reseal(keys, value, sealed.context(accountId, id), sum);
    if (anew !== null) await store.replaceInColumn(db, sealed, { accountId, id, value: anew });
  }
}

async function resealField(db: Db, keys: Keys, { job, field, context }: SealedField, sum: Resealed) {
  for (const { id, payload } of await store.lockJobs(db, job)) {
    const anew = reseal(keys, Buffer.from(String(payload[field]), 'base64'), context(payload), sum);
    if (anew !== null) await store.replacePayload(db, id, { ...payload, [field]: anew.toString('base64') });
  }
}

/**
 * Seals a value with the new key and counts it in `sum`. Returns null if the previous key cannot
 * open the value, because a key lost earlier had sealed it.
 */
function reseal({ from, to }: Keys, sealed: Buffer, context: string, sum: Resealed): Buffer | null {
  try {
    const anew = to.seal(from.open(sealed, context), context);
    sum.values += 1;
    return anew;
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    sum.unreadable += 1;
    return null;
  }
}

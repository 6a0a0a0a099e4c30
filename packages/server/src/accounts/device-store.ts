import { sql } from 'kysely';
import type { Db } from '../schema/tables.ts';

/** Maximum number of remembered devices per user. The least recently used are deleted first. */
const MAX_DEVICES = 50;

/** Traits by which a device is recognized. */
export interface DeviceTraits {
  tokenHash: Buffer | null;
  address: string;
  network: string;
  userAgent: string | null;
}

/** True if the user has a device with this token or has signed in from this address. */
export async function isDeviceTrusted(
  db: Db,
  userId: string,
  { tokenHash, address }: Pick<DeviceTraits, 'tokenHash' | 'address'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from device
    where user_id = ${userId} and (token_hash = ${tokenHash}::bytea or address = ${address})
    limit 1
  `.execute(db);
  return rows.length > 0;
}

/** True if the user has a device with this token. */
export async function hasDeviceToken(
  db: Db,
  { account_id, user_id }: { account_id: string; user_id: string },
  tokenHash: Buffer,
): Promise<boolean> {
  const row = await db
    .selectFrom('device')
    .select('user_id')
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row !== undefined;
}

/** True if the user has used a device with this token, or this browser in this network. */
export async function isDeviceKnown(
  db: Db,
  { account_id, id }: { account_id: string; id: string },
  { tokenHash, network, userAgent }: Omit<DeviceTraits, 'address'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from device
    where account_id = ${account_id} and user_id = ${id}
      and (token_hash = ${tokenHash}::bytea
        or network = ${network} and user_agent is not distinct from ${userAgent})
    limit 1
  `.execute(db);
  return rows.length > 0;
}

/** Deletes the devices of a user, except the one with this token. */
export async function deleteOtherDevices(
  db: Db,
  { account_id, id }: { account_id: string; id: string },
  tokenHash: Buffer | null,
): Promise<void> {
  await sql`
    delete from device
    where account_id = ${account_id} and user_id = ${id} and token_hash is distinct from ${tokenHash}::bytea
  `.execute(db);
}

/** Stores a device or its latest use, and deletes devices beyond {@link MAX_DEVICES}. */
export async function saveDevice(
  db: Db,
  { account_id, id }: { account_id: string; id: string },
  device: DeviceTraits & { tokenHash: Buffer },
  now: Date,
): Promise<void> {
  const seen = { address: device.address, network: device.network, user_agent: device.userAgent };
  await db
    .insertInto('device')
    .values({
      ...{ account_id, user_id: id, token_hash: device.tokenHash },
      ...{ ...seen, created_at: now, last_used_at: now },
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'user_id', 'token_hash']).doUpdateSet({ ...seen, last_used_at: now }),
    )
    .execute();
  await sql`
    delete from device where account_id = ${account_id} and user_id = ${id} and token_hash in (
      select token_hash from device where account_id = ${account_id} and user_id = ${id}
      order by last_used_at desc offset ${MAX_DEVICES}
    )
  `.execute(db);
}

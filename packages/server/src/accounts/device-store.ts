import { sql } from 'kysely';
import { prepared } from '../platform/database.ts';
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

/** Returns the condition that a query's user has this device or has signed in from this address. */
export function isTrustedDevice({ tokenHash, address }: Pick<DeviceTraits, 'tokenHash' | 'address'>) {
  return sql<boolean>`exists (
    select from device
    where device.account_id = app_user.account_id and device.user_id = app_user.id
      and (token_hash = ${tokenHash}::bytea or address = ${address})
  )`;
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

/**
 * Stores a device or its latest use, and deletes devices beyond {@link MAX_DEVICES}. Returns true
 * if the user has used a device with this token before, or this browser in this network.
 */
export async function saveDevice(
  db: Db,
  { account_id, id }: { account_id: string; id: string },
  { tokenHash, address, network, userAgent }: DeviceTraits & { tokenHash: Buffer },
  now: Date,
): Promise<boolean> {
  const ofUser = sql`account_id = ${account_id} and user_id = ${id}`;
  const { rows } = await sql<{ was_known: boolean }>`
    ${prepared} with known as materialized (
      select from device
      where ${ofUser}
        and (token_hash = ${tokenHash} or network = ${network} and user_agent is not distinct from ${userAgent})
      limit 1
    ), removed as (
      delete from device where ${ofUser} and token_hash in (
        select token_hash from device where ${ofUser} and token_hash <> ${tokenHash}
        order by last_used_at desc offset ${MAX_DEVICES - 1}
      )
    )
    insert into device (account_id, user_id, token_hash, address, network, user_agent, created_at, last_used_at)
    values (${account_id}, ${id}, ${tokenHash}, ${address}, ${network}, ${userAgent}, ${now}, ${now})
    on conflict (account_id, user_id, token_hash) do update
      set address = excluded.address, network = excluded.network, user_agent = excluded.user_agent,
          last_used_at = excluded.last_used_at
    returning exists (select from known) as was_known
  `.execute(db);
  return rows[0]?.was_known ?? false;
}

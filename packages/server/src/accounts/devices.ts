import type { Db } from '../schema/tables.ts';
import { type Client, networkPrefixOf } from './client.ts';
import * as store from './device-store.ts';
import { randomToken, tokenHash } from './tokens.ts';

type UserOfAccount = { account_id: string; id: string };

/** True if the client has the cookie of a device that the user registered or signed in with. */
export async function hasDeviceCookie(
  db: Db,
  user: { account_id: string; user_id: string },
  { deviceToken }: Client,
): Promise<boolean> {
  return deviceToken !== null && store.hasDeviceToken(db, user, tokenHash(deviceToken));
}

/**
 * Stores this client as a device of the user. Returns the token for its cookie, and whether the
 * device was known. It is known by its cookie, or as the same browser in the same network.
 */
export async function rememberDevice(
  transaction: Db,
  user: UserOfAccount,
  client: Client,
  now: Date,
): Promise<{ token: string; wasKnown: boolean }> {
  const token = client.deviceToken ?? randomToken();
  const device = { ...traitsOf(client), tokenHash: tokenHash(token) };
  const wasKnown = await store.saveDevice(transaction, user, device, now);
  return { token, wasKnown };
}

/**
 * Deletes every device of the user except the one with this token. Afterwards, a person who knew
 * the previous password has no known device: a sign-in is mailed to the user, and guesses are
 * limited.
 */
export async function forgetOtherDevices(
  transaction: Db,
  user: UserOfAccount,
  deviceToken: string | null,
): Promise<void> {
  const kept = deviceToken === null ? null : tokenHash(deviceToken);
  await store.deleteOtherDevices(transaction, user, kept);
}

/** Returns the traits by which a client is recognized as a device. */
export function traitsOf({ address, deviceToken, userAgent }: Client): store.DeviceTraits {
  return {
    tokenHash: deviceToken === null ? null : tokenHash(deviceToken),
    address,
    network: networkPrefixOf(address),
    userAgent,
  };
}

import { badRequest } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import type { AccountActivity } from './activity.ts';
import type { Client } from './client.ts';
import { hasDeviceCookie } from './devices.ts';
import { countPasswordCheck, type LoginAttempt } from './login-limit.ts';
import { passwordMatches } from './passwords.ts';
import type { User } from './store.ts';

/**
 * Checks the password of a signed-in user. Returns the counted attempt. The caller passes it to
 * {@link clearFailedLogins} in the transaction that makes the change.
 * Throws 400 for a wrong password; 429 beyond the limits of {@link countPasswordCheck}. The
 * password is required because a session may be stolen. A thief without the device cookie cannot
 * use up the attempts of the owner's browser.
 */
export async function checkPassword(
  { db, activity, now }: { db: Db; activity: AccountActivity; now: () => Date },
  user: User,
  password: string,
  client: Client,
): Promise<LoginAttempt> {
  const isOwnDevice = await hasDeviceCookie(db, { account_id: user.account_id, user_id: user.id }, client);
  const deviceToken = isOwnDevice ? client.deviceToken : null;
  const attempt = await countPasswordCheck(db, user.id, { caller: client.caller, deviceToken }, now());
  if (await passwordMatches(user.password_hash, password)) return attempt;
  await activity.record(db, { userId: user.id, kind: 'password_check_failed', client });
  throw wrongPassword();
}

/** Returns an error with status 400 for a wrong password of a signed-in user. */
export function wrongPassword() {
  return badRequest('Current password is incorrect.', 'wrong_password');
}

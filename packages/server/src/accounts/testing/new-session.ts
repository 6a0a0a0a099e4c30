import { randomBytes, randomUUID } from 'node:crypto';
import { DAY_MS } from '../../platform/clock.ts';
import type { Db } from '../../schema/tables.ts';
import { insertSession } from '../session-store.ts';
import type { SignedIn } from '../signed-in.ts';

/** Creates the user of an account and signs them in. */
export async function newSession(db: Db, accountId: string): Promise<SignedIn> {
  const [userId, sessionId, now] = [randomUUID(), randomUUID(), new Date()];
  await db
    .insertInto('app_user')
    .values({
      account_id: accountId,
      id: userId,
      username: `user-${accountId}`,
      email: `${accountId}@example.com`,
      full_name: 'Ada',
      password_hash: null,
      state: 'active',
      email_verified_at: null,
    })
    .execute();
  await db.insertInto('member').values({ account_id: accountId, user_id: userId, role: 'owner' }).execute();
  const session = {
    ...{ account_id: accountId, id: sessionId, user_id: userId },
    ...{ created_at: now, last_used_at: now },
  };
  await insertSession(db, session, {
    token_hash: randomBytes(32),
    expires_at: new Date(now.getTime() + DAY_MS),
  });
  return { accountId, homeId: accountId, userId, sessionId };
}

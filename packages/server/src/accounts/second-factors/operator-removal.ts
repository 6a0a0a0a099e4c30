import type { Db } from '../../schema/tables.ts';
import type { AccountActivity } from '../activity.ts';
import type { SecurityMails } from '../security-emails.ts';
import { findUserByEmail, findUserByUsername, type User } from '../store.ts';
import { deleteFactors } from './store.ts';

/** Finds a user by username or email address. */
export async function findByNameOrAddress(db: Db, name: string): Promise<User | undefined> {
  return (await findUserByUsername(db, name)) ?? findUserByEmail(db, name);
}

/**
 * Removes all second factors of a user who has lost them. Records and mails it. Returns false if
 * there were none.
 */
export async function removeByOperator(
  { db, activity, securityMails }: { db: Db; activity: AccountActivity; securityMails: SecurityMails },
  user: User,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    if (!(await deleteFactors(transaction, user))) return false;
    const detail = 'By the operator of this server';
    const event = { userId: user.id, kind: 'second_factors_removed', client: null, detail } as const;
    await activity.record(transaction, event);
    await securityMails.send(transaction, user, { kind: 'second_factors_removed_by_operator' }, null);
    return true;
  });
}
